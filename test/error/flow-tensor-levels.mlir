// Each stream of coordinates is of a level of its own.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 16:8: error: 'flow.write' has `levels` that name the levels of its tensor not once each [flow-tensor]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
flow.graph @p(%A: tensor<?x?xf32, #csr>) {
  %r = flow.root : !flow.stream<ref []>
  %ci, %ri = flow.scan %A level 0 of %r
    : (tensor<?x?xf32, #csr>, !flow.stream<ref []>) -> (!flow.stream<crd [i]>, !flow.stream<ref [i]>)
  %cj, %rj = flow.scan %A level 1 of %ri
    : (tensor<?x?xf32, #csr>, !flow.stream<ref [i]>) -> (!flow.stream<crd [i, j]>, !flow.stream<ref [i, j]>)
  %v = flow.values %A of %rj : (tensor<?x?xf32, #csr>, !flow.stream<ref [i, j]>) -> !flow.stream<f32 [i, j]>
  %R = flow.write "R" (%ci, %cj) values %v shape (%A, %A) axes [0, 1] levels [1, 1]
    : (!flow.stream<crd [i]>, !flow.stream<crd [i, j]>, !flow.stream<f32 [i, j]>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr>) -> tensor<?x?xf32, #csr>
  flow.return %R : tensor<?x?xf32, #csr>
}
