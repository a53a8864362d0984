// A kernel takes views, pointers and scalars.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:1: error: 'tile.kernel' argument 't' is neither a view, a pointer nor a scalar: 'tensor<64xf32>' [kernel-signature]
tile.kernel @k(%t: tensor<64xf32>) {
}
