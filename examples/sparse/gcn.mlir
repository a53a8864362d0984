// H = A (X W): one layer of a graph network before its activation, as two
// statements. The features are multiplied first, which is dense and smaller.
//
//   heddle run examples/sparse/gcn.mlir --view A=300x300 --view X=300x50
//     --view W=50x16

#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

einsum.program @gcn(%A: tensor<?x?xf32, #csr>, %X: tensor<?x?xf32>,
                    %W: tensor<?x?xf32>) {
  %T = einsum.statement (j, k) += %X(j, f) * %W(f, k)
    : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %H = einsum.statement (i, k) += %A(i, j) * %T(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %H : tensor<?x?xf32>
}
