// A sparse sum of two terms is refused by name.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: no order of the loops carries out term 0 of C; the last one tried: a sparse result of several terms is lowered where a mask (`where`) has its positions; make the result dense, or add a mask of the same format [einsum-no-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, j) += %A(i, j) + %B(i, j)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
