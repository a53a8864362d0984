//===- Kernels.cpp - Small kernels that are right -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

const char *const heddle::adversary::kProduct = R"mlir(
!v = !tile.view<?x?xf16>
!lens = !tile.view<?xi32>
!at = !hopper.smem<64x16xf16, order = [1, 0], swizzle = 0>
!bt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!pt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!half = !hopper.smem<8x8xf16, order = [1, 0], swizzle = 0>
!num = !hopper.smem<1xi32, order = [0], swizzle = 0>
!r = tensor<64x8xf32>
!fl = !hopper.flight<!r>
hopper.kernel @k(%a: !v, %b: !v) source "k" threads 256 shared 8192 tma [0, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f16
  %n = tile.dim %a, 0 : !v
  hopper.ring "r" depth 2 at 0 slot 2304 full 8000 x 1 empty 8016 x 4
  hopper.process "p" warps 0 + 4 registers 0 elected {
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %q = %z) -> (i32, i32) {
      %w = arith.xori %q, %one : i32
      hopper.wait "r" "empty"[%s] phase %w
      hopper.expect "r"[%s] bytes 2304
      %t = hopper.slot "r"[%s] at 0 : !at
      hopper.tma_load %a[%i, %c0] to %t, "r"[%s] : !v, !at
      %u = hopper.slot "r"[%s] at 2048 : !bt
      hopper.tma_load %b[%i, %c0] to %u, "r"[%s] : !v, !bt
      %s1 = arith.addi %s, %one : i32
      %end = arith.cmpi eq, %s1, %two : i32
      %q1 = arith.xori %q, %one : i32
      %s2 = arith.select %end, %z, %s1 : i32
      %q2 = arith.select %end, %q1, %q : i32
      scf.yield %s2, %q2 : i32, i32
    }
  }
  hopper.process "c" warps 4 + 4 registers 0 {
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %q = %z) -> (i32, i32) {
      hopper.wait "r" "full"[%s] phase %q
      %t = hopper.slot "r"[%s] at 0 : !at
      %u = hopper.slot "r"[%s] at 2048 : !bt
      %f = hopper.wgmma %t, %u : !at, !bt -> !fl
      %d = hopper.wgmma_wait %f pending 0 : !fl -> !r
      hopper.arrive "r" "empty"[%s]
      %s1 = arith.addi %s, %one : i32
      %end = arith.cmpi eq, %s1, %two : i32
      %q1 = arith.xori %q, %one : i32
      %s2 = arith.select %end, %z, %s1 : i32
      %q2 = arith.select %end, %q1, %q : i32
      scf.yield %s2, %q2 : i32, i32
    }
  }
}
)mlir";

const char *const heddle::adversary::kStaged = R"mlir(
!v = !tile.view<?x?xf16>
!lens = !tile.view<?xi32>
!at = !hopper.smem<64x16xf16, order = [1, 0], swizzle = 0>
!bt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!pt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!half = !hopper.smem<8x8xf16, order = [1, 0], swizzle = 0>
!num = !hopper.smem<1xi32, order = [0], swizzle = 0>
!r = tensor<64x8xf32>
!fl = !hopper.flight<!r>
hopper.kernel @k(%a: !v, %b: !v) source "k" threads 256 shared 8192 tma [0, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f16
  %n = tile.dim %a, 0 : !v
  %tile = tile.splat %zero : f16 -> tensor<16x8xf16>
  %part = tile.splat %zero : f16 -> tensor<8x8xf16>
  hopper.ring "r" depth 1 at 0 slot 256 full 8000 x 4 empty 8016 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%q = %z) -> (i32) {
      %w = arith.xori %q, %one : i32
      hopper.wait "r" "empty"[%z] phase %w
      %t = hopper.slot "r"[%z] at 0 : !half
      hopper.local_store %part, %t : tensor<8x8xf16>, !half
      %u = hopper.slot "r"[%z] at 128 : !half
      hopper.local_store %part, %u : tensor<8x8xf16>, !half
      hopper.fence_async
      hopper.arrive "r" "full"[%z]
      scf.yield %w : i32
    }
  }
  hopper.process "c" warps 4 + 4 registers 0 {
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%q = %z) -> (i32) {
      %w = arith.xori %q, %one : i32
      hopper.wait "r" "full"[%z] phase %q
      %t = hopper.slot "r"[%z] at 0 : !pt
      hopper.tma_store %t to %b[%c0, %c0] : !pt, !v
      hopper.tma_store_wait 0
      hopper.arrive "r" "empty"[%z]
      scf.yield %w : i32
    }
  }
}
)mlir";

const char *const heddle::adversary::kMeeting = R"mlir(
!v = !tile.view<?x?xf16>
!lens = !tile.view<?xi32>
!at = !hopper.smem<64x16xf16, order = [1, 0], swizzle = 0>
!bt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!pt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!half = !hopper.smem<8x8xf16, order = [1, 0], swizzle = 0>
!num = !hopper.smem<1xi32, order = [0], swizzle = 0>
!r = tensor<64x8xf32>
!fl = !hopper.flight<!r>
hopper.kernel @k(%a: !v, %b: !v) source "k" threads 256 shared 8192 tma [0, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f16
  %n = tile.dim %a, 0 : !v
  %tile = tile.splat %zero : f16 -> tensor<16x8xf16>
  hopper.process "p" warps 0 + 4 registers 0 {
    %t = hopper.buffer "shared" at 0 : !pt
    scf.for %i = %c0 to %n step %c1 {
      hopper.local_store %tile, %t : tensor<16x8xf16>, !pt
      hopper.fence_async
      hopper.sync 1 threads 256
      hopper.sync 1 threads 256
    }
  }
  hopper.process "c" warps 4 + 4 registers 0 {
    %t = hopper.buffer "shared" at 0 : !pt
    scf.for %i = %c0 to %n step %c1 {
      hopper.sync 1 threads 256
      hopper.tma_store %t to %b[%c0, %c0] : !pt, !v
      hopper.tma_store_wait 0
      hopper.sync 1 threads 256
    }
  }
}
)mlir";

const char *const heddle::adversary::kNumber = R"mlir(
!v = !tile.view<?x?xf16>
!lens = !tile.view<?xi32>
!at = !hopper.smem<64x16xf16, order = [1, 0], swizzle = 0>
!bt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!pt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!half = !hopper.smem<8x8xf16, order = [1, 0], swizzle = 0>
!num = !hopper.smem<1xi32, order = [0], swizzle = 0>
!r = tensor<64x8xf32>
!fl = !hopper.flight<!r>
hopper.kernel @k(%a: !v, %lens: !lens) source "k" threads 256 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f16
  %n = tile.dim %a, 0 : !v
  hopper.ring "m" depth 1 at 0 slot 16 full 8000 x 2 empty 8008 x 4
  hopper.ring "r" depth 1 at 1024 slot 256 full 8016 x 1 empty 8024 x 4
  hopper.process "p" warps 0 + 2 registers 0 {
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %z, %q0 = %z) -> (i32, i32) {
      %w = arith.xori %q, %one : i32
      hopper.wait "m" "empty"[%z] phase %w
      %x = hopper.global_load %lens[%i] : !lens -> tensor<1xi32>
      %k = tile.unsplat %x : tensor<1xi32> -> i32
      %o = hopper.slot "m"[%z] at 0 : !num
      hopper.local_store %x, %o : tensor<1xi32>, !num
      hopper.arrive "m" "full"[%z]
      %h = arith.index_cast %k : i32 to index
      %g = scf.for %j = %c0 to %h step %c1 iter_args(%p = %q0) -> (i32) {
        %v = arith.xori %p, %one : i32
        hopper.wait "r" "empty"[%z] phase %v
        hopper.sync 1 threads 64
        hopper.expect "r"[%z] bytes 256
        %t = hopper.slot "r"[%z] at 0 : !pt
        hopper.tma_load %a[%j, %c0] to %t, "r"[%z] : !v, !pt
        scf.yield %v : i32
      }
      scf.yield %w, %g : i32, i32
    }
  }
  hopper.process "c" warps 4 + 4 registers 0 {
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %z, %q0 = %z) -> (i32, i32) {
      %w = arith.xori %q, %one : i32
      hopper.wait "m" "full"[%z] phase %q
      %o = hopper.slot "m"[%z] at 0 : !num
      %x = hopper.local_load %o : !num -> tensor<1xi32>
      %k = tile.unsplat %x : tensor<1xi32> -> i32
      hopper.arrive "m" "empty"[%z]
      %h = arith.index_cast %k : i32 to index
      %g = scf.for %j = %c0 to %h step %c1 iter_args(%p = %q0) -> (i32) {
        %v = arith.xori %p, %one : i32
        hopper.wait "r" "full"[%z] phase %p
        %t = hopper.slot "r"[%z] at 0 : !pt
        %y = hopper.local_load %t : !pt -> tensor<16x8xf16>
        hopper.fence_async
        hopper.arrive "r" "empty"[%z]
        scf.yield %v : i32
      }
      scf.yield %w, %g : i32, i32
    }
  }
}
)mlir";

const char *const heddle::adversary::kCopied = R"mlir(
!v = !tile.view<?x?xf16>
!lens = !tile.view<?xi32>
!at = !hopper.smem<64x16xf16, order = [1, 0], swizzle = 0>
!bt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!pt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!half = !hopper.smem<8x8xf16, order = [1, 0], swizzle = 0>
!num = !hopper.smem<1xi32, order = [0], swizzle = 0>
!r = tensor<64x8xf32>
!fl = !hopper.flight<!r>
hopper.kernel @k(%a: !v, %b: !v) source "k" threads 256 shared 8192 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %n = tile.dim %a, 0 : !v
  hopper.ring "r" depth 2 at 0 slot 2304 full 8000 x 128 empty 8016 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %q = %z) -> (i32, i32) {
      %w = arith.xori %q, %one : i32
      hopper.wait "r" "empty"[%s] phase %w
      %t = hopper.slot "r"[%s] at 0 : !at
      %x = hopper.copy %a[%i, %c0] to %t : !v, !at -> i1
      %u = hopper.slot "r"[%s] at 2048 : !bt
      %y = hopper.copy %b[%i, %c0] to %u : !v, !bt -> i1
      hopper.arrive "r" "full"[%s] copies %x, %y
      %s1 = arith.addi %s, %one : i32
      %end = arith.cmpi eq, %s1, %two : i32
      %q1 = arith.xori %q, %one : i32
      %s2 = arith.select %end, %z, %s1 : i32
      %q2 = arith.select %end, %q1, %q : i32
      scf.yield %s2, %q2 : i32, i32
    }
  }
  hopper.process "c" warps 4 + 4 registers 0 {
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %q = %z) -> (i32, i32) {
      hopper.wait "r" "full"[%s] phase %q
      %t = hopper.slot "r"[%s] at 0 : !at
      %u = hopper.slot "r"[%s] at 2048 : !bt
      hopper.fence_async
      %f = hopper.wgmma %t, %u : !at, !bt -> !fl
      %d = hopper.wgmma_wait %f pending 0 : !fl -> !r
      hopper.arrive "r" "empty"[%s]
      %s1 = arith.addi %s, %one : i32
      %end = arith.cmpi eq, %s1, %two : i32
      %q1 = arith.xori %q, %one : i32
      %s2 = arith.select %end, %z, %s1 : i32
      %q2 = arith.select %end, %q1, %q : i32
      scf.yield %s2, %q2 : i32, i32
    }
  }
}
)mlir";

const char *const heddle::adversary::kHandedOn = R"mlir(
!v = !tile.view<?x?xf16>
!pt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
hopper.kernel @k(%a: !v) source "k" threads 384 shared 8192 tma [] {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f16
  hopper.ring "r" depth 1 at 0 slot 256 full 8000 x 128 empty 8008 x 4
  hopper.ring "s" depth 1 at 256 slot 256 full 8016 x 128 empty 8024 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    hopper.wait "r" "empty"[%z] phase %one
    %t = hopper.slot "r"[%z] at 0 : !pt
    %x = hopper.copy %a[%c0, %c0] to %t : !v, !pt -> i1
    hopper.arrive "r" "full"[%z] copies %x
  }
  hopper.process "q" warps 4 + 4 registers 0 {
    hopper.wait "r" "full"[%z] phase %z
    hopper.wait "s" "empty"[%z] phase %one
    %t = hopper.slot "s"[%z] at 0 : !pt
    %x = hopper.copy %a[%c0, %c0] to %t : !v, !pt -> i1
    hopper.arrive "s" "full"[%z] copies %x
    hopper.arrive "r" "empty"[%z]
  }
  hopper.process "c" warps 8 + 4 registers 0 {
    hopper.wait "s" "full"[%z] phase %z
    %t = hopper.slot "s"[%z] at 0 : !pt
    %x = hopper.local_load %t : !pt -> tensor<16x8xf16>
    hopper.arrive "s" "empty"[%z]
  }
}
)mlir";

const char *const heddle::adversary::kChain = R"mlir(
!v = !tile.view<?x?xf16>
!lens = !tile.view<?xi32>
!at = !hopper.smem<64x16xf16, order = [1, 0], swizzle = 0>
!bt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!pt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>
!half = !hopper.smem<8x8xf16, order = [1, 0], swizzle = 0>
!num = !hopper.smem<1xi32, order = [0], swizzle = 0>
!r = tensor<64x8xf32>
!fl = !hopper.flight<!r>
hopper.kernel @k(%a: !v, %b: !v) source "k" threads 128 shared 8192 tma [0, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f16
  %n = tile.dim %a, 0 : !v
  %x = tile.splat %zero : f16 -> tensor<64x16xf16>
  %y = tile.splat %zero : f16 -> tensor<16x8xf16>
  hopper.process "p" warps 0 + 4 registers 0 {
    %t = hopper.buffer "t" at 0 : !at
    %u = hopper.buffer "u" at 2048 : !bt
    hopper.local_store %x, %t : tensor<64x16xf16>, !at
    hopper.local_store %y, %u : tensor<16x8xf16>, !bt
    hopper.fence_async
    hopper.sync 1 threads 128
    %f = hopper.wgmma %t, %u : !at, !bt -> !fl
    %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f, %h = %f) -> (!fl, !fl) {
      %m = hopper.wgmma %t, %u, %g : !fl : !at, !bt -> !fl
      %d = hopper.wgmma_wait %h pending 1 : !fl -> !r
      scf.yield %m, %m : !fl, !fl
    }
    %e = hopper.wgmma_wait %l#0 pending 0 : !fl -> !r
    %c = tile.cast %e : !r -> tensor<64x8xf16>
  }
}
)mlir";
