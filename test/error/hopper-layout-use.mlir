// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: 'arith.constant' has a layout over 4 warps in process 'p' of 2 [hopper-layout-use]
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
hopper.kernel @layout_warps() source "k" threads 64 shared 8192 tma [] {
  hopper.process "p" warps 0 + 2 registers 0 {
    %a = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  }
}

