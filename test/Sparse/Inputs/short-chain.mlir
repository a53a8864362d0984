// A result that is read again, a sum of two terms, and one of all elements.
!t = f16
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @chain(%A: tensor<?x?x!t, #csr>, %B: tensor<?x?x!t>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k) then relu : tensor<?x?x!t, #csr>, tensor<?x?x!t> -> tensor<?x?x!t>
  %D = einsum.statement (i, k) += 0.5 * %A(i, j) * %C(j, k) - %B(i, k) then tanh
    : tensor<?x?x!t, #csr>, tensor<?x?x!t>, tensor<?x?x!t> -> tensor<?x?x!t>
  %s = einsum.statement () += %D(i, k) * %C(i, k) : tensor<?x?x!t>, tensor<?x?x!t> -> tensor<!t>
  einsum.return %C, %D, %s : tensor<?x?x!t>, tensor<?x?x!t>, tensor<!t>
}
