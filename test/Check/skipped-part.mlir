// The first part of a split loop does nothing and is left out; the second goes
// on by itself. Nobody arrives at the ring, so the wait in a loop that never
// runs is all there is.
// RUN: heddle check %s | FileCheck %s
// CHECK: @k: proved
!v = !tile.view<?x?xf16>
!lens = !tile.view<?xi32>
hopper.kernel @k(%a: !v, %b: !v, %lens: !lens, %n: index, %m: index) source "k" threads 256 shared 65536 tma [0, 1] {
  hopper.ring "r0" depth 3 at 0 slot 256 full 61440 x 1 empty 61504 x 2
  hopper.process "p1" warps 4 + 2 registers 0 {
    %v81 = arith.constant 0 : i16
    %v82 = arith.constant 0 : i16
    %v83 = arith.constant 0 : index
    %v86 = arith.constant 0 : index
    %v87 = arith.constant 1 : index
    %v89 = arith.constant 0 : index
    %v90 = arith.constant 0 : index
    %v91:2 = scf.for %v92 = %v83 to %v90 step %v87 iter_args(%v93 = %v81, %v94 = %v82) -> (i16, i16) {
      scf.yield %v93, %v94 : i16, i16
    }
    %v98:2 = scf.for %v99 = %v89 to %v86 step %v87 iter_args(%v100 = %v91#0, %v101 = %v91#1) -> (i16, i16) {
      %v102 = arith.constant 0 : index
      %v105:3 = scf.while (%v106 = %v102, %v107 = %v100, %v108 = %v101) : (index, i16, i16) -> (index, i16, i16) {
        %v109 = arith.constant false
        scf.condition(%v109) %v106, %v107, %v108 : index, i16, i16
      } do {
      ^bb0(%v110: index, %v111: i16, %v112: i16):
        %v113 = arith.constant 0 : i32
        %v114 = arith.constant 0 : i32
        hopper.wait "r0" "full"[%v113] phase %v114
        %v129 = arith.constant 0 : i16
        %v130 = arith.constant 0 : i16
        %v131 = arith.constant 0 : index
        scf.yield %v131, %v129, %v130 : index, i16, i16
      }
      scf.yield %v105#1, %v105#2 : i16, i16
    }
  }
}
