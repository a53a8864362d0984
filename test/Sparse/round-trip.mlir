// Statements, formats and plans are read as they are written.
// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s

// CHECK-DAG: #[[CSR:.*]] = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
#csr = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}>

// CHECK: einsum.program @p(%A: tensor<?x?xf32, #[[CSR]]>, %B: tensor<?x?xf32>)
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  // CHECK: %C = einsum.statement (i, k) += %A(i, j) * %B(j, k) + %B(i, k) over "max-plus"
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k) + %B(i, k) over "max-plus"
    : tensor<?x?xf32, #csr>, tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  // CHECK: %D = einsum.statement (i, k) += %A(i, j) * exp(neg(%B(j, k))) - 5.000000e-01 * %C(i, k) - %B(i, k) where %A(i, k) then relu, exp : tensor<?x?xf32, #[[CSR]]>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32, #[[CSR]]> -> tensor<?x?xf32, #[[CSR]]>
  %D = einsum.statement (i, k) += 1.0 * %A(i, j) * exp(neg(%B(j, k))) - 0.5 * %C(i, k) + -1.0 * %B(i, k) where %A(i, k) then relu, exp
    : tensor<?x?xf32, #csr>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  // CHECK: einsum.statement (i, k) += - 2.000000e+00 * %B(i, k) where %A(i, k) then tanh : tensor<?x?xf32>, tensor<?x?xf32, #[[CSR]]> -> tensor<?x?xf32>
  %E = einsum.statement (i, k) += - 2.0 * %B(i, k) where %A(i, k) then tanh
    : tensor<?x?xf32>, tensor<?x?xf32, #csr> -> tensor<?x?xf32>
  // CHECK: einsum.return %C : tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}

// CHECK: einsum.plan @p {
einsum.plan @p {
  // CHECK: einsum.nest "C" term 0 order ["i", "j", "k"] loops ["dense", "walk A", "dense"] parallel "i" chunk 8 vector "k" width 16 into "registers" assemble "none" because {order = "a reason"}
  einsum.nest "C" term 0 order ["i", "j", "k"] loops ["dense", "walk A", "dense"]
    parallel "i" chunk 8 vector "k" width 16 into "registers" assemble "none"
    because {order = "a reason"}
}

// CHECK: tile.kernel @k(
tile.kernel @k(%n: index) {
  // CHECK: tile.scratch %n : !tile.ptr<f32>
  %s = tile.scratch %n : !tile.ptr<f32>
}

// CHECK: tile.program @q(%x: !tile.ptr<i32>, %n: index) {
tile.program @q(%x: !tile.ptr<i32>, %n: index) {
  // CHECK: %[[M:.*]] = tile.read %x[%n] : !tile.ptr<i32>
  %m = tile.read %x[%n] : !tile.ptr<i32>
  // CHECK: tile.limit %[[M]] to 7 for "rows"
  tile.limit %m to 7 for "rows"
  // CHECK: %[[A:.*]] = tile.allocate %[[M]] zeroed : !tile.ptr<f32>
  %a = tile.allocate %m zeroed : !tile.ptr<f32>
  // CHECK: tile.launch @k(%n) : index
  tile.launch @k(%n) : index
  // CHECK: tile.give ["a"] : %[[A]] counts %[[M]] : !tile.ptr<f32>
  tile.give ["a"] : %a counts %m : !tile.ptr<f32>
}
