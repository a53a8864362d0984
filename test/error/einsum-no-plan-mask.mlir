// Loops give a result below a mask the mask's own format.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:8: error: no order of the loops carries out term 0 of C; the last one tried: what is counted are products, and elements of the mask M may have none; a result with the format of the mask has its positions where the loops over its indices come first [einsum-no-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>, %M: tensor<?x?xf32, #dcsr>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k) where %M(i, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32>, tensor<?x?xf32, #dcsr> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
