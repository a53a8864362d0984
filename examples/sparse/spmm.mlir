// C = A B for a matrix A in compressed sparse rows and a dense matrix B: what a
// graph network does to the features of its nodes.
//
//   heddle run examples/sparse/spmm.mlir --view A=3000x4000 --view B=4000x64

#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @spmm(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
