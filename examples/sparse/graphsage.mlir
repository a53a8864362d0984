// A layer of GraphSAGE: the mean of a node's neighbours and the node itself
// have weights of their own. R is 1 over the number of neighbours; a node that
// has none has no mean.
//
//   heddle run examples/sparse/graphsage.mlir --view A=300x300 --view X=300x50
//     --view V=50x16 --view W=50x16 --view b=16
//   heddle simulate examples/sparse/graphsage.mlir --view A=34x34 --view X=34x24
//     --view V=24x16 --view W=24x16 --view b=16 --density A=0.13 --order=timed
//     --regions=0,1,1

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!graph = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
!row = tensor<?xf32>

einsum.program @graphsage(%A: !graph, %X: !graph, %V: !dense, %W: !dense, %b: !row) {
  %d = einsum.statement (i) += %A(i, j) : !graph -> !row
  %N = einsum.statement (i, f) += reciprocal(%d(i)) * %A(i, j) * %X(j, f)
    : !row, !graph, !graph -> !graph
  %H = einsum.statement (i, g) += %X(i, f) * %V(f, g) + %N(i, f) * %W(f, g) + %b(g) then relu
    : !graph, !dense, !graph, !dense, !row -> !dense
  einsum.return %H : !dense
}
