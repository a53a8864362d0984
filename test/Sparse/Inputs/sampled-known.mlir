// Products of rows whose length the types say, where a matrix has elements.
!t = f32
#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @sddmm(%A: tensor<?x?x!t, #csr>, %B: tensor<?x64x!t>, %D: tensor<?x64x!t>) {
  %C = einsum.statement (i, j) += %A(i, j) * %B(i, k) * %D(j, k)
    : tensor<?x?x!t, #csr>, tensor<?x64x!t>, tensor<?x64x!t> -> tensor<?x?x!t, #csr>
  einsum.return %C : tensor<?x?x!t, #csr>
}
