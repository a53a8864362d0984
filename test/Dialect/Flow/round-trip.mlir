// Graphs of streams are read as they are written.
// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s

#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>

// CHECK: flow.graph @p(%A: tensor<?x?xf64, #{{.*}}>, %x: tensor<?xf64>)
flow.graph @p(%A: tensor<?x?xf64, #dcsr>, %x: tensor<?xf64>) {
  // CHECK: flow.root : !flow.stream<ref []>
  %r = flow.root : !flow.stream<ref []>
  // CHECK: flow.scan %A level 0 of %{{.*}} : ({{.*}}) -> (!flow.stream<crd [i]>, !flow.stream<ref [i]>)
  %ci, %ri = flow.scan %A level 0 of %r
    : (tensor<?x?xf64, #dcsr>, !flow.stream<ref []>) -> (!flow.stream<crd [i]>, !flow.stream<ref [i]>)
  %cj, %rj = flow.scan %A level 1 of %ri
    : (tensor<?x?xf64, #dcsr>, !flow.stream<ref [i]>) -> (!flow.stream<crd [i, j]>, !flow.stream<ref [i, j]>)
  // CHECK: flow.repeat %{{.*}} over %{{.*}} : (!flow.stream<ref []>, !flow.stream<crd [i]>) -> !flow.stream<ref [i]>
  %x0 = flow.repeat %r over %ci : (!flow.stream<ref []>, !flow.stream<crd [i]>) -> !flow.stream<ref [i]>
  %ck, %rk = flow.scan %x level 0 of %x0
    : (tensor<?xf64>, !flow.stream<ref [i]>) -> (!flow.stream<crd [i, k]>, !flow.stream<ref [i, k]>)
  // CHECK: flow.join "union"(%{{.*}}, %{{.*}}) carrying(%{{.*}}, %{{.*}}) groups [1, 1]
  %cm, %am, %xm = flow.join "union" (%cj, %ck) carrying (%rj, %rk) groups [1, 1]
    : (!flow.stream<crd [i, j]>, !flow.stream<crd [i, k]>, !flow.stream<ref [i, j]>, !flow.stream<ref [i, k]>)
      -> (!flow.stream<crd [i, m]>, !flow.stream<ref [i, m]>, !flow.stream<ref [i, m]>)
  // CHECK: flow.values %A of
  %av = flow.values %A of %am : (tensor<?x?xf64, #dcsr>, !flow.stream<ref [i, m]>) -> !flow.stream<f64 [i, m]>
  %xv = flow.values %x of %xm : (tensor<?xf64>, !flow.stream<ref [i, m]>) -> !flow.stream<f64 [i, m]>
  // CHECK: flow.compute(%{{.*}}, %{{.*}}) absent 0.000000e+00
  %s = flow.compute (%av, %xv) absent 0.0 {
  ^bb0(%a: f64, %b: f64):
    %m = arith.maximumf %a, %b : f64
    flow.yield %m : f64
  } : (!flow.stream<f64 [i, m]>, !flow.stream<f64 [i, m]>) -> !flow.stream<f64 [i, m]>
  // CHECK: flow.compute(%{{.*}}) absent 1.000000e+00 always
  %f = flow.compute (%s) absent 1.0 always {
  ^bb0(%a: f64):
    flow.yield %a : f64
  } : (!flow.stream<f64 [i, m]>) -> !flow.stream<f64 [i, m]>
  // CHECK: flow.reduce %{{.*}} per %{{.*}} {
  %t = flow.reduce %s per %ci {
  ^bb0(%a: f64, %b: f64):
    %m = arith.addf %a, %b : f64
    flow.yield %m : f64
  } : (!flow.stream<f64 [i, m]>, !flow.stream<crd [i]>) -> !flow.stream<f64 [i]>
  // CHECK: flow.reduce %{{.*}} keys(%{{.*}}) {
  %u, %cu = flow.reduce %s keys (%cm) {
  ^bb0(%a: f64, %b: f64):
    %m = arith.addf %a, %b : f64
    flow.yield %m : f64
  } : (!flow.stream<f64 [i, m]>, !flow.stream<crd [i, m]>) -> (!flow.stream<f64 [u]>, !flow.stream<crd [u]>)
  // CHECK: flow.write "y"(%{{.*}}) values %{{.*}} shape(%A) axes [0] zero 1.000000e+00
  %y = flow.write "y" (%ci) values %t shape (%A) axes [0] zero 1.0
    : (!flow.stream<crd [i]>, !flow.stream<f64 [i]>, tensor<?x?xf64, #dcsr>) -> tensor<?xf64>
  %z = flow.write "z" (%cu) values %u shape (%x) axes [0]
    : (!flow.stream<crd [u]>, !flow.stream<f64 [u]>, tensor<?xf64>) -> tensor<?xf64>
  // CHECK: flow.return %{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?xf64>
  flow.return %y, %z : tensor<?xf64>, tensor<?xf64>
}

// CHECK: flow.graph @copies
flow.graph @copies(%A: tensor<?x?xf64, #dcsr>) {
  %r = flow.root : !flow.stream<ref []>
  %ci, %ri = flow.scan %A level 0 of %r
    : (tensor<?x?xf64, #dcsr>, !flow.stream<ref []>) -> (!flow.stream<crd [i]>, !flow.stream<ref [i]>)
  // CHECK: %[[SHARES:.*]]:2 = flow.fork %{{.*}} chunk 3 : (!flow.stream<ref [i]>) -> (!flow.stream<ref [i$0]>, !flow.stream<ref [i$1]>)
  %r0, %r1 = flow.fork %ri chunk 3 : (!flow.stream<ref [i]>) -> (!flow.stream<ref [i$0]>, !flow.stream<ref [i$1]>)
  %cj0, %rj0 = flow.scan %A level 1 of %r0
    : (tensor<?x?xf64, #dcsr>, !flow.stream<ref [i$0]>) -> (!flow.stream<crd [i$0, j$0]>, !flow.stream<ref [i$0, j$0]>)
  %cj1, %rj1 = flow.scan %A level 1 of %r1
    : (tensor<?x?xf64, #dcsr>, !flow.stream<ref [i$1]>) -> (!flow.stream<crd [i$1, j$1]>, !flow.stream<ref [i$1, j$1]>)
  %v0 = flow.values %A of %rj0 : (tensor<?x?xf64, #dcsr>, !flow.stream<ref [i$0, j$0]>) -> !flow.stream<f64 [i$0, j$0]>
  %v1 = flow.values %A of %rj1 : (tensor<?x?xf64, #dcsr>, !flow.stream<ref [i$1, j$1]>) -> !flow.stream<f64 [i$1, j$1]>
  // Streams that stand side by side are collected one by one, into one space.
  // CHECK: flow.collect(%{{.*}}, %{{.*}}) per %{{.*}} chunk 3
  %cj = flow.collect (%cj0, %cj1) per %ci chunk 3
    : (!flow.stream<crd [i$0, j$0]>, !flow.stream<crd [i$1, j$1]>, !flow.stream<crd [i]>) -> !flow.stream<crd [i, j]>
  %v = flow.collect (%v0, %v1) per %ci chunk 3
    : (!flow.stream<f64 [i$0, j$0]>, !flow.stream<f64 [i$1, j$1]>, !flow.stream<crd [i]>) -> !flow.stream<f64 [i, j]>
  %B = flow.write "B" (%ci, %cj) values %v shape (%A, %A) axes [0, 1]
    : (!flow.stream<crd [i]>, !flow.stream<crd [i, j]>, !flow.stream<f64 [i, j]>, tensor<?x?xf64, #dcsr>, tensor<?x?xf64, #dcsr>) -> tensor<?x?xf64, #dcsr>
  flow.return %B : tensor<?x?xf64, #dcsr>
}
