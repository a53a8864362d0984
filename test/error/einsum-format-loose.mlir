// A level that is not lowered is named.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: level 1 of A is loose_compressed, which is not lowered yet; dense, compressed and singleton levels are [einsum-format]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : loose_compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
