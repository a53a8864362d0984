// RUN: heddle-opt %s --aref-to-hopper --split-input-file 2>/dev/null | FileCheck %s

// A barrier before an access that may meet another thread's.

// CHECK-LABEL: hopper.kernel @instances(
// CHECK: scf.for
// CHECK-NEXT: hopper.global_load %x
// Each thread stores what it loaded, and instances are not ordered.
// CHECK-NOT: hopper.sync
// CHECK: hopper.global_store %{{.*}}, %x
// Others read what a thread wrote,
// CHECK: hopper.sync 1 threads 128
// CHECK-NEXT: %[[V:.*]] = hopper.global_load %x[%c64]
// and write what it read.
// CHECK: hopper.sync 1 threads 128
// CHECK-NEXT: hopper.global_store %{{.*}}, %x
// Nobody writes y twice.
// CHECK-NEXT: hopper.global_store %[[V]], %y
tile.kernel @instances(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>, %n: index) {
  %c64 = arith.constant 64 : index
  %first = tile.worker_id : index
  %step = tile.worker_count : index
  aref.process "main" warps 4 registers 0 {
    scf.for %i = %first to %n step %step {
      %t = tile.load %x[%i] : !tile.view<?xf32> -> tensor<128xf32>
      %u = arith.addf %t, %t : tensor<128xf32>
      tile.store %u, %x[%i] : tensor<128xf32>, !tile.view<?xf32>
      %v = tile.load %x[%c64] : !tile.view<?xf32> -> tensor<128xf32>
      tile.store %u, %x[%i] : tensor<128xf32>, !tile.view<?xf32>
      tile.store %v, %y[%i] : tensor<128xf32>, !tile.view<?xf32>
    }
  }
}

// -----

// Iterations of a loop of the program are ordered, branches may run or not.
// CHECK-LABEL: hopper.kernel @iterations(
// CHECK: scf.for
// CHECK: hopper.sync
// CHECK-NEXT: hopper.global_load %x
// CHECK: scf.if
// CHECK: hopper.sync
// CHECK-NEXT: hopper.global_store %{{.*}}, %x
// CHECK: }
// CHECK: hopper.sync
// CHECK-NEXT: hopper.global_load %x
tile.kernel @iterations(%x: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  aref.process "main" warps 4 registers 0 {
    scf.for %k = %c0 to %n step %c128 {
      %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<128xf32>
      %more = arith.cmpi slt, %k, %c128 : index
      scf.if %more {
        %next = arith.addi %k, %c128 : index
        tile.store %t, %x[%next] : tensor<128xf32>, !tile.view<?xf32>
      }
    }
    %last = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<128xf32>
    tile.store %last, %x[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}

// -----

// A release publishes what all threads wrote; an acquire is for all of them.
// CHECK-LABEL: hopper.kernel @flags(
// CHECK: hopper.global_store %{{.*}}, %x
// CHECK: hopper.sync
// CHECK-NEXT: tile.atomic_rmw add, acq_rel
// CHECK-NEXT: hopper.sync
// CHECK: hopper.global_load %x
// CHECK: tile.atomic_rmw add, relaxed
// CHECK-NOT: hopper.sync
tile.kernel @flags(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>, %flags: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1> : tensor<128xi32>
  aref.process "main" warps 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32>
    tile.store %f, %x[%c0] : tensor<128xf32>, !tile.view<?xf32>
    %base = tile.splat %flags : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
    %lane = tile.iota : tensor<128xi32>
    %at = tile.ptr_add %base, %lane : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
    %old = tile.atomic_rmw add, acq_rel, gpu, %at, %one
      : tensor<128x!tile.ptr<i32>>, tensor<128xi32> -> tensor<128xi32>
    %v = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<128xf32>
    %older = tile.atomic_rmw add, relaxed, gpu, %at, %one
      : tensor<128x!tile.ptr<i32>>, tensor<128xi32> -> tensor<128xi32>
    tile.store %v, %y[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}

// -----

// Stores by TMA come in any order: one that may write where an earlier one of the same
// instance did waits until that is complete, others only until their source is read.
// CHECK-LABEL: hopper.kernel @again(
// CHECK: hopper.tma_store_wait 0{{$}}
// CHECK: hopper.tma_store {{.*}} to %y
// CHECK: scf.for
// CHECK: hopper.tma_store_wait 0 complete
// CHECK: hopper.tma_store {{.*}} to %z
tile.kernel @again(%x: !tile.view<?x?xf16>, %y: !tile.view<?x?xf16>, %z: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  aref.process "main" warps 4 registers 0 {
    %t = tile.load %x[%c0, %c0] : !tile.view<?x?xf16> -> tensor<1x64xf16>
    tile.store %t, %y[%c0, %c0] : tensor<1x64xf16>, !tile.view<?x?xf16>
    scf.for %k = %c0 to %n step %c1 {
      %u = tile.load %x[%k, %c0] : !tile.view<?x?xf16> -> tensor<1x64xf16>
      tile.store %u, %z[%c0, %c0] : tensor<1x64xf16>, !tile.view<?x?xf16>
    }
  }
}

// -----

// Iterations that go on by the whole tile do not meet, be what they store before loaded by
// them or not; those that go on by less, or stay in their place, do.
// CHECK-LABEL: hopper.kernel @walks(
// CHECK: scf.for
// CHECK-NOT: hopper.sync
// CHECK: hopper.global_load %x
// CHECK-NOT: hopper.sync
// CHECK: hopper.global_store %{{.*}}, %x
// CHECK-NOT: hopper.sync
// CHECK: hopper.global_store %{{.*}}, %y
// CHECK: scf.for
// CHECK: hopper.sync
// CHECK-NEXT: hopper.global_store %{{.*}}, %y
// CHECK: scf.for
// CHECK: hopper.sync
// CHECK-NEXT: hopper.global_store %{{.*}}, %y
// CHECK: scf.for
// CHECK: hopper.sync
// CHECK-NEXT: hopper.global_store %{{.*}}, %z
tile.kernel @walks(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %z: !tile.view<?x?xf32>, %r: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  aref.process "main" warps 4 registers 0 {
    scf.for %k = %c0 to %n step %c128 {
      %at = arith.maxsi %k, %c0 : index
      %t = tile.load %x[%r, %k] : !tile.view<?x?xf32> -> tensor<128xf32>
      tile.store %t, %x[%r, %k] : tensor<128xf32>, !tile.view<?x?xf32>
      tile.store %t, %y[%r, %at] : tensor<128xf32>, !tile.view<?x?xf32>
    }
    %u = tile.load %x[%r, %c0] : !tile.view<?x?xf32> -> tensor<128xf32>
    scf.for %k = %c0 to %n step %c64 {
      tile.store %u, %y[%r, %k] : tensor<128xf32>, !tile.view<?x?xf32>
    }
    scf.for %k = %c0 to %n step %c128 {
      tile.store %u, %y[%r, %c0] : tensor<128xf32>, !tile.view<?x?xf32>
    }
    // A number that may be negative is not where the larger of it and 0 is.
    scf.for %k = %r to %n step %c128 {
      %at = arith.maxsi %k, %c0 : index
      tile.store %u, %z[%r, %at] : tensor<128xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

// Two views that the launch makes of one pointer, an element apart: others read
// what a thread wrote. Rows of 32 elements each 64 apart never meet those that
// begin 32 further.
// CHECK-LABEL: hopper.kernel @views(
// CHECK: hopper.global_store %{{.*}}, %p.view
// CHECK: hopper.sync
// CHECK-NEXT: hopper.global_load %p.view2
// CHECK: hopper.global_load %q.view[
// CHECK-NEXT: hopper.global_load %q.view2[
// CHECK-NOT: hopper.sync
// CHECK: hopper.global_store %{{.*}}, %q.view[
// CHECK-NOT: hopper.sync
// CHECK: hopper.global_store %{{.*}}, %q.view2[
// With 33 of them they do.
// CHECK: hopper.global_load %r.view[
// CHECK-NEXT: hopper.global_load %r.view2[
// CHECK-NEXT: hopper.sync
// CHECK-NEXT: hopper.global_store %{{.*}}, %r.view[
tile.kernel @views(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %c64 = arith.constant 64 : index
  %p0 = tile.make_view %p, [%n], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
  %p_1 = tile.ptr_add %p, %c1 : !tile.ptr<f32>, index
  %p1 = tile.make_view %p_1, [%n], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
  %q0 = tile.make_view %q, [%c4, %c32], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %q_1 = tile.ptr_add %q, %c32 : !tile.ptr<f32>, index
  %q1 = tile.make_view %q_1, [%c4, %c32], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r0 = tile.make_view %r, [%c4, %c33], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r_1 = tile.ptr_add %r, %c32 : !tile.ptr<f32>, index
  %r1 = tile.make_view %r_1, [%c4, %c33], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  aref.process "main" warps 4 registers 0 {
    %t = tile.load %p0[%c0] : !tile.view<?xf32> -> tensor<128xf32>
    tile.store %t, %p0[%c0] : tensor<128xf32>, !tile.view<?xf32>
    %u = tile.load %p1[%c0] : !tile.view<?xf32> -> tensor<128xf32>
    tile.store %u, %p0[%n] : tensor<128xf32>, !tile.view<?xf32>
    %a = tile.load %q0[%c0, %c0] : !tile.view<?x?xf32> -> tensor<4x32xf32>
    %b = tile.load %q1[%c0, %c0] : !tile.view<?x?xf32> -> tensor<4x32xf32>
    tile.store %b, %q0[%c0, %c0] : tensor<4x32xf32>, !tile.view<?x?xf32>
    tile.store %a, %q1[%c0, %c0] : tensor<4x32xf32>, !tile.view<?x?xf32>
    %d = tile.load %r0[%c0, %c0] : !tile.view<?x?xf32> -> tensor<4x64xf32>
    %e = tile.load %r1[%c0, %c0] : !tile.view<?x?xf32> -> tensor<4x64xf32>
    tile.store %e, %r0[%c0, %c0] : tensor<4x64xf32>, !tile.view<?x?xf32>
    tile.store %d, %r1[%c0, %c0] : tensor<4x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// The last operation of a process acquires: the barrier has none behind it.
// CHECK-LABEL: hopper.kernel @acquires(
// CHECK: tile.atomic_rmw fadd, acq_rel
// CHECK-NEXT: hopper.sync
// CHECK-NEXT: }
tile.kernel @acquires(%p: !tile.ptr<f32>, %f: f32) {
  aref.process "main" warps 4 registers 0 {
    %old = tile.atomic_rmw fadd, acq_rel, gpu, %p, %f : !tile.ptr<f32>, f32 -> f32
  }
}
