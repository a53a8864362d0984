// RUN: heddle-opt %s --aref-to-hopper | FileCheck %s
//
// A producer fills a ring of operands, two consumers accumulate 64 rows each and
// store them: the whole path, in both variants.

// CHECK-LABEL: hopper.kernel @product(
// CHECK-SAME: source "product" threads 384 shared 229440 tma [0, 1, 2]
// CHECK: %[[INSTANCES:.*]] = arith.muli
// CHECK: hopper.grid %[[INSTANCES]]
// CHECK: hopper.ring "ab" depth 4 at 0 slot 49152 full 229376 x 1 empty 229408 x 8

// CHECK: hopper.process "load" warps 0 + 4 registers 40 elected {
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:.*]] = %{{.*}}, %[[PHASE:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: %[[PARITY:.*]] = arith.xori %[[PHASE]]
// CHECK: hopper.wait "ab" "empty"[%[[SLOT]]] phase %[[PARITY]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[SLOT]]
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]]
// CHECK: %[[FLIPPED:.*]] = arith.xori %[[PHASE]]
// CHECK: %[[SLOT1:.*]] = arith.select %[[WRAPS]], %{{.*}}, %[[NEXT]]
// CHECK: %[[PHASE1:.*]] = arith.select %[[WRAPS]], %[[FLIPPED]], %[[PHASE]]
// CHECK: hopper.expect "ab"[%[[SLOT]]] bytes 49152
// CHECK: %[[X0:.*]] = hopper.slot "ab"[%[[SLOT]]] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
// CHECK: hopper.tma_load %{{.*}} to %[[X0]], "ab"[%[[SLOT]]]
// CHECK: hopper.slot "ab"[%[[SLOT]]] at 8192 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
// CHECK: hopper.tma_load
// CHECK: hopper.slot "ab"[%[[SLOT]]] at 16384 : !hopper.smem<64x256xf16, order = [0, 1], swizzle = 128>
// CHECK: hopper.tma_load
// CHECK: scf.yield %[[SLOT1]], %[[PHASE1]]

// The first dot starts from zero: no accumulator goes in.
// CHECK: hopper.process "mma.0" warps 4 + 4 registers 232 {
// CHECK: hopper.wait "ab" "full"[%[[S0:.*]]] phase
// CHECK: hopper.slot "ab"[%[[S0]]] at 0
// CHECK-NEXT: hopper.slot "ab"[%[[S0]]] at 16384
// CHECK: %[[F0:.*]] = hopper.wgmma %{{[0-9]+}}, %{{[0-9]+}} :
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %{{.*}}, %[[LAST:.*]] = %[[S0]], %[[FLIGHT:.*]] = %[[F0]])
// CHECK: hopper.wait "ab" "full"[%[[S1:.*]]] phase
// CHECK: %[[F1:.*]] = hopper.wgmma %{{.*}}, %{{.*}}, %[[FLIGHT]] :
// CHECK: %[[DONE:.*]] = hopper.wgmma_wait %[[FLIGHT]] pending 1
// CHECK: hopper.arrive "ab" "empty"[%[[LAST]]] after %[[DONE]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[S1]], %[[F1]]
// CHECK: hopper.wgmma_wait %{{.*}} pending 0
// CHECK: } else {
// CHECK: tile.splat {{.*}}tile = [64, 8], rep = [1, 32]

// Four chunks of 64 columns through two buffers in turn.
// CHECK: %[[OUT:.*]] = tile.cast
// CHECK: %[[CHUNK:.*]] = hopper.subtile %[[OUT]] at [0, 0]
// CHECK: %[[BUFFER:.*]] = hopper.buffer "mma.0.out0" at 196608 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
// CHECK-NEXT: hopper.tma_store_wait 1
// CHECK-NEXT: hopper.sync 1 threads 128
// CHECK-NEXT: hopper.local_store %[[CHUNK]], %[[BUFFER]]
// CHECK-NEXT: hopper.fence_async
// CHECK-NEXT: hopper.sync 1 threads 128
// CHECK-NEXT: hopper.tma_store %[[BUFFER]] to
// CHECK: hopper.subtile %[[OUT]] at [0, 64]
// CHECK-NEXT: hopper.buffer "mma.0.out1"
// CHECK: hopper.subtile %[[OUT]] at [0, 128]
// CHECK-NEXT: hopper.buffer "mma.0.out0"
// CHECK: hopper.subtile %[[OUT]] at [0, 192]
// CHECK-NEXT: hopper.buffer "mma.0.out1"
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: hopper.tma_store_wait 0

// Not peeled: the zeros are real, and a dot outside aref.start waits at once.
// CHECK: hopper.process "mma.1" warps 8 + 4 registers 232 {
// CHECK: %[[ZERO:.*]] = tile.splat
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]
// CHECK: %[[F:.*]] = hopper.wgmma %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK-NEXT: hopper.wgmma_wait %[[F]] pending 0
// CHECK: hopper.sync 2 threads 128

// CHECK-LABEL: hopper.kernel @product_general(
// CHECK-SAME: source "product" threads 384 shared 196672 tma []
// CHECK: hopper.ring "ab" depth 4 at 0 slot 49152 full 196608 x 4 empty 196640 x 8
// CHECK: hopper.process "load" warps 0 + 4 registers 104 {
// CHECK: hopper.wait "ab" "empty"
// CHECK-NOT: hopper.expect
// CHECK-COUNT-3: hopper.copy
// CHECK: hopper.fence_async
// CHECK-NEXT: hopper.arrive "ab" "full"[
// CHECK: hopper.process "mma.0" warps 4 + 4 registers 200 {
// CHECK: hopper.global_store
// CHECK-NOT: hopper.tma_store
// CHECK-NOT: aref.

tile.kernel @product(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>,
                     %c: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %n = tile.dim %c, 1 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c128 : index
  %gn = arith.ceildivui %n, %c256 : index
  %instances = arith.muli %gm, %gn {tile.instances} : index
  %worker = tile.worker_id : index
  %workers = tile.worker_count : index
  %zero = tile.splat %f0 : f32 -> tensor<64x256xf32>
  %ab = aref.ring "ab" depth 4 : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>

  aref.process "load" warps 4 registers 40 {
    %t0 = aref.first_turn %ab : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>
    %end = scf.for %t = %worker to %instances step %workers iter_args(%u = %t0) -> (!aref.turn) {
      %i = arith.divui %t, %gn : index
      %j = arith.remui %t, %gn : index
      %row = arith.muli %i, %c128 : index
      %row1 = arith.addi %row, %c64 : index
      %col = arith.muli %j, %c256 : index
      %r = scf.for %kk = %c0 to %k step %c64 iter_args(%v = %u) -> (!aref.turn) {
        %tok, %next = aref.acquire %ab[%v] : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>
        %x0 = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %x1 = tile.load %a[%row1, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<64x256xf16>
        aref.publish %ab[%tok], %x0, %x1, %y : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>
        scf.yield %next : !aref.turn
      }
      scf.yield %r : !aref.turn
    }
  }

  aref.process "mma.0" warps 4 registers 232 {
    %t0 = aref.first_turn %ab : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>
    %end = scf.for %t = %worker to %instances step %workers iter_args(%u = %t0) -> (!aref.turn) {
      %i = arith.divui %t, %gn : index
      %j = arith.remui %t, %gn : index
      %row = arith.muli %i, %c128 : index
      %col = arith.muli %j, %c256 : index
      %some = arith.cmpi sgt, %k, %c0 : index
      %acc, %u2 = scf.if %some -> (tensor<64x256xf32>, !aref.turn) {
        %tok0, %n0, %x, %unused, %y = aref.get %ab[%u] : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>
        %fl = aref.start "tensor" (%p = %x : tensor<64x64xf16>, %q = %y : tensor<64x256xf16>, %z = %zero : tensor<64x256xf32>) {
          %d = tile.dot %p, %q, %z : tensor<64x64xf16>, tensor<64x256xf16> -> tensor<64x256xf32>
          aref.yield %d : tensor<64x256xf32>
        } : !aref.flight<tensor<64x256xf32>>
        %s:3 = scf.for %kk = %c64 to %k step %c64 iter_args(%v = %n0, %tokp = %tok0, %fp = %fl) -> (!aref.turn, !aref.token, !aref.flight<tensor<64x256xf32>>) {
          %tok, %next, %x1, %unused1, %y1 = aref.get %ab[%v] : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>
          %f = aref.start "tensor" (%p = %x1 : tensor<64x64xf16>, %q = %y1 : tensor<64x256xf16>, %z = %fp : !aref.flight<tensor<64x256xf32>>) {
            %d = tile.dot %p, %q, %z : tensor<64x64xf16>, tensor<64x256xf16> -> tensor<64x256xf32>
            aref.yield %d : tensor<64x256xf32>
          } : !aref.flight<tensor<64x256xf32>>
          %d = aref.await %fp pending 1 : !aref.flight<tensor<64x256xf32>> -> tensor<64x256xf32>
          aref.release %ab[%tokp] after %d : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>, tensor<64x256xf32>
          scf.yield %next, %tok, %f : !aref.turn, !aref.token, !aref.flight<tensor<64x256xf32>>
        }
        %d = aref.await %s#2 pending 0 : !aref.flight<tensor<64x256xf32>> -> tensor<64x256xf32>
        aref.release %ab[%s#1] after %d : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>, tensor<64x256xf32>
        scf.yield %d, %s#0 : tensor<64x256xf32>, !aref.turn
      } else {
        scf.yield %zero, %u : tensor<64x256xf32>, !aref.turn
      }
      %o = tile.cast %acc : tensor<64x256xf32> -> tensor<64x256xf16>
      tile.store %o, %c[%row, %col] : tensor<64x256xf16>, !tile.view<?x?xf16>
      scf.yield %u2 : !aref.turn
    }
  }

  aref.process "mma.1" warps 4 registers 232 {
    %t0 = aref.first_turn %ab : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>
    %end = scf.for %t = %worker to %instances step %workers iter_args(%u = %t0) -> (!aref.turn) {
      %i = arith.divui %t, %gn : index
      %j = arith.remui %t, %gn : index
      %row = arith.muli %i, %c128 : index
      %row1 = arith.addi %row, %c64 : index
      %col = arith.muli %j, %c256 : index
      %acc, %u2 = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero, %v = %u) -> (tensor<64x256xf32>, !aref.turn) {
        %tok, %next, %unused1, %x1, %y1 = aref.get %ab[%v] : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>
        %d = tile.dot %x1, %y1, %s : tensor<64x64xf16>, tensor<64x256xf16> -> tensor<64x256xf32>
        aref.release %ab[%tok] after %d : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x256xf16>]>, tensor<64x256xf32>
        scf.yield %d, %next : tensor<64x256xf32>, !aref.turn
      }
      %o = tile.cast %acc : tensor<64x256xf32> -> tensor<64x256xf16>
      tile.store %o, %c[%row1, %col] : tensor<64x256xf16>, !tile.view<?x?xf16>
      scf.yield %u2 : !aref.turn
    }
  }
}
