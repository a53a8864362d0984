// RUN: heddle-opt %s --hopper-to-nvvm --split-input-file --verify-diagnostics

#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#wide = #hopper.layout<lane = [0, 8, 0, 16, 0, 32, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1, 0, 2, 0, 4], tile = [16, 64], rep = [4, 1]>
hopper.kernel @round_trip() source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %t = arith.constant dense<0.0> : tensor<64x64xf16, #rows>
    // expected-error @+1 {{needs a round trip through shared memory, which the expansion to threads does not provide}}
    %u = hopper.convert_layout %t : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #wide>
  }
}

// -----

hopper.kernel @no_layout() source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{tile 'tensor<64x64xf16>' has no register layout}}
    %t = arith.constant dense<0.0> : tensor<64x64xf16>
  }
}

// -----

#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 0>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
hopper.kernel @swizzle() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    // expected-error @+1 {{needs operands in shared memory with a swizzle of 32, 64 or 128 bytes}}
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<tensor<64x64xf32, #rows>>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<tensor<64x64xf32, #rows>> -> tensor<64x64xf32, #rows>
  }
}

// -----

#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#swap = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0, 0, 1], tile = [64, 8], rep = [1, 8]>
!a = tensor<64x64xf16, #swap>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
hopper.kernel @fragments() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = arith.constant dense<0.0> : !a
    %b = hopper.buffer "b" at 8192 : !b
    // expected-error @+1 {{needs its register operand in the layout of wgmma's A fragments}}
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<tensor<64x64xf32, #rows>>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<tensor<64x64xf32, #rows>> -> tensor<64x64xf32, #rows>
  }
}

// -----

#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!a = tensor<64x64xf8E5M2, #rows>
!b = !hopper.smem<64x64xf8E5M2, order = [0, 1], swizzle = 64>
hopper.kernel @sums_as_fragments() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = arith.constant dense<0.0> : !a
    %b = hopper.buffer "b" at 8192 : !b
    // expected-error @+1 {{needs its register operand in the layout of wgmma's A fragments}}
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<tensor<64x64xf32, #rows>>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<tensor<64x64xf32, #rows>> -> tensor<64x64xf32, #rows>
  }
}

// -----

#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#bytes = #hopper.layout<lane = [0, 4, 0, 8, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 0, 2, 8, 0, 0, 16], tile = [64, 32], rep = [1, 2]>
!a = tensor<64x64xf8E5M2, #bytes>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
hopper.kernel @unlike_fragments() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = arith.constant dense<0.0> : !a
    %b = hopper.buffer "b" at 8192 : !b
    // expected-error @+1 {{multiplies f16, bf16 or 8-bit numbers of registers, and those of shared memory alike, not 'f8E5M2' by 'f16'}}
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<tensor<64x64xf32, #rows>>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<tensor<64x64xf32, #rows>> -> tensor<64x64xf32, #rows>
  }
}

// -----

#lanes = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @values() source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %t = arith.constant dense<0.0> : tensor<128xf32, #lanes>
    // expected-error @+1 {{has no expansion to threads}}
    tile.print "t", %t : tensor<128xf32, #lanes>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [], tile = [32], rep = [1]>
hopper.kernel @no_function(%x: !tile.view<?xf32>) source "k" threads 32 shared 0 tma [] {
  hopper.process "p" warps 0 + 1 registers 0 {
    %c0 = arith.constant 0 : index
    %v = hopper.global_load %x[%c0] : !tile.view<?xf32> -> tensor<32xf32, #row>
    // expected-error @+1 {{'math.erfc' has no instruction on sm_90a; write it with exp2, log2, sin, cos, tanh, erf, sqrt and arithmetic}}
    %u = math.erfc %v : tensor<32xf32, #row>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [], tile = [32], rep = [1]>
hopper.kernel @no_double(%x: !tile.view<?xf64>) source "k" threads 32 shared 0 tma [] {
  hopper.process "p" warps 0 + 1 registers 0 {
    %c0 = arith.constant 0 : index
    %v = hopper.global_load %x[%c0] : !tile.view<?xf64> -> tensor<32xf64, #row>
    // expected-error @+1 {{'math.exp2' has no instruction for f64 on sm_90a; cast its operand to f32}}
    %u = math.exp2 %v : tensor<32xf64, #row>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [], tile = [32], rep = [1]>
hopper.kernel @no_infinity(%x: !tile.view<?xf32>) source "k" threads 32 shared 0 tma [] {
  hopper.process "p" warps 0 + 1 registers 0 {
    %c0 = arith.constant 0 : index
    %v = hopper.global_load %x[%c0] : !tile.view<?xf32> -> tensor<32xf32, #row>
    // expected-error @+1 {{rounds to 'f8E5M2' without saturating, for which sm_90a has no instruction; use tile.cast, which saturates}}
    %u = arith.truncf %v : tensor<32xf32, #row> to tensor<32xf8E5M2, #row>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [], tile = [32], rep = [1]>
hopper.kernel @no_rounding(%x: !tile.view<?xf32>) source "k" threads 32 shared 0 tma [] {
  hopper.process "p" warps 0 + 1 registers 0 {
    %c0 = arith.constant 0 : index
    %v = hopper.global_load %x[%c0] : !tile.view<?xf32> -> tensor<32xf32, #row>
    // expected-error @+1 {{no instruction of sm_90a converts 'f32' to 'f16' with this rounding}}
    %u = arith.truncf %v upward : tensor<32xf32, #row> to tensor<32xf16, #row>
  }
}

// -----

#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!a = !hopper.smem<64x64xf8E4M3FN, order = [1, 0], swizzle = 64>
!b = !hopper.smem<64x64xf8E4M3FN, order = [1, 0], swizzle = 64>
hopper.kernel @bytes() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    // expected-error @+1 {{reads 8-bit elements only with stride 1 along K, axis 0}}
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<tensor<64x64xf32, #rows>>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<tensor<64x64xf32, #rows>> -> tensor<64x64xf32, #rows>
  }
}

// -----

// Operands of another division among warps than the sums.
#a = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [0, 0, 0, 0], reg = [0, 1, 8, 0, 0, 8], tile = [16, 16], rep = [1, 1]>
#b = #hopper.layout<lane = [2, 0, 4, 0, 0, 1, 0, 2, 0, 4], warp = [0, 8], reg = [1, 0, 8, 0], tile = [16, 16], rep = [1, 2]>
#sums = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [0, 8, 0, 16], reg = [0, 1, 8, 0], tile = [16, 32], rep = [1, 1]>
hopper.kernel @other_warps() source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = arith.constant dense<0.0> : tensor<16x16xf16, #a>
    %b = arith.constant dense<0.0> : tensor<16x32xf16, #b>
    %z = arith.constant dense<0.0> : tensor<16x32xf32, #sums>
    // expected-error @+1 {{multiplies tiles of 'f16' and 'f16' to sums of 'f32' in layouts that neither mma.sync nor threads take}}
    %d = tile.dot %a, %b, %z : tensor<16x16xf16, #a>, tensor<16x32xf16, #b> -> tensor<16x32xf32, #sums>
  }
}

