// An operation of Triton's that is not imported.
// RUN: %expect 2 heddle compile %s
// expect: 8:10: error: 'tt.advance' is not imported: Triton 3.7 has no block pointers any more; use a descriptor [ttir-operation]

module {
  tt.func public @k(%p: !tt.ptr<f32>) {
    %x = tt.load %p : !tt.ptr<f32>
    %y = tt.advance %p, [%x, %x] : <tensor<16x16xf32>>
    tt.return
  }
}
