// d(i) = the least of A(i, j) + x(j): a step of shortest paths, over the semiring
// of minimum and plus. What A does not store is infinitely far. A is a list of
// edges: a row and a column for each.
//
//   heddle run examples/sparse/shortest_paths.mlir --view A=300x300 --view x=300

#coo = #sparse_tensor.encoding<{
  map = (i, j) -> (i : compressed(nonunique), j : singleton)
}>

einsum.program @shortest_paths(%A: tensor<?x?xf64, #coo>, %x: tensor<?xf64>) {
  %d = einsum.statement (i) += %A(i, j) * %x(j) over "min-plus"
    : tensor<?x?xf64, #coo>, tensor<?xf64> -> tensor<?xf64>
  einsum.return %d : tensor<?xf64>
}
