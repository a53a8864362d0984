// Numbers in front of terms multiply.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: a number in front of a term, or a minus, needs the sums and products of "plus-times", not of "min-plus" [einsum-semiring]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * %x(j) - 0.5 * %x(i) over "min-plus"
    : tensor<?x?xf32, #csr>, tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
