// Places in B need the extent of k, and a GPU's kernel has only arrays, none of which tells it.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:3: error: no kernel of a GPU carries out this nest of C: no operand's shape gives the extent of k [einsum-no-kernel]
#list = #sparse_tensor.encoding<{ map = (k) -> (k : compressed) }>
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#rows = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed, k : dense) }>
einsum.program @p(%A: tensor<?xf32, #list>, %B: tensor<?x?x?xf32, #rows>) {
  %C = einsum.statement (i, j) += %A(k) * %B(i, j, k)
    : tensor<?xf32, #list>, tensor<?x?x?xf32, #rows> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.nest "C" term 0 order ["i", "j", "k"] loops ["dense", "walk B", "walk A"]
    parallel "i" chunk 1 vector "" width 1 into "registers" assemble "same B"
}
