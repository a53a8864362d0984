// A product below a mask has the mask's elements, those that no product reaches among them, so its
// loops go over these first, and rows of one factor meet columns of the other. Where factors are not
// stored like that they are stored again; the mask is not, nor a factor that is the mask.
// RUN: heddle run %s --view A=12x12 --view B=12x9 --view M=12x9 --density A=0.2 --density B=0.2 --density M=0.3 --interpret 2> %t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=%t.said
// RUN: heddle run %s --view A=12x12 --view B=12x9 --view M=12x9 --pattern A=full --pattern B=skewed --pattern M=full --plan=random --seed=3 | FileCheck %s
// RUN: heddle run %s --view A=0x0 --view B=0x9 --view M=0x9 | FileCheck %s
// RUN: heddle run %s --view A=12x12 --view B=12x9 --view M=12x9 --pattern A=empty --pattern M=one | FileCheck %s

// CHECK: C ({{[0-9]+}}x9xf32): {{[0-9]+}} elements, {{.*}}right
// CHECK: D ({{[0-9]+}}x9xf32): {{[0-9]+}} elements, {{.*}}right
// CHECK: T ({{[0-9]+}}x{{[0-9]+}}xf32): {{[0-9]+}} elements, {{.*}}right
// CHECK: S ({{[0-9]+}}x{{[0-9]+}}xf32): {{[0-9]+}} elements, {{.*}}right

// SAID: remark: B is stored again by k first, as B_by_k, at each run: {{.*}}elements of the mask M may have none; a result with the format of the mask has its positions where the loops over its indices come first [einsum-stored-again]
// SAID: remark: A is stored again by j first, as A_by_j, at each run
// SAID-NOT: M_by

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!m = tensor<?x?xf32, #csr>
einsum.program @masked(%A: !m, %B: !m, %M: !m) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k) where %M(i, k) : !m, !m, !m -> !m
  %D = einsum.statement (i, k) += 2.0 * %M(i, k) - %A(i, j) * %B(j, k) where %M(i, k) then relu : !m, !m, !m, !m -> !m
  %T = einsum.statement (i, j) += %A(i, k) * %A(k, j) where %A(i, j) : !m, !m, !m -> !m
  %S = einsum.statement (i, j) += %A(i, j) * %A(i, k) * %A(k, j) where %A(i, j) : !m, !m, !m, !m -> !m
  einsum.return %C, %D, %T, %S : !m, !m, !m, !m
}
