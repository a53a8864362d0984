// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 11:10: error: 'hopper.reduce' gives 'tensor<1x8xf32, #hopper.layout<lane = [0, 2, 0, 4, 0, 0, 0, 0, 0, 0], warp = [0, 0, 0, 0], reg = [0, 1], tile = [1, 8], rep = [1, 1]>>'; combined along axis 0 it is 'tensor<4x8xf32, #hopper.layout<lane = [0, 2, 0, 4, 0, 0, 0, 0, 0, 0], warp = [1, 0, 2, 0], reg = [0, 1], tile = [4, 8], rep = [1, 1]>>' [combine-form]
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
!acc = tensor<64x8xf32, #acc>

// Warps differ along axis 0, so four parts remain.
hopper.kernel @k(%f: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %v = tile.splat %f : f32 -> !acc
    %s = hopper.reduce %v axis 0 : !acc -> tensor<1x8xf32, #hopper.layout<lane = [0, 2, 0, 4, 0, 0, 0, 0, 0, 0], warp = [0, 0, 0, 0], reg = [0, 1], tile = [1, 8], rep = [1, 1]>>
        combine (%p: f32, %q: f32) {
      %t = arith.addf %p, %q : f32
      hopper.yield %t : f32
    }
  }
}

