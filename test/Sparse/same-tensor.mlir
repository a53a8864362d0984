// A tensor may stand in a term twice, and be its mask, too. Positions are then those of the access
// with the result's indices.
// RUN: heddle run %s --view A=9x9 --view D=9x9 --density A=0.3 --interpret | FileCheck %s
// CHECK: S ({{.*}}; right
// CHECK: P ({{.*}}; right
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!d = tensor<?x?xf32>
!m = tensor<?x?xf32, #csr>
einsum.program @same(%A: !m, %D: !d) {
  %S = einsum.statement (i, j) += %A(i, k) * %D(k, j) where %A(i, j) then exp : !m, !d, !m -> !m
  %P = einsum.statement (j, i) += %A(i, k) * %D(k, j) where %A(j, i) : !m, !d, !m -> !m
  einsum.return %S, %P : !m, !m
}
