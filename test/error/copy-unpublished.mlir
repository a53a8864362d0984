// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 11:10: error: 'hopper.copy' may go on, and no single hopper.arrive after it in its block names it for the slot that it writes [copy-unpublished]
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @lost(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 8208 tma [] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 128 empty 8200 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !a
    %c = hopper.copy %v[%c0, %c0] to %a : !tile.view<?x?xf16>, !a -> i1
    hopper.arrive "r" "full"[%i0]
  }
}
