// RUN: heddle compile --check-protocol=false %s --emit=nvvm -o - | FileCheck %s
// RUN: heddle compile --check-protocol=false %s -o - | FileCheck %s --check-prefix=PTX
// Loops and conditionals carry elements of 8 bits by words: eight of 64 x 64 in a group.

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#fragments = #hopper.layout<lane = [0, 4, 0, 8, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 0, 2, 8, 0, 0, 16], tile = [64, 32], rep = [1, 2]>
!acc = tensor<64x64xf32, #acc>
!bytes = tensor<64x64xf8E5M2, #fragments>
!b = !hopper.smem<64x64xf8E5M2, order = [0, 1], swizzle = 64>
!x = !tile.view<?x?xf8E5M2>
!v = !tile.view<?x?xf32>

// CHECK-LABEL: llvm.func @carried
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]](%{{[0-9, %]*}} : i32, i32, i32, i32, i32, i32, i32, i32, i32)
// CHECK: llvm.br ^[[LOOP]](%{{[0-9, %]*}} : i32, i32, i32, i32, i32, i32, i32, i32, i32)
// CHECK: llvm.br ^[[JOIN:bb[0-9]+]](%{{[0-9, %]*}} : i32, i32, i32, i32, i32, i32, i32, i32)
// CHECK: llvm.br ^[[JOIN]](%{{[0-9, %]*}} : i32, i32, i32, i32, i32, i32, i32, i32)
// No byte is taken from a word that the loop brought.
// PTX-LABEL: .entry carried(
// PTX: wgmma.mma_async
// PTX-NOT: 0x777
hopper.kernel @carried(%x: !x, %c: !v, %k: index) source "carried" threads 128 shared 8192 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %first = arith.cmpi eq, %k, %c64 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %b = hopper.buffer "b" at 4096 : !b
    %a = hopper.global_load %x[%c0, %c0] : !x -> !bytes
    %last = scf.for %i = %c0 to %k step %c64 iter_args(%old = %a) -> (!bytes) {
      %f = hopper.wgmma %old, %b : !bytes, !b -> !hopper.flight<!acc>
      %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
      hopper.global_store %d, %c[%c0, %i] : !acc, !v
      %new = hopper.global_load %x[%c0, %i] : !x -> !bytes
      scf.yield %new : !bytes
    }
    %chosen = scf.if %first -> (!bytes) {
      scf.yield %a : !bytes
    } else {
      scf.yield %last : !bytes
    }
    %f = hopper.wgmma %chosen, %b : !bytes, !b -> !hopper.flight<!acc>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
    hopper.global_store %d, %c[%c0, %c0] : !acc, !v
  }
}
