// A range stands below coordinates or references.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 11:8: error: 'flow.range' stands below coordinates or references, and gets values [flow-kind]
einsum.program @p(%x: tensor<?xf32>) {
  %y = einsum.statement (i) += %x(i) : tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
flow.graph @p(%x: tensor<?xf32>) {
  %r = flow.root : !flow.stream<ref []>
  %v = flow.values %x of %r : (tensor<?xf32>, !flow.stream<ref []>) -> !flow.stream<f32 []>
  %c = flow.range %x axis 0 of %v : (tensor<?xf32>, !flow.stream<f32 []>) -> !flow.stream<crd [i]>
  flow.return
}
