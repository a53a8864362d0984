// No bitwise update of floating point.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 9:10: error: 'tile.atomic_rmw' cannot and elements of 'f32' [atomic-kind]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %a0 = arith.constant 64 : i64
    %q = tile.int_to_ptr %a0 : i64 -> !tile.ptr<f32>
    %x = tile.atomic_rmw and, relaxed, gpu, %q, %f : !tile.ptr<f32>, f32 -> f32
  }
}
