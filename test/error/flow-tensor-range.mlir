// A range is as long as an axis of a tensor.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 10:8: error: 'flow.range' names axis 1 of a tensor with 1 [flow-tensor]
einsum.program @p(%x: tensor<?xf32>) {
  %y = einsum.statement (i) += %x(i) : tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
flow.graph @p(%x: tensor<?xf32>) {
  %r = flow.root : !flow.stream<ref []>
  %c = flow.range %x axis 1 of %r : (tensor<?xf32>, !flow.stream<ref []>) -> !flow.stream<crd [i]>
  flow.return
}
