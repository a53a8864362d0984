// RUN: heddle-opt %s --sched-expand | FileCheck %s

// The process keeps the tile of one instance and stores it under the next one's
// first product, if there was one before; the last tile behind the loop, where its
// offset is known from the beginning. Where the loop has no iterations, nothing runs
// to come under, and the store is not lost.

// CHECK-LABEL: tile.kernel @k
// CHECK: aref.process "load"
// CHECK-NOT: tile.store
// CHECK: aref.process "mma"
// CHECK:   %[[ANY:.*]] = arith.cmpi slt, %[[W:.*]], %[[N:.*]] : index
// CHECK:   %[[LAST:.*]] = scf.if %[[ANY]] -> (index) {
// CHECK:     %[[WAY:.*]] = arith.subi %[[N]], %[[W]]
// CHECK:     %[[TRIPS:.*]] = arith.ceildivsi %[[WAY]], %[[WS:.*]] :
// CHECK:     %[[STEPS:.*]] = arith.muli %[[TRIPS]], %[[WS]]
// CHECK:     %[[END:.*]] = arith.addi %[[W]], %[[STEPS]]
// CHECK:     %[[NUMBER:.*]] = arith.subi %[[END]], %[[WS]]
// CHECK:     %[[SAFE:.*]] = arith.maxsi %[[NUMBER]], %[[W]]
// CHECK:     %[[LASTROW:.*]] = arith.muli %[[SAFE]], %{{.*}}
// CHECK:     scf.yield %[[LASTROW]]
// CHECK:   } else {
// CHECK:     %[[NONE:.*]] = arith.constant 0 : index
// CHECK:     scf.yield %[[NONE]]
// CHECK:   %[[NOTHING:.*]] = tile.splat %{{.*}} : f16 -> tensor<64x64xf16>
// CHECK:   %[[ALL:.*]]:2 = scf.for %[[I:.*]] = %[[W]] to %[[N]] step %[[WS]] iter_args(%[[LEFT:.*]] = %[[NOTHING]], %{{.*}} = %{{.*}})
// CHECK:     scf.if
// CHECK:       aref.start "tensor"
// CHECK:       %[[IS:.*]] = arith.cmpi ne, %[[I]], %[[W]]
// CHECK:       scf.if %[[IS]] {
// CHECK:         %[[BACK:.*]] = arith.subi %[[I]], %[[WS]]
// CHECK:         %[[BEFORE:.*]] = arith.maxsi %[[BACK]], %[[W]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[BEFORE]], %{{.*}}
// CHECK:         tile.store %[[LEFT]], %{{.*}}[%[[ROW]], %{{.*}}]
// CHECK:       } {aref.late}
// CHECK:       scf.for
// CHECK-NOT:   tile.store
// CHECK:     } else {
// CHECK:       scf.if
// CHECK:         tile.store %[[LEFT]]
// CHECK:       } {aref.late}
// CHECK:     }
// CHECK-NOT: tile.store
// CHECK:     %[[CAST:.*]] = tile.cast
// CHECK:     scf.yield %[[CAST]], %{{.*}}
// CHECK:   %[[SOME:.*]] = arith.cmpi slt, %[[W]], %[[N]]
// CHECK:   scf.if %[[SOME]] {
// CHECK-NEXT: tile.store %[[ALL]]#0, %{{.*}}[%[[LAST]], %{{.*}}]
// CHECK:   } {aref.late}
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %w = tile.worker_id : index
  %ws = tile.worker_count : index
  scf.for %i = %w to %n step %ws {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %j] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %x, %s {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {sched.loop = "loop"}
    %o = tile.cast %acc {sched.op = "cast"} : tensor<64x64xf32> -> tensor<64x64xf16>
    tile.store %o, %c[%row, %c0] {sched.op = "store"} : tensor<64x64xf16>, !tile.view<?x?xf16>
  } {sched.loop = "tiles"}
}
sched.plan @k {
  sched.process "load" warps 4 registers 40
  sched.process "mma" warps 4 registers 232
  sched.ring "r" depth 3
  sched.table "tiles" ii 0 {
    sched.entry "cast" on "alu" start 0 latency 0 in "mma"
    sched.entry "store" on "store" start 0 latency 0 in "mma" late
  }
  sched.table "loop" ii 128 {
    sched.entry "a" on "tma" start 0 latency 800 in "load" via "r"
    sched.entry "dot" on "tensor" start 900 latency 200 in "mma"
  }
}
