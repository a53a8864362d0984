// The nvvm rung without its manifests.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 1:1: error: a program on the nvvm rung carries its manifests in the attribute heddle.manifests, which is missing [manifests-missing]
llvm.func @f() {
  llvm.return
}
