// Two shares are two spaces.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 13:14: error: 'flow.fork' gives two shares the space a [flow-copies]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
flow.graph @p(%A: tensor<?x?xf32, #csr>) {
  %r = flow.root : !flow.stream<ref []>
  %ci, %ri = flow.scan %A level 0 of %r
    : (tensor<?x?xf32, #csr>, !flow.stream<ref []>) -> (!flow.stream<crd [i]>, !flow.stream<ref [i]>)
  %r0, %r1 = flow.fork %ri chunk 1 : (!flow.stream<ref [i]>) -> (!flow.stream<ref [a]>, !flow.stream<ref [a]>)
  %c0, %s0 = flow.scan %A level 1 of %r0
    : (tensor<?x?xf32, #csr>, !flow.stream<ref [a]>) -> (!flow.stream<crd [a, j0]>, !flow.stream<ref [a, j0]>)
  %c1, %s1 = flow.scan %A level 1 of %r1
    : (tensor<?x?xf32, #csr>, !flow.stream<ref [a]>) -> (!flow.stream<crd [a, j1]>, !flow.stream<ref [a, j1]>)
  %cj = flow.collect (%c0, %c1) per %ci chunk 1
    : (!flow.stream<crd [a, j0]>, !flow.stream<crd [a, j1]>, !flow.stream<crd [i]>) -> !flow.stream<crd [i, j]>
  %s = flow.collect (%s0, %s1) per %ci chunk 1
    : (!flow.stream<ref [a, j0]>, !flow.stream<ref [a, j1]>, !flow.stream<crd [i]>) -> !flow.stream<ref [i, j]>
  %v = flow.values %A of %s : (tensor<?x?xf32, #csr>, !flow.stream<ref [i, j]>) -> !flow.stream<f32 [i, j]>
  %R = flow.write "R" (%ci, %cj) values %v shape (%A, %A) axes [0, 1]
    : (!flow.stream<crd [i]>, !flow.stream<crd [i, j]>, !flow.stream<f32 [i, j]>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr>) -> tensor<?x?xf32, #csr>
  flow.return %R : tensor<?x?xf32, #csr>
}
