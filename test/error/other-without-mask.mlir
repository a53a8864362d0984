// `other` without a mask.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 9:10: error: 'tile.gather' has `other`, which only a mask makes visible [other-without-mask]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %a0 = arith.constant 64 : i64
    %q = tile.int_to_ptr %a0 : i64 -> !tile.ptr<f32>
    %x = tile.gather %q other %f : f32 : !tile.ptr<f32> -> f32
  }
}
