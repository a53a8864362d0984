// M would store elements of A or B that the other lacks; as a mask it says where C has elements.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:8: error: no order of the loops carries out term 0 of M; the last one tried: a later statement tells elements of M that no product reaches from missing ones, and B may have such; say `where` B stores an element [einsum-no-plan]
#list = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
!sparse = tensor<?x?xf32, #list>
einsum.program @p(%A: !sparse, %B: !sparse) {
  %M = einsum.statement (i, j) += %A(i, j) * %B(i, j) : !sparse, !sparse -> !sparse
  %C = einsum.statement (i, j) += %A(i, j) where %M(i, j) then exp : !sparse, !sparse -> !sparse
  einsum.return %C : !sparse
}
