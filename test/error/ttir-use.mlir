// A descriptor whose elements outside are no zeros.
// RUN: %expect 2 heddle compile %s
// expect: attention.py:40:12: error: a descriptor that pads with NaN is not imported; pad with zero [ttir-use]

module {
  tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {
    %c1 = arith.constant 1 : i64
    %d = tt.make_tensor_descriptor %p, [%n], [%c1] {padding = 2 : i32} : <f32>, <64xf32> loc("attention.py":40:12)
    tt.return
  }
}
