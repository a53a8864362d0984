// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:1: error: 'hopper.kernel' needs one hopper.grid [grid-rule]
#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#wide = #hopper.layout<lane = [0, 8, 0, 16, 0, 32, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1, 0, 2, 0, 4], tile = [16, 64], rep = [4, 1]>
hopper.kernel @round_trip() source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %t = arith.constant dense<0.0> : tensor<64x64xf16, #rows>
    %u = hopper.convert_layout %t : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #wide>
  }
}

