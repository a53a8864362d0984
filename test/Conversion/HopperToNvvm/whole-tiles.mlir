// RUN: heddle-opt %s --hopper-narrow-numbers --hopper-to-nvvm --split-input-file | FileCheck %s
// Loops whose copies begin with whole tiles have a loop of their own for these, in which
// addresses move on and nothing is asked; other loops stay as they are, with a chunk of a
// tile that is whole, one of a tile that may not be, and elements.

// CHECK-LABEL: llvm.func @moves(
// The beginning and the stride, once; then a chunk and the arrival behind each wait.
// CHECK: llvm.ptrtoint
// CHECK: nvvm.mbarrier.try_wait
// CHECK-NOT: llvm.{{ptrtoint|srem|sdiv}}
// CHECK: nvvm.cp.async.shared.global %{{[0-9]+}}, %{{[0-9]+}}, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT: llvm.cond_br
// CHECK: nvvm.cp.async.mbarrier.arrive
// As before, from there on.
// CHECK: nvvm.mbarrier.try_wait
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.wait.all
// CHECK-NOT: nvvm.cp.async.shared.global
!v = !tile.view<?x?xf16>
!tile = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @moves(%a: !tile.ptr<f16>, %list: !tile.ptr<i32>, %rows: i32, %stride: i32, %from: i32) source "moves" threads 128 shared 2064 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c0_i64 = arith.constant 0 : i64
  %c16_i64 = arith.constant 16 : i64
  %z = arith.constant 0 : i32
  %n = arith.index_cast %rows : i32 to index
  %s = arith.index_cast %stride : i32 to index
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 128 empty 2056 x 1
  hopper.process "copy" warps 0 + 4 registers 0 {
    scf.for %i = %c0 to %n step %c16 {
      hopper.wait "r" "empty"[%z] phase %z
      %w = arith.index_cast %i : index to i64
      %ws = arith.extsi %stride : i32 to i64
      %d = arith.muli %w, %ws : i64
      %p = tile.ptr_add %a, %d : !tile.ptr<f16>, i64
      %all = arith.extsi %rows : i32 to i64
      %left = arith.subi %all, %w : i64
      %few = arith.minsi %left, %c16_i64 : i64
      %some = arith.maxsi %few, %c0_i64 : i64
      %extent = arith.index_cast %some : i64 to index
      %view = tile.make_view %p, [%extent, %c64], [%s, %c1] : !tile.ptr<f16> -> !v
      %at = arith.constant 0 : index
      %t = hopper.slot "r"[%z] at 0 : !tile
      %f = hopper.copy %view[%at, %c0] to %t : !v, !tile -> i1
      hopper.arrive "r" "full"[%z] copies %f
    }
  }
}

// -----

// The same of a view that stays, in which the place moves.
// CHECK-LABEL: llvm.func @offset(
// The beginning and the stride, once; then a chunk and the arrival behind each wait.
// CHECK: llvm.ptrtoint
// CHECK: nvvm.mbarrier.try_wait
// CHECK-NOT: llvm.{{ptrtoint|srem|sdiv}}
// CHECK: nvvm.cp.async.shared.global %{{[0-9]+}}, %{{[0-9]+}}, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT: llvm.cond_br
// CHECK: nvvm.cp.async.mbarrier.arrive
// As before, from there on.
// CHECK: nvvm.mbarrier.try_wait
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.wait.all
// CHECK-NOT: nvvm.cp.async.shared.global
!v = !tile.view<?x?xf16>
!tile = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @offset(%a: !tile.ptr<f16>, %list: !tile.ptr<i32>, %rows: i32, %stride: i32, %from: i32) source "offset" threads 128 shared 2064 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c0_i64 = arith.constant 0 : i64
  %c16_i64 = arith.constant 16 : i64
  %z = arith.constant 0 : i32
  %n = arith.index_cast %rows : i32 to index
  %s = arith.index_cast %stride : i32 to index
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 128 empty 2056 x 1
  hopper.process "copy" warps 0 + 4 registers 0 {
    scf.for %i = %c0 to %n step %c16 {
      hopper.wait "r" "empty"[%z] phase %z
      %view = tile.make_view %a, [%n, %c64], [%s, %c1] : !tile.ptr<f16> -> !v
      %at = arith.addi %i, %c0 : index
      %t = hopper.slot "r"[%z] at 0 : !tile
      %f = hopper.copy %view[%at, %c0] to %t : !v, !tile -> i1
      hopper.arrive "r" "full"[%z] copies %f
    }
  }
}

// -----

// Whole tiles end where a quotient grows, and may begin there again: the division
// stands in front of the inner loops.
// CHECK-LABEL: llvm.func @again(
// The beginning and the stride, once; then a chunk and the arrival behind each wait.
// CHECK: llvm.ptrtoint
// CHECK: nvvm.mbarrier.try_wait
// CHECK-NOT: llvm.{{ptrtoint|srem|sdiv}}
// CHECK: nvvm.cp.async.shared.global %{{[0-9]+}}, %{{[0-9]+}}, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT: llvm.cond_br
// CHECK: nvvm.cp.async.mbarrier.arrive
// As before, from there on.
// CHECK: nvvm.mbarrier.try_wait
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.wait.all
// CHECK-NOT: nvvm.cp.async.shared.global
!v = !tile.view<?x?xf16>
!tile = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @again(%a: !tile.ptr<f16>, %list: !tile.ptr<i32>, %rows: i32, %stride: i32, %from: i32) source "again" threads 128 shared 2064 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c0_i64 = arith.constant 0 : i64
  %c16_i64 = arith.constant 16 : i64
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %n = arith.index_cast %rows : i32 to index
  %s = arith.index_cast %stride : i32 to index
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 128 empty 2056 x 1
  hopper.process "copy" warps 0 + 4 registers 0 {
    scf.for %i = %z to %rows step %o : i32 {
      hopper.wait "r" "empty"[%z] phase %z
      %turn = arith.remsi %i, %from : i32
      %tile = arith.divsi %i, %from : i32
      %w = arith.extsi %turn : i32 to i64
      %d = arith.muli %w, %c16_i64 : i64
      %p0 = tile.ptr_add %a, %d : !tile.ptr<f16>, i64
      %p = tile.ptr_add %p0, %tile : !tile.ptr<f16>, i32
      %view = tile.make_view %p, [%n, %c64], [%s, %c1] : !tile.ptr<f16> -> !v
      %at = arith.constant 0 : index
      %t = hopper.slot "r"[%z] at 0 : !tile
      %f = hopper.copy %view[%at, %c0] to %t : !v, !tile -> i1
      hopper.arrive "r" "full"[%z] copies %f
    }
  }
}

// -----

// Memory says where tiles begin.
// CHECK-LABEL: llvm.func @listed(
// CHECK: nvvm.mbarrier.try_wait
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared.global
!v = !tile.view<?x?xf16>
!tile = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @listed(%a: !tile.ptr<f16>, %list: !tile.ptr<i32>, %rows: i32, %stride: i32, %from: i32) source "listed" threads 128 shared 2064 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c0_i64 = arith.constant 0 : i64
  %c16_i64 = arith.constant 16 : i64
  %z = arith.constant 0 : i32
  %n = arith.index_cast %rows : i32 to index
  %s = arith.index_cast %stride : i32 to index
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 128 empty 2056 x 1
  hopper.process "copy" warps 0 + 4 registers 0 {
    scf.for %i = %c0 to %n step %c16 {
      hopper.wait "r" "empty"[%z] phase %z
      %k = arith.index_cast %i : index to i32
      %q = tile.ptr_add %list, %k : !tile.ptr<i32>, i32
      %row = tile.gather %q : !tile.ptr<i32> -> i32
      %d = arith.muli %row, %stride : i32
      %p = tile.ptr_add %a, %d : !tile.ptr<f16>, i32
      %view = tile.make_view %p, [%c16, %c64], [%s, %c1] : !tile.ptr<f16> -> !v
      %at = arith.constant 0 : index
      %t = hopper.slot "r"[%z] at 0 : !tile
      %f = hopper.copy %view[%at, %c0] to %t : !v, !tile -> i1
      hopper.arrive "r" "full"[%z] copies %f
    }
  }
}

// -----

// A distance in 32 bits may wrap, and nothing says where.
// CHECK-LABEL: llvm.func @wraps(
// CHECK: nvvm.mbarrier.try_wait
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared.global
!v = !tile.view<?x?xf16>
!tile = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @wraps(%a: !tile.ptr<f16>, %list: !tile.ptr<i32>, %rows: i32, %stride: i32, %from: i32) source "wraps" threads 128 shared 2064 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c0_i64 = arith.constant 0 : i64
  %c16_i64 = arith.constant 16 : i64
  %z = arith.constant 0 : i32
  %n = arith.index_cast %rows : i32 to index
  %s = arith.index_cast %stride : i32 to index
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 128 empty 2056 x 1
  hopper.process "copy" warps 0 + 4 registers 0 {
    scf.for %i = %c0 to %n step %c16 {
      hopper.wait "r" "empty"[%z] phase %z
      %k = arith.index_cast %i : index to i32
      %d = arith.muli %k, %stride : i32
      %p = tile.ptr_add %a, %d : !tile.ptr<f16>, i32
      %view = tile.make_view %p, [%c16, %c64], [%s, %c1] : !tile.ptr<f16> -> !v
      %at = arith.constant 0 : index
      %t = hopper.slot "r"[%z] at 0 : !tile
      %f = hopper.copy %view[%at, %c0] to %t : !v, !tile -> i1
      hopper.arrive "r" "full"[%z] copies %f
    }
  }
}

// -----

// The place moves and what is left moves: what lies between is not followed.
// CHECK-LABEL: llvm.func @both(
// CHECK: nvvm.mbarrier.try_wait
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared.global
!v = !tile.view<?x?xf16>
!tile = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @both(%a: !tile.ptr<f16>, %list: !tile.ptr<i32>, %rows: i32, %stride: i32, %from: i32) source "both" threads 128 shared 2064 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c0_i64 = arith.constant 0 : i64
  %c16_i64 = arith.constant 16 : i64
  %z = arith.constant 0 : i32
  %n = arith.index_cast %rows : i32 to index
  %s = arith.index_cast %stride : i32 to index
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 128 empty 2056 x 1
  hopper.process "copy" warps 0 + 4 registers 0 {
    scf.for %i = %c0 to %n step %c16 {
      hopper.wait "r" "empty"[%z] phase %z
      %extent = arith.subi %n, %i : index
      %view = tile.make_view %a, [%extent, %c64], [%s, %c1] : !tile.ptr<f16> -> !v
      %at = arith.addi %i, %c0 : index
      %t = hopper.slot "r"[%z] at 0 : !tile
      %f = hopper.copy %view[%at, %c0] to %t : !v, !tile -> i1
      hopper.arrive "r" "full"[%z] copies %f
    }
  }
}
