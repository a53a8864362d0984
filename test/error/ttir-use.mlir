// Rows gathered from a descriptor whose elements outside are no zeros.
// RUN: %expect 2 heddle compile %s
// expect: attention.py:40:12: error: a descriptor that pads with NaN and is carried or gathers rows is not imported; pad with zero [ttir-use]

module {
  tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {
    %c1 = arith.constant 1 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%c1, %c1] {padding = 2 : i32} : <f32>, <1x64xf32> loc("attention.py":40:12)
    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %x = tt.descriptor_gather %d[%r, %n] : (!tt.tensordesc<1x64xf32>, tensor<8xi32>, i32) -> tensor<8x64xf32>
    tt.return
  }
}
