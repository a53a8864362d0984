// Functions have names.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: there is no function softplus; there are neg, abs, square, relu, exp, log, sqrt, rsqrt, reciprocal, tanh, erf, sigmoid, gelu, silu [einsum-function]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * softplus(%x(j))
    : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
