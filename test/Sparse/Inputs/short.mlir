// A sparse matrix times a dense one, and products where a matrix has elements; sums are f32.
!t = f16
#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @spmm(%A: tensor<?x?x!t, #csr>, %B: tensor<?x?x!t>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?x!t, #csr>, tensor<?x?x!t> -> tensor<?x?x!t>
  einsum.return %C : tensor<?x?x!t>
}
