// RUN: heddle compile %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.json
// RUN: heddle run %s --oracle=%examples/gemm.mlir --device=emulator --ints --order=adversarial \
// RUN:   --view a=200x136 --view b=136x304 --view c=200x304 --sms=2 | FileCheck %s --check-prefix=EMULATED
//
// A persistent, warp-specialised GEMM written by hand on the hopper rung: one
// elected producer, two consumers that keep one wgmma group in flight, an epilogue
// through two staging buffers each.

// Parameters: tensor maps first, then what is used of dims. No strides, no pointers.
// CHECK: .visible .entry gemm(
// CHECK-NEXT: .param .align 64 .b8 gemm_param_0[128],
// CHECK-NEXT: .param .align 64 .b8 gemm_param_1[128],
// CHECK-NEXT: .param .align 64 .b8 gemm_param_2[128],
// CHECK-NEXT: .param .u32 gemm_param_3,
// CHECK-NEXT: .param .u32 gemm_param_4,
// CHECK-NEXT: .param .u32 gemm_param_5
// CHECK: .reqntid 384, 1, 1
// CHECK: .minnctapersm 1

// One thread initialises, all meet.
// CHECK: shfl.sync.idx.b32
// CHECK-COUNT-8: mbarrier.init.shared.b64
// CHECK: fence.mbarrier_init
// CHECK: bar.sync 0, 384;

// The producer.
// CHECK: setmaxnreg.dec.sync.aligned.u32 40;
// CHECK: elect.sync
// CHECK: mbarrier.try_wait.parity.shared.b64
// CHECK-NEXT: not.pred
// CHECK-NEXT: bra
// CHECK: mbarrier.arrive.expect_tx.shared.b64
// CHECK-COUNT-3: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

// A consumer: the first product starts from zero, the others accumulate.
// CHECK: setmaxnreg.inc.sync.aligned.u32 232;
// CHECK: mbarrier.try_wait.parity.shared.b64
// CHECK: setp.ne.b32 keep, 0, 0;
// CHECK: wgmma.fence.sync.aligned;
// CHECK: mov.b64 b, {low, high_b};
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{.*}}, keep, 1, 1, 0, 0;
// CHECK-NEXT: setp.ne.b32 keep, 1, 0;
// CHECK-COUNT-3: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
// CHECK-NEXT: wgmma.commit_group.sync.aligned;
// CHECK: mbarrier.try_wait.parity.shared.b64
// Its accumulators are in flight; without the fence ptxas may serialise.
// CHECK: setp.ne.b32 keep, 1, 0;
// CHECK: wgmma.fence
// CHECK: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
// CHECK-COUNT-3: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
// CHECK-NEXT: wgmma.commit_group.sync.aligned;
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK-NOT: bar.warp.sync
// CHECK: mbarrier.arrive.shared.b64
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK-NOT: bar.warp.sync
// CHECK: mbarrier.arrive.shared.b64

// Its epilogue: 64 columns at a time.
// CHECK: cvt.rn.f16x2.f32
// CHECK: cp.async.bulk.wait_group.read 1;
// CHECK: bar.sync 1, 128;
// CHECK-COUNT-4: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT: stmatrix
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.sync 1, 128;
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// CHECK: cp.async.bulk.commit_group;
// CHECK: cp.async.bulk.wait_group.read 0;

// MANIFEST: "requires": [
// MANIFEST-NEXT: {"tma":"a"},
// MANIFEST-NEXT: {"tma":"b"},
// MANIFEST-NEXT: {"tma":"c"}
// MANIFEST: "threads": 384,
// MANIFEST: {"min":[{"mul":[{"ceildiv":[{"dim":["a",0]},128]},{"ceildiv":[{"dim":["b",1]},256]}]},"sm_count"]}
// MANIFEST: "params": [
// MANIFEST-NEXT: {"tensor_map":"a","box":[64,64],"swizzle_bytes":128,
// MANIFEST-NEXT: {"tensor_map":"b","box":[64,256],"swizzle_bytes":128,
// MANIFEST-NEXT: {"tensor_map":"c","box":[64,64],"swizzle_bytes":128,
// MANIFEST-NEXT: {"dim":["a",0]},
// MANIFEST-NEXT: {"dim":["a",1]},
// MANIFEST-NEXT: {"dim":["b",1]}
// MANIFEST: {"name":"ab","depth":4,{{.*}}"producers":["load"],"consumers":["mma.0","mma.1"]}

// EMULATED: equal to the oracle; right

!a = !tile.view<?x?xf16>
!b = !tile.view<?x?xf16, #tile.order<0, 1>>
!c = !tile.view<?x?xf16>
!sa = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!sb = !hopper.smem<64x256xf16, order = [0, 1], swizzle = 128>
!sc = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 32]>
#chunk = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x256xf32, #acc>
!out = tensor<64x256xf16, #acc>
!piece = tensor<64x64xf16, #chunk>
!flight = !hopper.flight<!acc>

hopper.kernel @gemm(%a: !a, %b: !b, %c: !c) source "gemm" threads 384 shared 229440 tma [0, 1, 2] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %bn = arith.constant 256 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %depth = arith.constant 4 : i32
  %m = tile.dim %a, 0 : !a
  %k = tile.dim %a, 1 : !a
  %n = tile.dim %b, 1 : !b
  %gm = arith.ceildivui %m, %c128 : index
  %gn = arith.ceildivui %n, %bn : index
  %instances = arith.muli %gm, %gn : index
  hopper.grid %instances
  hopper.ring "ab" depth 4 at 0 slot 49152 full 229376 x 1 empty 229408 x 8
  hopper.process "load" warps 0 + 4 registers 40 elected {
    %first = tile.worker_id : index
    %step = tile.worker_count : index
    scf.for %t = %first to %instances step %step iter_args(%slot0 = %i0, %phase0 = %i0) -> (i32, i32) {
      %i = arith.remui %t, %gm : index
      %j = arith.divui %t, %gm : index
      %row = arith.muli %i, %c128 : index
      %row1 = arith.addi %row, %c64 : index
      %col = arith.muli %j, %bn : index
      %r:2 = scf.for %kk = %c0 to %k step %c64 iter_args(%slot = %slot0, %phase = %phase0) -> (i32, i32) {
        %p = arith.xori %phase, %i1 : i32
        hopper.wait "ab" "empty"[%slot] phase %p
        hopper.expect "ab"[%slot] bytes 49152
        %s0 = hopper.slot "ab"[%slot] at 0 : !sa
        %s1 = hopper.slot "ab"[%slot] at 8192 : !sa
        %s2 = hopper.slot "ab"[%slot] at 16384 : !sb
        hopper.tma_load %a[%row, %kk] to %s0, "ab"[%slot] : !a, !sa
        hopper.tma_load %a[%row1, %kk] to %s1, "ab"[%slot] : !a, !sa
        hopper.tma_load %b[%kk, %col] to %s2, "ab"[%slot] : !b, !sb
        %up = arith.addi %slot, %i1 : i32
        %wrap = arith.cmpi eq, %up, %depth : i32
        %next = arith.select %wrap, %i0, %up : i32
        %nphase = arith.select %wrap, %p, %phase : i32
        scf.yield %next, %nphase : i32, i32
      }
      scf.yield %r#0, %r#1 : i32, i32
    }
  }
  hopper.process "mma.0" warps 4 + 4 registers 232 {
    %first = tile.worker_id : index
    %step = tile.worker_count : index
    scf.for %t = %first to %instances step %step iter_args(%slot0 = %i0, %phase0 = %i0) -> (i32, i32) {
      %i = arith.remui %t, %gm : index
      %j = arith.divui %t, %gm : index
      %row = arith.muli %i, %c128 : index
      %off = arith.constant 0 : index
      %row1 = arith.addi %row, %off : index
      %col = arith.muli %j, %bn : index
      %some = arith.cmpi sgt, %k, %c0 : index
      %acc:3 = scf.if %some -> (!acc, i32, i32) {
        hopper.wait "ab" "full"[%slot0] phase %phase0
        %x0 = hopper.slot "ab"[%slot0] at 0 : !sa
        %y0 = hopper.slot "ab"[%slot0] at 16384 : !sb
        %f0 = hopper.wgmma %x0, %y0 : !sa, !sb -> !flight
        %up0 = arith.addi %slot0, %i1 : i32
        %wrap0 = arith.cmpi eq, %up0, %depth : i32
        %slot1 = arith.select %wrap0, %i0, %up0 : i32
        %p0 = arith.xori %phase0, %i1 : i32
        %phase1 = arith.select %wrap0, %p0, %phase0 : i32
        %s:4 = scf.for %kk = %c64 to %k step %c64 iter_args(%slot = %slot1, %phase = %phase1, %prev = %slot0, %fp = %f0) -> (i32, i32, i32, !flight) {
          hopper.wait "ab" "full"[%slot] phase %phase
          %x = hopper.slot "ab"[%slot] at 0 : !sa
          %y = hopper.slot "ab"[%slot] at 16384 : !sb
          %f = hopper.wgmma %x, %y, %fp : !flight : !sa, !sb -> !flight
          %d = hopper.wgmma_wait %fp pending 1 : !flight -> !acc
          hopper.arrive "ab" "empty"[%prev] after %d : !acc
          %up = arith.addi %slot, %i1 : i32
          %wrap = arith.cmpi eq, %up, %depth : i32
          %next = arith.select %wrap, %i0, %up : i32
          %p = arith.xori %phase, %i1 : i32
          %nphase = arith.select %wrap, %p, %phase : i32
          scf.yield %next, %nphase, %slot, %f : i32, i32, i32, !flight
        }
        %d = hopper.wgmma_wait %s#3 pending 0 : !flight -> !acc
        hopper.arrive "ab" "empty"[%s#2] after %d : !acc
        scf.yield %d, %s#0, %s#1 : !acc, i32, i32
      } else {
        %zero = arith.constant dense<0.0> : !acc
        scf.yield %zero, %slot0, %phase0 : !acc, i32, i32
      }
      %o = tile.cast %acc#0 : !acc -> !out
      hopper.tma_store_wait 1
      hopper.sync 1 threads 128
      %piece0 = hopper.subtile %o at [0, 0] : !out -> !piece
      %buf0 = hopper.buffer "c.0.0" at 196608 : !sc
      hopper.local_store %piece0, %buf0 : !piece, !sc
      hopper.fence_async
      hopper.sync 1 threads 128
      %o0 = arith.constant 0 : index
      %col0 = arith.addi %col, %o0 : index
      hopper.tma_store %buf0 to %c[%row1, %col0] : !sc, !c
      hopper.tma_store_wait 1
      hopper.sync 1 threads 128
      %piece1 = hopper.subtile %o at [0, 64] : !out -> !piece
      %buf1 = hopper.buffer "c.0.1" at 204800 : !sc
      hopper.local_store %piece1, %buf1 : !piece, !sc
      hopper.fence_async
      hopper.sync 1 threads 128
      %o1 = arith.constant 64 : index
      %col1 = arith.addi %col, %o1 : index
      hopper.tma_store %buf1 to %c[%row1, %col1] : !sc, !c
      hopper.tma_store_wait 1
      hopper.sync 1 threads 128
      %piece2 = hopper.subtile %o at [0, 128] : !out -> !piece
      %buf2 = hopper.buffer "c.0.0" at 196608 : !sc
      hopper.local_store %piece2, %buf2 : !piece, !sc
      hopper.fence_async
      hopper.sync 1 threads 128
      %o2 = arith.constant 128 : index
      %col2 = arith.addi %col, %o2 : index
      hopper.tma_store %buf2 to %c[%row1, %col2] : !sc, !c
      hopper.tma_store_wait 1
      hopper.sync 1 threads 128
      %piece3 = hopper.subtile %o at [0, 192] : !out -> !piece
      %buf3 = hopper.buffer "c.0.1" at 204800 : !sc
      hopper.local_store %piece3, %buf3 : !piece, !sc
      hopper.fence_async
      hopper.sync 1 threads 128
      %o3 = arith.constant 192 : index
      %col3 = arith.addi %col, %o3 : index
      hopper.tma_store %buf3 to %c[%row1, %col3] : !sc, !c
      scf.yield %acc#1, %acc#2 : i32, i32
    }
    hopper.tma_store_wait 0
  }
  hopper.process "mma.1" warps 8 + 4 registers 232 {
    %first = tile.worker_id : index
    %step = tile.worker_count : index
    scf.for %t = %first to %instances step %step iter_args(%slot0 = %i0, %phase0 = %i0) -> (i32, i32) {
      %i = arith.remui %t, %gm : index
      %j = arith.divui %t, %gm : index
      %row = arith.muli %i, %c128 : index
      %off = arith.constant 64 : index
      %row1 = arith.addi %row, %off : index
      %col = arith.muli %j, %bn : index
      %some = arith.cmpi sgt, %k, %c0 : index
      %acc:3 = scf.if %some -> (!acc, i32, i32) {
        hopper.wait "ab" "full"[%slot0] phase %phase0
        %x0 = hopper.slot "ab"[%slot0] at 8192 : !sa
        %y0 = hopper.slot "ab"[%slot0] at 16384 : !sb
        %f0 = hopper.wgmma %x0, %y0 : !sa, !sb -> !flight
        %up0 = arith.addi %slot0, %i1 : i32
        %wrap0 = arith.cmpi eq, %up0, %depth : i32
        %slot1 = arith.select %wrap0, %i0, %up0 : i32
        %p0 = arith.xori %phase0, %i1 : i32
        %phase1 = arith.select %wrap0, %p0, %phase0 : i32
        %s:4 = scf.for %kk = %c64 to %k step %c64 iter_args(%slot = %slot1, %phase = %phase1, %prev = %slot0, %fp = %f0) -> (i32, i32, i32, !flight) {
          hopper.wait "ab" "full"[%slot] phase %phase
          %x = hopper.slot "ab"[%slot] at 8192 : !sa
          %y = hopper.slot "ab"[%slot] at 16384 : !sb
          %f = hopper.wgmma %x, %y, %fp : !flight : !sa, !sb -> !flight
          %d = hopper.wgmma_wait %fp pending 1 : !flight -> !acc
          hopper.arrive "ab" "empty"[%prev] after %d : !acc
          %up = arith.addi %slot, %i1 : i32
          %wrap = arith.cmpi eq, %up, %depth : i32
          %next = arith.select %wrap, %i0, %up : i32
          %p = arith.xori %phase, %i1 : i32
          %nphase = arith.select %wrap, %p, %phase : i32
          scf.yield %next, %nphase, %slot, %f : i32, i32, i32, !flight
        }
        %d = hopper.wgmma_wait %s#3 pending 0 : !flight -> !acc
        hopper.arrive "ab" "empty"[%s#2] after %d : !acc
        scf.yield %d, %s#0, %s#1 : !acc, i32, i32
      } else {
        %zero = arith.constant dense<0.0> : !acc
        scf.yield %zero, %slot0, %phase0 : !acc, i32, i32
      }
      %o = tile.cast %acc#0 : !acc -> !out
      hopper.tma_store_wait 1
      hopper.sync 2 threads 128
      %piece0 = hopper.subtile %o at [0, 0] : !out -> !piece
      %buf0 = hopper.buffer "c.1.0" at 212992 : !sc
      hopper.local_store %piece0, %buf0 : !piece, !sc
      hopper.fence_async
      hopper.sync 2 threads 128
      %o0 = arith.constant 0 : index
      %col0 = arith.addi %col, %o0 : index
      hopper.tma_store %buf0 to %c[%row1, %col0] : !sc, !c
      hopper.tma_store_wait 1
      hopper.sync 2 threads 128
      %piece1 = hopper.subtile %o at [0, 64] : !out -> !piece
      %buf1 = hopper.buffer "c.1.1" at 221184 : !sc
      hopper.local_store %piece1, %buf1 : !piece, !sc
      hopper.fence_async
      hopper.sync 2 threads 128
      %o1 = arith.constant 64 : index
      %col1 = arith.addi %col, %o1 : index
      hopper.tma_store %buf1 to %c[%row1, %col1] : !sc, !c
      hopper.tma_store_wait 1
      hopper.sync 2 threads 128
      %piece2 = hopper.subtile %o at [0, 128] : !out -> !piece
      %buf2 = hopper.buffer "c.1.0" at 212992 : !sc
      hopper.local_store %piece2, %buf2 : !piece, !sc
      hopper.fence_async
      hopper.sync 2 threads 128
      %o2 = arith.constant 128 : index
      %col2 = arith.addi %col, %o2 : index
      hopper.tma_store %buf2 to %c[%row1, %col2] : !sc, !c
      hopper.tma_store_wait 1
      hopper.sync 2 threads 128
      %piece3 = hopper.subtile %o at [0, 192] : !out -> !piece
      %buf3 = hopper.buffer "c.1.1" at 221184 : !sc
      hopper.local_store %piece3, %buf3 : !piece, !sc
      hopper.fence_async
      hopper.sync 2 threads 128
      %o3 = arith.constant 192 : index
      %col3 = arith.addi %col, %o3 : index
      hopper.tma_store %buf3 to %c[%row1, %col3] : !sc, !c
      scf.yield %acc#1, %acc#2 : i32, i32
    }
    hopper.tma_store_wait 0
  }
}
