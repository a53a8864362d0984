// A function that changes the zero is computed where the mask alone is walked.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: no order of the loops carries out term 0 of C; the last one tried: functions that make something else of the zero are computed of a dense result where M alone is walked and sums stay in registers; give the result the format of M [einsum-no-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %M: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, j) += %A(i, j) where %M(i, j) then exp
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
