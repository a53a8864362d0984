// Axes in no common order, and more than two of them: no order walks both, and only matrices are stored again.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:8: error: no order of the loops carries out term 0 of C; the last one tried: B is stored by k before i, and the nest has them the other way round [einsum-no-plan]
#ijk = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed, k : compressed) }>
#kij = #sparse_tensor.encoding<{ map = (i, j, k) -> (k : compressed, i : compressed, j : compressed) }>
einsum.program @p(%A: tensor<?x?x?xf32, #ijk>, %B: tensor<?x?x?xf32, #kij>) {
  %C = einsum.statement (i, j, k) += %A(i, j, k) * %B(i, j, k)
    : tensor<?x?x?xf32, #ijk>, tensor<?x?x?xf32, #kij> -> tensor<?x?x?xf32>
  einsum.return %C : tensor<?x?x?xf32>
}
