// The products of rows of 64 where a matrix has elements, whose values are not
// read: torch.sparse.sampled_addmm with beta = 0, for bench/embedding.py.
!t = f32
#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @sddmm(%A: tensor<?x?x!t, #csr>, %B: tensor<?x64x!t>,
                      %D: tensor<?x64x!t>) {
  %C = einsum.statement (i, j) += %B(i, k) * %D(j, k) where %A(i, j)
    : tensor<?x64x!t>, tensor<?x64x!t>, tensor<?x?x!t, #csr>
    -> tensor<?x?x!t, #csr>
  einsum.return %C : tensor<?x?x!t, #csr>
}
