// A sum over an index with copies is made in these, and then of what they have; in a workspace of several
// levels it stays whole, and gets what the copies made in the order of one.
// RUN: heddle compile %s --emit=flow | FileCheck %s

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!graph = tensor<?x?xf32, #csr>
// Fibers: the smaller of what the copies found; a copy without any counts as infinity.
// CHECK-LABEL: flow.graph @fibers
// CHECK: flow.reduce %{{.*}} per %[[ROWS:.*]] {
// CHECK: arith.minimumf
// CHECK: flow.reduce %{{.*}} per %[[ROWS]] {
// CHECK: %[[LEAST:.*]] = flow.compute(%{{.*}}, %{{.*}}) absent 0x7FF0000000000000
// CHECK: arith.minimumf
// CHECK-NOT: flow.collect
// CHECK: flow.write "y"(%[[ROWS]]) values %[[LEAST]]
einsum.program @fibers(%A: !graph, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * %x(j) over "min-plus" : !graph, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
einsum.plan @fibers {
  einsum.streams "y" order ["i", "j"] parallel ["j"] by [2] region 0
}
// A workspace of one level: the copies' coordinates meet.
// CHECK-LABEL: flow.graph @rows
// CHECK: %[[SUM0:.*]], %[[COLUMN0:.*]] = flow.reduce %{{.*}} keys(
// CHECK: -> (!flow.stream<f32 [A.i, C.j$0]>, !flow.stream<crd [A.i, C.j$0]>)
// CHECK: %[[SUM1:.*]], %[[COLUMN1:.*]] = flow.reduce %{{.*}} keys(
// CHECK: -> (!flow.stream<f32 [A.i, C.j$1]>, !flow.stream<crd [A.i, C.j$1]>)
// CHECK: %[[COLUMNS:.*]], %[[SUMS:.*]]:2 = flow.join "union"(%[[COLUMN0]], %[[COLUMN1]]) carrying(%[[SUM0]], %[[SUM1]]) groups [1, 1]
// CHECK: %[[ALL:.*]] = flow.compute(%[[SUMS]]#0, %[[SUMS]]#1) absent 0.000000e+00
// CHECK: flow.write "C"(%{{.*}}, %[[COLUMNS]]) values %[[ALL]]
einsum.program @rows(%A: !graph, %B: !graph) {
  %C = einsum.statement (i, j) += %A(i, k) * %B(k, j) : !graph, !graph -> !graph
  einsum.return %C : !graph
}
einsum.plan @rows {
  einsum.streams "C" order ["i", "k", "j"] parallel ["k"] by [2] region 0
}
// Of two levels: collected in the order of one copy.
// CHECK-LABEL: flow.graph @outer
// CHECK-COUNT-3: flow.collect
// CHECK: flow.reduce %{{.*}} keys(%{{.*}}, %{{.*}})
// CHECK-NOT: flow.reduce
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
einsum.program @outer(%A: tensor<?x?xf32, #csc>, %B: !graph) {
  %C = einsum.statement (i, j) += %A(i, k) * %B(k, j) : tensor<?x?xf32, #csc>, !graph -> !graph
  einsum.return %C : !graph
}
einsum.plan @outer {
  einsum.streams "C" order ["k", "i", "j"] parallel ["k"] by [2] region 0
}
