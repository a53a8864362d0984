// What lies below an index stands there several times, behind forks, and each copy writes its part of the tensor; the plan says so.
// RUN: heddle compile %s --emit=flow | FileCheck %s
// RUN: heddle compile %s --emit=flow -o %t.mlir
// RUN: heddle compile %t.mlir --emit=flow | FileCheck %s

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!graph = tensor<?x?xf32, #csr>
einsum.program @product(%A: !graph, %x: tensor<?xf32>) {
  %R = einsum.statement (i, j) += %A(i, j) * %x(j) : !graph, tensor<?xf32> -> !graph
  einsum.return %R : !graph
}
// CHECK: einsum.streams "R" order ["i", "j"] parallel ["i"] by [2] chunks [3] region 0
einsum.plan @product {
  einsum.streams "R" order ["i", "j"] parallel ["i"] by [2] chunks [3] region 0
}
// CHECK: flow.graph @product
// CHECK: %[[CRD:.*]], %[[BELOW:.*]] = flow.scan %A level 0
// The references of A are dealt out. Those of x are one, repeated along the coordinates of each share.
// CHECK-DAG: flow.fork %[[BELOW]] chunk 3 : (!flow.stream<ref [A.i]>) -> (!flow.stream<ref [A.i$0]>, !flow.stream<ref [A.i$1]>)
// CHECK-DAG: flow.fork %[[CRD]] chunk 3 : (!flow.stream<crd [A.i]>) -> (!flow.stream<crd [A.i$0]>, !flow.stream<crd [A.i$1]>)
// CHECK: flow.repeat %{{.*}} over %{{.*}} : (!flow.stream<ref []>, !flow.stream<crd [A.i$0]>)
// CHECK: flow.repeat %{{.*}} over %{{.*}} : (!flow.stream<ref []>, !flow.stream<crd [A.i$1]>)
// CHECK: %[[COLUMNS0:.*]], %{{.*}} = flow.scan %A level 1 of {{.*}} -> (!flow.stream<crd [A.i$0, A.j$0]>
// CHECK: %[[COLUMNS1:.*]], %{{.*}} = flow.scan %A level 1 of {{.*}} -> (!flow.stream<crd [A.i$1, A.j$1]>
// CHECK: %[[VALUES0:.*]] = flow.compute
// CHECK: %[[VALUES1:.*]] = flow.compute
// CHECK-NOT: flow.collect
// CHECK: flow.write "R"(%[[ROWS0:.*]], %[[COLUMNS0]], %[[ROWS1:.*]], %[[COLUMNS1]]) values %[[VALUES0]], %[[VALUES1]] shape
// CHECK-SAME: (!flow.stream<crd [A.i$0]>, !flow.stream<crd [A.i$0, A.j$0]>, !flow.stream<crd [A.i$1]>, !flow.stream<crd [A.i$1, A.j$1]>, !flow.stream<f32 [A.i$0, A.j$0]>, !flow.stream<f32 [A.i$1, A.j$1]>
