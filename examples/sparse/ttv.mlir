// C(i, j) = the sum over k of A(i, j, k) v(k): a tensor of three axes times a
// vector. C has an element for each fiber of A.
//
//   heddle run examples/sparse/ttv.mlir --view A=60x70x80 --view v=80

#csf = #sparse_tensor.encoding<{
  map = (i, j, k) -> (i : dense, j : compressed, k : compressed),
  posWidth = 32, crdWidth = 32
}>
#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @ttv(%A: tensor<?x?x?xf32, #csf>, %v: tensor<?xf32>) {
  %C = einsum.statement (i, j) += %A(i, j, k) * %v(k)
    : tensor<?x?x?xf32, #csf>, tensor<?xf32> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
