// The elements of an operand, in the order of other axes: rows are counted, then each element goes
// to the end of its row (count-scatter).
// RUN: heddle run %s --view A=30x40 --view u=40 --view T=5x6x7 --plan=all --interpret | FileCheck %s --check-prefix=ALL
// RUN: heddle run %s --view A=30x40 --view u=40 --view T=5x6x7 --pattern A=skewed --density A=0.3 | FileCheck %s
// RUN: heddle run %s --view A=30x40 --view u=40 --view T=5x6x7 --pattern A=full --plan=all | FileCheck %s --check-prefix=ALL
// RUN: heddle run %s --view A=30x40 --view u=40 --view T=5x6x7 --pattern A=empty --plan=all | FileCheck %s --check-prefix=ALL
// RUN: heddle run %s --view A=30x40 --view u=40 --view T=5x6x7 --pattern A=one --plan=all | FileCheck %s --check-prefix=ALL
// RUN: heddle run %s --view A=0x40 --view u=40 --view T=5x6x7 --plan=all | FileCheck %s --check-prefix=ALL
// RUN: heddle run %s --view A=30x0 --view u=0 --view T=5x0x7 --plan=all | FileCheck %s --check-prefix=ALL
// RUN: heddle compile %s --emit=einsum -o - | FileCheck %s --check-prefix=PLAN
// RUN: heddle compile %s --emit=tile -o - | FileCheck %s --check-prefix=TILE
// ALL: program turned: {{[0-9]+}} plans, all right, each with the same bits for any workers
// CHECK: C (30x40xf64): {{[0-9]+}} elements, equal to the oracle; right
// CHECK: D (40x30xf64): {{[0-9]+}} elements, {{.*}}right
// CHECK: V (40xf64): {{[0-9]+}} elements, equal to the oracle; right
// CHECK: E (5x6x7xf64): {{[0-9]+}} elements, equal to the oracle; right
// PLAN: einsum.nest "C" {{.*}} parallel "" {{.*}} into "memory" assemble "count-scatter"
// TILE: tile.launch @turned_C_count
// TILE: tile.launch @turned_C_sum
// TILE: tile.read
// TILE: tile.launch @turned_C_scatter
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32 }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed), posWidth = 32, crdWidth = 64 }>
#vector = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#list = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton) }>
#rows = #sparse_tensor.encoding<{ map = (i, j, k) -> (k : dense, i : dense, j : compressed) }>
einsum.program @turned(%A: tensor<?x?xf64, #csr>, %u: tensor<?xf64, #vector>, %T: tensor<?x?x?xf64, #list>) {
  %C = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #csc>
  %D = einsum.statement (j, i) += 0.5 * %C(i, j) then tanh : tensor<?x?xf64, #csc> -> tensor<?x?xf64, #csr>
  %V = einsum.statement (j) += %u(j) then relu : tensor<?xf64, #vector> -> tensor<?xf64, #vector>
  %E = einsum.statement (i, j, k) += %T(i, j, k) : tensor<?x?x?xf64, #list> -> tensor<?x?x?xf64, #rows>
  einsum.return %C, %D, %V, %E : tensor<?x?xf64, #csc>, tensor<?x?xf64, #csr>, tensor<?xf64, #vector>, tensor<?x?x?xf64, #rows>
}
