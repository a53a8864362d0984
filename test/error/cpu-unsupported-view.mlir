// Kernels on the CPU take pointers.
// RUN: %expect 2 heddle compile %s --emit=llvm -o %t.ll
// expect: 4:1: error: kernel @k takes a '!tile.view<?xf32>'; on the CPU kernels take pointers and numbers of type index [cpu-unsupported]
tile.kernel @k(%p: !tile.view<?xf32>, %n: index) {
  tile.parallel (%i) to (%n) {
  }
}
