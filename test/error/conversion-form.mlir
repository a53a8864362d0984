// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 9:10: error: 'hopper.subtile' needs elements that another thread holds or that lie outside the tile [conversion-form]
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#far = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 4]>
hopper.kernel @subtile() source "k" threads 128 shared 8192 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %b = hopper.subtile %a at [0, 4] : tensor<64x64xf32, #acc> -> tensor<64x32xf32, #far>
  }
}
