// A graph network of two layers: neighbours are added up, multiplied with
// weights, a bias is added, then relu; the second layer ends in a softmax over
// the classes of each node.
//
//   heddle run examples/sparse/gcn_two_layers.mlir --view A=300x300 --view X=300x50
//     --view V=50x16 --view b=16 --view W=16x7 --view c=7 --density X=0.1
//   heddle simulate examples/sparse/gcn_two_layers.mlir --view A=34x34 --view X=34x24
//     --view V=24x16 --view b=16 --view W=16x4 --view c=4 --density A=0.13
//     --density X=0.3 --order=timed --regions=0,0,1,1,1,1,1,1

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!graph = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
!row = tensor<?xf32>

einsum.program @gcn_two_layers(%A: !graph, %X: !graph, %V: !dense, %b: !row,
                               %W: !dense, %c: !row) {
  %T = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !graph, !graph -> !graph
  %H = einsum.statement (i, g) += %T(i, f) * %V(f, g) + %b(g) then relu
    : !graph, !dense, !row -> !dense
  %U = einsum.statement (i, g) += %A(i, j) * %H(j, g) : !graph, !dense -> !graph
  %Z = einsum.statement (i, k) += %U(i, g) * %W(g, k) + %c(k)
    : !graph, !dense, !row -> !dense
  %m = einsum.statement (i) += %Z(i, k) over "max-plus" : !dense -> !row
  %E = einsum.statement (i, k) += %Z(i, k) - %m(i) then exp : !dense, !row -> !dense
  %d = einsum.statement (i) += %E(i, k) : !dense -> !row
  %Y = einsum.statement (i, k) += %E(i, k) * reciprocal(%d(i)) : !dense, !row -> !dense
  einsum.return %Y : !dense
}
