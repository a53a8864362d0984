// RUN: heddle-opt %s --sched-expand | FileCheck %s

// The release of iteration k stands after the dot of iteration k + 1: one dot
// stays in flight, and iteration 0 is peeled.

// CHECK-LABEL: tile.kernel @k
// CHECK: %[[R:.*]] = aref.ring "ab" depth 3
// CHECK: aref.process "load" warps 4 registers 40
// CHECK:   scf.for {{.*}} iter_args(%[[TURN:.*]] = %{{.*}}) -> (!aref.turn)
// CHECK:     %[[TOK:[a-z0-9_]+]], %[[NEXT:.*]] = aref.acquire %[[R]][%[[TURN]]]
// CHECK:     tile.load
// CHECK:     tile.load
// CHECK:     aref.publish %[[R]][%[[TOK]]]
// CHECK:     scf.yield %[[NEXT]]
// CHECK: aref.process "mma" warps 4 registers 232
// CHECK:   scf.if %{{.*}} -> (tensor<64x64xf32>, !aref.turn)
// CHECK:     %[[T0:[a-z0-9_]+]], %[[N0:[a-z0-9_]+]], %{{.*}} = aref.get
// CHECK:     %[[F0:.*]] = aref.start "tensor"
// CHECK:     scf.for {{.*}} iter_args(%[[TP:.*]] = %[[T0]], %[[FP:.*]] = %[[F0]], %{{.*}} = %[[N0]])
// CHECK:       %[[T1:[a-z0-9_]+]], %{{.*}} = aref.get
// CHECK:       %[[F1:.*]] = aref.start "tensor" ({{.*}} = %[[FP]] : !aref.flight<tensor<64x64xf32>>)
// CHECK:       %[[V:.*]] = aref.await %[[FP]] pending 1
// CHECK:       aref.release %[[R]][%[[TP]]] after %[[V]]
// CHECK:       scf.yield %[[T1]], %[[F1]]
// CHECK:     %[[LAST:.*]] = aref.await {{.*}} pending 0
// CHECK:     aref.release {{.*}} after %[[LAST]]
// CHECK:     scf.yield %[[LAST]]
// CHECK:   else
// CHECK:     scf.yield
// CHECK:   tile.store
// CHECK-NOT: sched.plan
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %acc = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] {sched.op = "b"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %s {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {sched.loop = "k"}
  tile.store %acc, %c[%c0, %c0] {sched.op = "store"} : tensor<64x64xf32>, !tile.view<?x?xf32>
}
sched.plan @k {
  sched.process "load" warps 4 registers 40
  sched.process "mma" warps 4 registers 232
  sched.ring "ab" depth 3
  sched.table "k" ii 128 {
    sched.entry "a" on "tma" start 0 latency 500 in "load" via "ab"
    sched.entry "b" on "tma" start 64 latency 500 in "load" via "ab"
    sched.entry "dot" on "tensor" start 700 latency 192 in "mma"
  }
  sched.table "" ii 0 {
    sched.entry "store" on "store" start 0 latency 0 in "mma"
  }
}
