// Rows of one operand, columns of the other: no order walks both.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 8:8: error: no order of the loops carries out term 0 of C; the last one tried: B is stored by j before i, and the nest has them the other way round [einsum-no-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed, i : compressed) }>
#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #dcsr>, %B: tensor<?x?xf32, #csc>) {
  %C = einsum.statement (i, j) += %A(i, j) * %B(i, j)
    : tensor<?x?xf32, #dcsr>, tensor<?x?xf32, #csc> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
