// What is always there is some number where nothing is.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 11:8: error: 'flow.compute' is `always` there, and no `absent` says as which number [flow-kind]
einsum.program @p(%x: tensor<?xf32>) {
  %y = einsum.statement (i) += %x(i) : tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
flow.graph @p(%x: tensor<?xf32>) {
  %r = flow.root : !flow.stream<ref []>
  %v = flow.values %x of %r : (tensor<?xf32>, !flow.stream<ref []>) -> !flow.stream<f32 []>
  %w = flow.compute (%v) always {
  ^bb0(%a: f32):
    flow.yield %a : f32
  } : (!flow.stream<f32 []>) -> !flow.stream<f32 []>
  flow.return
}
