// An operation of Triton's that is not imported.
// RUN: %expect 2 heddle compile %s
// expect: 8:10: error: 'tt.elementwise_inline_asm' is not imported: text for one machine has no meaning on the others [ttir-operation]

module {
  tt.func public @k(%p: !tt.ptr<f32>) {
    %x = tt.load %p : !tt.ptr<f32>
    %y = tt.elementwise_inline_asm "sqrt.approx.ftz.f32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : f32 -> f32
    tt.store %p, %y : !tt.ptr<f32>
    tt.return
  }
}
