// A loop over a factor is none over the mask, though both are of one tensor.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: no order of the loops carries out term 0 of C; the last one tried: functions that make something else of the zero are computed of a dense result where A alone is walked and sums stay in registers; give the result the format of A [einsum-no-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%B: tensor<?x?xf32>, %A: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, j, l) += %B(i, j) * %A(j, l) where %A(i, j) then exp
    : tensor<?x?xf32>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?x?xf32>
  einsum.return %C : tensor<?x?x?xf32>
}
