// What copies made is collected in the order in which they got their shares.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 18:9: error: 'flow.collect' collects as share 0 of [i] the space b, and no flow.fork with chunk 1 and 2 shares of [i] made it at that place [flow-copies]
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
  %cj = flow.collect (%c1, %c0) per %ci chunk 1
    : (!flow.stream<crd [b, j1]>, !flow.stream<crd [a, j0]>, !flow.stream<crd [i]>) -> !flow.stream<crd [i, j]>
  %s = flow.collect (%s1, %s0) per %ci chunk 1
    : (!flow.stream<ref [b, j1]>, !flow.stream<ref [a, j0]>, !flow.stream<crd [i]>) -> !flow.stream<ref [i, j]>
  %v = flow.values %A of %s : (tensor<?x?xf32, #csr>, !flow.stream<ref [i, j]>) -> !flow.stream<f32 [i, j]>
  %R = flow.write "R" (%ci, %cj) values %v shape (%A, %A) axes [0, 1]
    : (!flow.stream<crd [i]>, !flow.stream<crd [i, j]>, !flow.stream<f32 [i, j]>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr>) -> tensor<?x?xf32, #csr>
  flow.return %R : tensor<?x?xf32, #csr>
}
