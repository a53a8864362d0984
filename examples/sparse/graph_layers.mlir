// Two layers of a graph network without their functions: neighbours are added up, then
// multiplied with weights. How far to fuse is a choice: streams of one statement to the next
// save its tensor, but the rows of H are needed once for every neighbour, so fusing the
// layers computes them as often.
//
//   heddle run graph_layers.mlir --view A=34x34 --view X=34x24 --view V=24x16 --view W=16x4
//     --density A=0.13 --density X=0.3 --pattern V=full --pattern W=full
//
//   heddle simulate examples/sparse/graph_layers.mlir --view A=34x34 --view X=34x24
//     --view V=24x16 --view W=16x4 --density A=0.13 --density X=0.3 --pattern V=full
//     --pattern W=full --order=timed --regions=all

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!matrix = tensor<?x?xf64, #csr>

einsum.program @graph_layers(%A: !matrix, %X: !matrix, %V: !matrix, %W: !matrix) {
  %T = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !matrix, !matrix -> !matrix
  %H = einsum.statement (i, g) += %T(i, f) * %V(f, g) : !matrix, !matrix -> !matrix
  %U = einsum.statement (i, g) += %A(i, j) * %H(j, g) : !matrix, !matrix -> !matrix
  %O = einsum.statement (i, c) += %U(i, g) * %W(g, c) : !matrix, !matrix -> !matrix
  einsum.return %O : !matrix
}
