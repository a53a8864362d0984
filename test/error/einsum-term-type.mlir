// A term that begins with the name of a type, where an operand was meant.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:43: error: a term begins with a number, a function or an operand, not with tensor<?xf32> [einsum-statement]
!graph = tensor<?x?xf32, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>
!row = tensor<?xf32>
einsum.program @turned(%A: !graph, %b: !row) {
  %d = einsum.statement (i) += %A(i, j) + !row(i) : !graph, !row -> !row
  einsum.return %d : !row
}
