// A mask is of i1.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 10:10: error: 'tile.gather' has a mask of 'f32', not of i1 [mask-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %p = tile.splat %f : f32 -> tensor<64xf32>
    %a0 = arith.constant 64 : i64
    %q = tile.int_to_ptr %a0 : i64 -> !tile.ptr<f32>
    %x = tile.gather %q mask %f : f32 : !tile.ptr<f32> -> f32
  }
}
