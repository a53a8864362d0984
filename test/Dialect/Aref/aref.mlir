// RUN: heddle-opt %s | heddle-opt | FileCheck %s

// Text form of what the expander does not make: a stream whose length its
// consumers do not know, and a slot that is filled and one that is freed by a
// flight.

// CHECK-LABEL: tile.kernel @stream
tile.kernel @stream(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = aref.ring "r" depth 2 : !aref.ring<[f32, i1]>
  %s = aref.ring "s" depth 1 : !aref.ring<[f32]>
  aref.process "make" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[f32, i1]>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!aref.turn) {
      %a, %next = aref.acquire %r[%t] : !aref.ring<[f32, i1]>
      %more = arith.cmpi slt, %i, %n : index
      aref.publish %r[%a], %x, %more : !aref.ring<[f32, i1]>, f32, i1
      scf.yield %next : !aref.turn
    }
    // CHECK: aref.close %{{.*}}[%{{.*}}] : !aref.ring<[f32, i1]>
    aref.close %r[%last] : !aref.ring<[f32, i1]>
  }
  aref.process "use" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[f32, i1]>
    %u0 = aref.first_turn %s : !aref.ring<[f32]>
    %end:2 = scf.while (%t = %t0, %u = %u0) : (!aref.turn, !aref.turn) -> (!aref.turn, !aref.turn) {
      // CHECK: aref.more %{{.*}}[%{{.*}}] : !aref.ring<[f32, i1]>
      %more = aref.more %r[%t] : !aref.ring<[f32, i1]>
      scf.condition(%more) %t, %u : !aref.turn, !aref.turn
    } do {
    ^bb0(%t: !aref.turn, %u: !aref.turn):
      %a, %t1, %v, %flag = aref.get %r[%t] : !aref.ring<[f32, i1]> -> f32, i1
      %f = aref.start "unit" (%y = %v : f32) {
        %z = arith.addf %y, %y : f32
        aref.yield %z : f32
      } : !aref.flight<f32>
      %b, %u1 = aref.acquire %s[%u] : !aref.ring<[f32]>
      // CHECK: aref.publish %{{.*}}[%{{.*}}], %[[F:.*]] : !aref.ring<[f32]>, !aref.flight<f32>
      aref.publish %s[%b], %f : !aref.ring<[f32]>, !aref.flight<f32>
      // CHECK: aref.release %{{.*}}[%{{.*}}] after %[[F]] : !aref.ring<[f32, i1]>, !aref.flight<f32>
      aref.release %r[%a] after %f : !aref.ring<[f32, i1]>, !aref.flight<f32>
      scf.yield %t1, %u1 : !aref.turn, !aref.turn
    }
  }
}
