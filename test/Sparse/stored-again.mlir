// Rows of one operand meet columns of another, or lists meet: what no order of loops walks as it is
// stored is stored again, in a statement that the text shows, and only as often as needed.
// RUN: heddle run %s --view A=30x40 --view B=30x40 --view D=30x9 --view x=40 2> %t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=%t.said
// RUN: heddle run %s --view A=30x40 --view B=30x40 --view D=30x9 --view x=40 --plan=random --seed=4 --interpret 2> %t.said | FileCheck %s
// RUN: heddle run %s --view A=30x40 --view B=30x40 --view D=30x9 --view x=40 --pattern A=skewed --pattern B=full | FileCheck %s
// RUN: heddle run %s --view A=0x40 --view B=0x40 --view D=0x9 --view x=40 | FileCheck %s
// RUN: heddle explain %s --view A=30x40 --view B=30x40 --view D=30x9 --view x=40 | FileCheck %s --check-prefix=EXPLAIN
// RUN: heddle compile %s --emit=einsum -o %t.mlir
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.mlir
// RUN: heddle run %t.mlir --view A=30x40 --view B=30x40 --view D=30x9 --view x=40 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK: y ({{[0-9]+}}xf32): {{.*}}right
// CHECK: S ({{[0-9]+}}x40xf32): {{[0-9]+}} elements, {{.*}}right
// CHECK: T (9x40xf32): {{.*}}right
// CHECK: U ({{[0-9]+}}x40xf32): {{.*}}right
// CHECK: the same bits with 2 workers

// SAID: remark: B is stored again by i first, as B_by_i, at each run: {{.*}}the other way round [einsum-stored-again]
// SAID: remark: A is stored again by j first, as A_by_j, at each run: {{.*}}the other way round [einsum-stored-again]
// SAID-NOT: remark:

// What needs nothing has nothing; two statements read what was stored once.
// TEXT: einsum.program
// TEXT-NEXT: %y = einsum.statement (i) += %A(i, j) * %x(j)
// TEXT-NEXT: %[[B:B_by_i]] = einsum.statement (i, j) += %B(i, j)
// TEXT-NEXT: %S = einsum.statement (i, j) += %A(i, j) * %[[B]](i, j)
// TEXT-NEXT: %T = einsum.statement (k, j) += %D(i, k) * %A(i, j) * %[[B]](i, j)
// TEXT-NEXT: %[[C:A_by_j]] = einsum.statement (i, j) += %A(i, j) over "min-plus"
// TEXT-NEXT: %U = einsum.statement (i, j) += %[[C]](i, j) * %B(i, j) over "min-plus"
// TEXT: einsum.nest "B_by_i"
// AGAIN-NOT: remark
// AGAIN: the same bits with 2 workers

// EXPLAIN: B_by_i, term 0
// EXPLAIN: assemble count-

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
einsum.program @again(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csc>, %D: tensor<?x?xf32>, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * %x(j) : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  %S = einsum.statement (i, j) += %A(i, j) * %B(i, j) : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csc> -> tensor<?x?xf32, #csr>
  %T = einsum.statement (k, j) += %D(i, k) * %A(i, j) * %B(i, j)
    : tensor<?x?xf32>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csc> -> tensor<?x?xf32>
  %U = einsum.statement (i, j) += %A(i, j) * %B(i, j) over "min-plus"
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csc> -> tensor<?x?xf32>
  einsum.return %S, %T, %U, %y : tensor<?x?xf32, #csr>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>
}
