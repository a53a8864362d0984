// y = A x for a matrix in compressed sparse rows.
//
//   heddle run examples/sparse/spmv.mlir --view A=3000x4000 --view x=4000

#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @spmv(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * %x(j)
    : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
