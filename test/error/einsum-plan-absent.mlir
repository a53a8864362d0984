// A plan names a program.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 10:1: error: there is no program @q [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
einsum.plan @q {
  einsum.nest "C" term 0 order ["i", "j", "k"] loops ["dense", "walk A", "dense"] parallel "i" chunk 1 vector "k" width 16 into "registers" assemble "none"
}
