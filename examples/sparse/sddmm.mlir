// C = A .* (B D'): products of rows of B and D where A has elements, as the
// scores of sparse attention are.
//
//   heddle run examples/sparse/sddmm.mlir --view A=300x400 --view B=300x32
//     --view D=400x32

#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @sddmm(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>,
                      %D: tensor<?x?xf32>) {
  %C = einsum.statement (i, j) += %A(i, j) * %B(i, k) * %D(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32>, tensor<?x?xf32>
    -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
