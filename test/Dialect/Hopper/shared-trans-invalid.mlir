// RUN: heddle-opt %s --split-input-file --verify-diagnostics

hopper.kernel @other_type() source "k" threads 128 shared 8192 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64x32xf16, order = [1, 0], swizzle = 64>
    // expected-error @+1 {{makes '!hopper.smem<32x64xf16, order = [0, 1], swizzle = 64>' of '!hopper.smem<64x32xf16, order = [1, 0], swizzle = 64>', not}}
    %t = hopper.shared_trans %b : !hopper.smem<64x32xf16, order = [1, 0], swizzle = 64> -> !hopper.smem<32x64xf16, order = [1, 0], swizzle = 64>
  }
}

// -----

hopper.kernel @rank() source "k" threads 128 shared 8192 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64xf16, order = [0], swizzle = 0>
    // expected-error @+1 {{exchanges the axes of tiles of rank 2, not of rank 1}}
    %t = hopper.shared_trans %b : !hopper.smem<64xf16, order = [0], swizzle = 0> -> !hopper.smem<64xf16, order = [0], swizzle = 0>
  }
}

// -----

// The rules of the tile below hold for its other name.
hopper.kernel @not_visible() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    %z = arith.constant 0.0 : f16
    %v = tile.splat %z : f16 -> tensor<64x64xf16, #hopper.layout<lane = [0,2, 0,4, 1,0, 2,0, 4,0], warp = [16,0, 32,0], reg = [0,1, 8,0], tile = [64,8], rep = [1,8]>>
    hopper.local_store %v, %b : tensor<64x64xf16, #hopper.layout<lane = [0,2, 0,4, 1,0, 2,0, 4,0], warp = [16,0, 32,0], reg = [0,1, 8,0], tile = [64,8], rep = [1,8]>>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    %t = hopper.shared_trans %b : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128> -> !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
    // expected-error @+1 {{reads shared memory at 0 through the async proxy, but the threads that wrote it have no fence since}}
    %f = hopper.wgmma %b, %t : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>, !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128> -> !hopper.flight<tensor<64x64xf32, #hopper.layout<lane = [0,2, 0,4, 1,0, 2,0, 4,0], warp = [16,0, 32,0], reg = [0,1, 8,0], tile = [64,8], rep = [1,8]>>>
  }
}
