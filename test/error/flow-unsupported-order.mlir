// Opposite orders are named with both tensors.
// RUN: %expect 2 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:8: error: no order of its indices carries out y by streams: the operands want opposite orders: A is stored i, j; B is stored j, i [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %y = einsum.statement (i, j) += %A(i, j) * %B(j, i)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32>
  einsum.return %y : tensor<?x?xf32>
}
