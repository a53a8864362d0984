// A result beyond memory is refused before anything computes.
// RUN: %expect 3 heddle run %s --view a=1000000000 --view b=1000000000 --pattern a=empty --pattern b=one
// expect: heddle: error: there is no memory for 1000000000000000000 elements of 4 bytes [einsum-run]
#list = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
einsum.program @outer(%a: tensor<?xf32, #list>, %b: tensor<?xf32, #list>) {
  %C = einsum.statement (i, j) += %a(i) * %b(j)
    : tensor<?xf32, #list>, tensor<?xf32, #list> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
