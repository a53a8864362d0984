// A result that the machine has no memory for is refused before it is allocated.
// RUN: %expect 3 heddle run %s --view=a=10000000 --view=b=50000000 --pattern=a=one --pattern=b=one
// expect: heddle: error: there is no memory for 500000000000000 elements of 4 bytes [einsum-run]
#list = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
!vector = tensor<?xf32, #list>
einsum.program @outer(%a: !vector, %b: !vector) {
  %C = einsum.statement (i, j) += %a(i) * %b(j) : !vector, !vector -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
