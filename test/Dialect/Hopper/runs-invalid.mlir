// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{lists argument 0 under multiples, which is no number or address}}
hopper.kernel @no_number(%a: !tile.view<?xf16>, %n: index) source "k" threads 128 shared 0 tma [] multiples [0] {
}

// -----

// Nobody asks where the memory begins.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @no_promise(%p: !tile.ptr<f16>) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %i = tile.iota : tensor<1024xi32, #row>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #row>
    %at = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f16>, #row>, tensor<1024xi32, #row>
    // expected-error @+1 {{accesses 8 elements at once, but only 1 are known to be aligned neighbours under one mask}}
    %x = tile.gather %at {hopper.vector = 8 : i64} : tensor<1024x!tile.ptr<f16>, #row> -> tensor<1024xf16, #row>
  }
}

// -----

// A row of 12 ends within 8 elements.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @short_row(%p: !tile.ptr<f16>) source "k" threads 128 shared 0 tma [] multiples [0] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %i = tile.iota : tensor<1024xi32, #row>
    %c12 = arith.constant 12 : i32
    %twelve = tile.splat %c12 : i32 -> tensor<1024xi32, #row>
    %column = arith.remsi %i, %twelve : tensor<1024xi32, #row>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #row>
    %at = tile.ptr_add %ps, %column : tensor<1024x!tile.ptr<f16>, #row>, tensor<1024xi32, #row>
    %x = tile.gather %at {hopper.vector = 4 : i64} : tensor<1024x!tile.ptr<f16>, #row> -> tensor<1024xf16, #row>
    // expected-error @+1 {{accesses 8 elements at once, but only 4 are known}}
    tile.scatter %x, %at {hopper.vector = 8 : i64} : tensor<1024xf16, #row>, tensor<1024x!tile.ptr<f16>, #row>
  }
}

// -----

// A mask that ends within 8 elements.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @mask(%p: !tile.ptr<f16>, %n: i32) source "k" threads 128 shared 0 tma [] multiples [0] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %i = tile.iota : tensor<1024xi32, #row>
    %ns = tile.splat %n : i32 -> tensor<1024xi32, #row>
    %below = arith.cmpi slt, %i, %ns : tensor<1024xi32, #row>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #row>
    %at = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f16>, #row>, tensor<1024xi32, #row>
    // expected-error @+1 {{accesses 8 elements at once, but only 1 are known}}
    %x = tile.gather %at mask %below : tensor<1024xi1, #row> {hopper.vector = 8 : i64} : tensor<1024x!tile.ptr<f16>, #row> -> tensor<1024xf16, #row>
  }
}

// -----

// More than 16 bytes.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @wide(%p: !tile.ptr<f32>) source "k" threads 128 shared 0 tma [] multiples [0] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %i = tile.iota : tensor<1024xi32, #row>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #row>
    %at = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi32, #row>
    // expected-error @+1 {{accesses 8 elements at once, but only 4 are known}}
    %x = tile.gather %at {hopper.vector = 8 : i64} : tensor<1024x!tile.ptr<f32>, #row> -> tensor<1024xf32, #row>
  }
}

// -----

// Neighbours in memory, but in registers of other lanes.
#lanes = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [128, 256, 512], tile = [1024], rep = [1]>
hopper.kernel @apart(%p: !tile.ptr<f16>) source "k" threads 128 shared 0 tma [] multiples [0] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %i = tile.iota : tensor<1024xi32, #lanes>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #lanes>
    %at = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f16>, #lanes>, tensor<1024xi32, #lanes>
    // expected-error @+1 {{accesses 2 elements at once, but only 1 are known}}
    %x = tile.gather %at {hopper.vector = 2 : i64} : tensor<1024x!tile.ptr<f16>, #lanes> -> tensor<1024xf16, #lanes>
  }
}

// -----

// Quotients by 4 are the same for 4 elements.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @repeated(%p: !tile.ptr<f16>) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %i = tile.iota : tensor<1024xi32, #row>
    %c4 = arith.constant 4 : i32
    %four = tile.splat %c4 : i32 -> tensor<1024xi32, #row>
    %group = arith.divsi %i, %four : tensor<1024xi32, #row>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #row>
    %at = tile.ptr_add %ps, %group : tensor<1024x!tile.ptr<f16>, #row>, tensor<1024xi32, #row>
    %x = tile.gather %at {hopper.repeats = 4 : i64} : tensor<1024x!tile.ptr<f16>, #row> -> tensor<1024xf16, #row>
    // expected-error @+1 {{reads one element for 8 registers, but only 4 are known to have one address and one mask}}
    %y = tile.gather %at {hopper.repeats = 8 : i64} : tensor<1024x!tile.ptr<f16>, #row> -> tensor<1024xf16, #row>
  }
}

// -----

// Each element is stored.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @stored(%p: !tile.ptr<f16>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0.0 : f16
  hopper.process "p" warps 0 + 4 registers 0 {
    %x = tile.splat %c0 : f16 -> tensor<1024xf16, #row>
    %at = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #row>
    // expected-error @+1 {{reads one element for 2 registers, but only 1 are known}}
    tile.scatter %x, %at {hopper.repeats = 2 : i64} : tensor<1024xf16, #row>, tensor<1024x!tile.ptr<f16>, #row>
  }
}
