// RUN: heddle-opt %s --hopper-to-nvvm | FileCheck %s

// Indices are divided by what the host knows with reciprocals that a launch
// passes: by an extent, by the number of workers, and by the size of a group,
// the last of which has what is left of the total. A remainder is what the
// product with the quotient leaves.

// CHECK-LABEL: llvm.func @k(
// CHECK-SAME: %[[EXTENT:[a-z0-9]*]]: i64, %[[REST:[a-z0-9]*]]: i64, %[[WORKERS:[a-z0-9]*]]: i64)
// CHECK: elect.sync
// By the extent.
// CHECK: %[[TWICE:.*]] = llvm.add %[[NUMBER:.*]], %[[NUMBER]] : i32
// CHECK: %[[TIMES:.*]] = llvm.trunc %[[EXTENT]] : i64 to i32
// CHECK: %[[HIGH:.*]] = llvm.call_intrinsic "llvm.nvvm.mulhi.ui"(%[[TWICE]], %[[TIMES]])
// CHECK: %[[ABOVE:.*]] = llvm.lshr %[[EXTENT]], %{{.*}} : i64
// CHECK: %[[SHIFT:.*]] = llvm.trunc %[[ABOVE]] : i64 to i32
// CHECK: %[[QUOTIENT:.*]] = llvm.lshr %[[HIGH]], %[[SHIFT]] : i32
// CHECK: %[[WHOLE:.*]] = llvm.mul %[[QUOTIENT]],
// CHECK: llvm.sub %[[NUMBER]], %[[WHOLE]] : i32
// By the workers.
// CHECK: llvm.trunc %[[WORKERS]] : i64 to i32
// CHECK: mulhi
// By the group's size.
// CHECK: %[[SIZE:.*]] = llvm.select
// CHECK: llvm.trunc %[[REST]] : i64 to i32
// CHECK: mulhi
// CHECK: %[[IS:.*]] = llvm.icmp "eq" %[[SIZE]],
// CHECK: %[[FULL:.*]] = llvm.udiv
// CHECK: llvm.select %[[IS]], %[[FULL]], %{{.*}} : i1, i32
// CHECK: cp.async.bulk.tensor
// By a constant, by a number of 64 bits and by what a loop counts.
// CHECK-NOT: mulhi
// CHECK: llvm.udiv %{{.*}}, %{{.*}} : i32
// CHECK-NOT: mulhi
// CHECK: llvm.udiv %{{.*}}, %{{.*}} : i64
// CHECK-NOT: mulhi
// CHECK: llvm.udiv %{{.*}}, %{{.*}} : i32
// CHECK-NOT: mulhi
// Threads that multiply divide beside their products.
// CHECK: elect.sync
// CHECK-NOT: mulhi
// CHECK: llvm.udiv %{{.*}}, %{{.*}} : i32
// CHECK-NOT: mulhi

!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>

hopper.kernel @k(%a: !tile.view<?x?xf16>, %bits: i64) source "k" threads 256 shared 8208 tma [0] {
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  %m = tile.dim %a, 1 : !tile.view<?x?xf16>
  %w = tile.worker_id : index
  %workers = tile.worker_count : index
  hopper.grid %n
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 4
  hopper.process "load" warps 0 + 4 registers 40 elected {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r = arith.remui %w, %m : index
    %round = arith.divui %r, %workers : index
    %before = arith.muli %round, %c4 : index
    %left = arith.subi %n, %before : index
    %size = arith.minui %left, %c4 : index
    %column = arith.divui %r, %size : index
    hopper.wait "r" "empty"[%c0] phase %c1
    hopper.expect "r"[%c0] bytes 8192
    %x = hopper.slot "r"[%c0] at 0 : !tile
    hopper.tma_load %a[%round, %column] to %x, "r"[%c0] : !tile.view<?x?xf16>, !tile
    %third = arith.divui %column, %c3 : index
    %wide = arith.index_castui %third : index to i64
    %part = arith.divui %wide, %bits : i64
    %far = arith.trunci %part : i64 to i32
    scf.for %i = %one to %c4 step %one {
      %q = arith.divui %third, %i : index
      %p = arith.index_castui %q : index to i32
      %s = arith.addi %p, %far : i32
      hopper.wait "r" "empty"[%c0] phase %s
    }
  }
  hopper.process "use" warps 4 + 4 registers 200 {
    %c0 = arith.constant 0 : i32
    %q = arith.divui %w, %m : index
    %s = arith.index_castui %q : index to i32
    hopper.wait "r" "full"[%c0] phase %s
    hopper.arrive "r" "empty"[%c0]
  }
}
