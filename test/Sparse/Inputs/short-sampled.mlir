// Products of rows where a matrix has elements; sums are f32.
!t = f16
#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64
}>

einsum.program @sddmm(%A: tensor<?x?x!t, #csr>, %B: tensor<?x?x!t>, %D: tensor<?x?x!t>) {
  %C = einsum.statement (i, j) += %A(i, j) * %B(i, k) * %D(j, k)
    : tensor<?x?x!t, #csr>, tensor<?x?x!t>, tensor<?x?x!t> -> tensor<?x?x!t, #csr>
  einsum.return %C : tensor<?x?x!t, #csr>
}
