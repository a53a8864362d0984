// One copy's elements are written as two parts.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 21:8: error: 'flow.write' has 2 parts with the stops of [a, j0]; each part is another copy's share [flow-copies]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
flow.graph @p(%A: tensor<?x?xf32, #csr>) {
  %r = flow.root : !flow.stream<ref []>
  %ci, %ri = flow.scan %A level 0 of %r
    : (tensor<?x?xf32, #csr>, !flow.stream<ref []>) -> (!flow.stream<crd [i]>, !flow.stream<ref [i]>)
  %r0, %r1 = flow.fork %ri chunk 1 : (!flow.stream<ref [i]>) -> (!flow.stream<ref [a]>, !flow.stream<ref [b]>)
  %c0, %s0 = flow.scan %A level 1 of %r0
    : (tensor<?x?xf32, #csr>, !flow.stream<ref [a]>) -> (!flow.stream<crd [a, j0]>, !flow.stream<ref [a, j0]>)
  %c1, %s1 = flow.scan %A level 1 of %r1
    : (tensor<?x?xf32, #csr>, !flow.stream<ref [b]>) -> (!flow.stream<crd [b, j1]>, !flow.stream<ref [b, j1]>)
  %i0, %i1 = flow.fork %ci chunk 1 : (!flow.stream<crd [i]>) -> (!flow.stream<crd [a]>, !flow.stream<crd [b]>)
  %v0 = flow.values %A of %s0 : (tensor<?x?xf32, #csr>, !flow.stream<ref [a, j0]>) -> !flow.stream<f32 [a, j0]>
  %v1 = flow.values %A of %s1 : (tensor<?x?xf32, #csr>, !flow.stream<ref [b, j1]>) -> !flow.stream<f32 [b, j1]>
  %R = flow.write "R" (%i0, %c0, %i0, %c0, %i1, %c1) values %v0, %v0, %v1 shape (%A, %A) axes [0, 1]
    : (!flow.stream<crd [a]>, !flow.stream<crd [a, j0]>, !flow.stream<crd [a]>, !flow.stream<crd [a, j0]>, !flow.stream<crd [b]>, !flow.stream<crd [b, j1]>, !flow.stream<f32 [a, j0]>, !flow.stream<f32 [a, j0]>, !flow.stream<f32 [b, j1]>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr>) -> tensor<?x?xf32, #csr>
  flow.return %R : tensor<?x?xf32, #csr>
}
