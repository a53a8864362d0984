// C = A B for three matrices in compressed sparse rows. How many elements C has
// follows from the data: they are counted, then computed.
//
//   heddle run examples/sparse/spgemm.mlir --view A=300x400 --view B=400x500

#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @spgemm(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
