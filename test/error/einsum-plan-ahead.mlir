// Rows are asked for some iterations ahead.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 11:3: error: rows are asked for 1 to 1024 iterations ahead, not 0 [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
einsum.plan @p {
  einsum.nest "C" term 0 order ["i", "j", "k"] loops ["dense", "walk A", "dense"] parallel "i" chunk 1 vector "k" width 8 ahead 0 into "registers" assemble "none"
}
