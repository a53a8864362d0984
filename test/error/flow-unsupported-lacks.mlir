// A term has every index of the result.
// RUN: %expect 2 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:8: error: no order of its indices carries out y by streams: term 1 of y lacks j; streams do not repeat a term along an index of the result yet [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %y = einsum.statement (i, j) += %A(i, j) + %x(i)
    : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?x?xf32>
  einsum.return %y : tensor<?x?xf32>
}
