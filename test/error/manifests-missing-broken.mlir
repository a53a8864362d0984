// The nvvm rung with a broken manifest.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:1: error: attribute heddle.manifests: the manifest: not JSON: [1:1, byte=1]: Expected object key [manifests-missing]
module attributes {heddle.manifests = ["{"]} {
  llvm.func @f() {
    llvm.return
  }
}
