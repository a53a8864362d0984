// RUN: heddle-opt %s --split-input-file --verify-diagnostics

#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
// expected-error @+1 {{lists argument 1 under rows, which is no view}}
hopper.kernel @no_view(%a: !tile.view<?xf16>, %n: index) source "k" threads 128 shared 0 tma [] rows [1] {
}

// -----

#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @no_promise(%a: !tile.view<?xf16>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{accesses 8 elements at once, which needs a view that the kernel lists under rows}}
    %x = hopper.global_load %a[%c0] vector 8 : !tile.view<?xf16> -> tensor<1024xf16, #row>
  }
}

// -----

// An offset that nobody knows may be odd; a multiple of 12 is one of 4.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @offset(%a: !tile.view<?xf16>, %n: index) source "k" threads 128 shared 0 tma [] rows [0] {
  %c12 = arith.constant 12 : index
  %twelves = arith.muli %n, %c12 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    %x = hopper.global_load %a[%twelves] vector 4 : !tile.view<?xf16> -> tensor<1024xf16, #row>
    // expected-error @+1 {{accesses 8 elements at once, but only 4 are known to be aligned neighbours in one thread}}
    hopper.global_store %x, %a[%twelves] vector 8 : tensor<1024xf16, #row>, !tile.view<?xf16>
  }
}

// -----

// More than 16 bytes.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @wide(%a: !tile.view<?xf32>) source "k" threads 128 shared 0 tma [] rows [0] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{accesses 8 elements at once, but only 4 are known}}
    %x = hopper.global_load %a[%c0] vector 8 : !tile.view<?xf32> -> tensor<1024xf32, #row>
  }
}

// -----

// Neighbours along an axis that is not the view's fastest.
#rows = #hopper.layout<lane = [0, 8, 0, 16, 0, 32, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1, 0, 2, 0, 4], tile = [16, 64], rep = [1, 1]>
hopper.kernel @axis(%a: !tile.view<?x?xf16, #tile.order<0, 1>>) source "k" threads 128 shared 0 tma [] rows [0] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{accesses 2 elements at once, but only 1 are known}}
    %x = hopper.global_load %a[%c0, %c0] vector 2 : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<16x64xf16, #rows>
  }
}

// -----

// Rows of merged axes are pieces of memory's rows; those are what the kernel lists.
#rows = #hopper.layout<lane = [0, 4, 0, 8, 0, 16, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1, 0, 2], tile = [16, 32], rep = [1, 1]>
hopper.kernel @merged(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?x?xf16>) source "k" threads 128 shared 0 tma [] rows [0] {
  %c0 = arith.constant 0 : index
  %m = tile.merge %a axes 1 to 2 : !tile.view<?x?x?xf16> -> !tile.view<?x?xf16>
  %n = tile.merge %b axes 1 to 2 : !tile.view<?x?x?xf16> -> !tile.view<?x?xf16>
  hopper.process "p" warps 0 + 4 registers 0 {
    %x = hopper.global_load %m[%c0, %c0] vector 4 : !tile.view<?x?xf16> -> tensor<16x32xf16, #rows>
    // expected-error @+1 {{accesses 4 elements at once, which needs a view that the kernel lists under rows}}
    hopper.global_store %x, %n[%c0, %c0] vector 4 : tensor<16x32xf16, #rows>, !tile.view<?x?xf16>
  }
}

// -----

// Neighbouring windows are no neighbours in memory.
#rows = #hopper.layout<lane = [0, 4, 0, 8, 0, 16, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1, 0, 2], tile = [16, 32], rep = [1, 1]>
hopper.kernel @windows(%a: !tile.view<?x?xf16>, %n: index) source "k" threads 128 shared 0 tma [] rows [0] {
  %c0 = arith.constant 0 : index
  %w = tile.window %a axis 1 extent %n, window 0 extent %n, low %c0 : !tile.view<?x?xf16> -> !tile.view<?x?x?xf16, #tile.order<2, 0, 1>>
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{accesses 2 elements at once, which needs a view that the kernel lists under rows}}
    %x = hopper.global_load %w[%c0, %c0, %c0] vector 2 : !tile.view<?x?x?xf16, #tile.order<2, 0, 1>> -> tensor<16x32xf16, #rows>
  }
}

// -----

// What threads move has the view's elements, and a place along each of its axes.
#l = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @elements(%a: !tile.view<?xf32>) source "elements" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{with 1 offsets to or from '!tile.view<?xf32>'}}
    %x = hopper.global_load %a[%c0] : !tile.view<?xf32> -> tensor<128xf16, #l>
  }
}

// -----

#l = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @places(%a: !tile.view<?x?xf32>) source "places" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    %x = hopper.global_load %a[%c0, %c0] : !tile.view<?x?xf32> -> tensor<128xf32, #l>
    // expected-error @+1 {{with 1 offsets to or from '!tile.view<?x?xf32>'}}
    hopper.global_store %x, %a[%c0] : tensor<128xf32, #l>, !tile.view<?x?xf32>
  }
}

// -----

#l = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @larger(%a: !tile.view<?xf32>) source "larger" threads 128 shared 256 tma [] {
  %t = hopper.buffer "b" at 0 : !hopper.smem<64xf32, order = [0], swizzle = 0>
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{to or from '!hopper.smem<64xf32, order = [0], swizzle = 0>'}}
    %x = hopper.local_load %t : !hopper.smem<64xf32, order = [0], swizzle = 0> -> tensor<128xf32, #l>
  }
}

// -----

hopper.kernel @number(%a: !tile.view<4097xi32>) source "number" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{has the number -1; stamps have 0 to 1023}}
    hopper.stamp %a[-1] "work" [] : !tile.view<4097xi32>
  }
}

// -----

hopper.kernel @trace(%a: !tile.view<?xi32>) source "trace" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{notes the clock in '!tile.view<?xi32>', which is no argument of type '!tile.view<4097xi32>'}}
    hopper.stamp %a[0] "work" [] : !tile.view<?xi32>
  }
}

// -----

// Whoever looks may store several elements of any view, but only as many as a thread holds side by side.
#row = #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>
hopper.kernel @looks(%a: !tile.view<?xf16>, %n: index) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    %x = hopper.global_load %a[%c0] : !tile.view<?xf16> -> tensor<1024xf16, #row>
    hopper.global_store %x, %a[%c0] vector 4 looks : tensor<1024xf16, #row>, !tile.view<?xf16>
    // expected-error @+1 {{accesses 16 elements at once, but only 8 are known to be aligned neighbours in one thread}}
    hopper.global_store %x, %a[%c0] vector 16 looks : tensor<1024xf16, #row>, !tile.view<?xf16>
  }
}

// -----

#row = #hopper.layout<lane = [0, 8, 0, 16, 1, 0, 2, 0, 4, 0], warp = [8, 0, 16, 0], reg = [0, 1, 0, 2, 0, 4], tile = [32, 32], rep = [1, 1]>
hopper.kernel @windows(%a: !tile.view<?x?xf16>, %n: index) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    %w = tile.window %a axis 0 extent %n, window 0 extent %n, low %n : !tile.view<?x?xf16> -> !tile.view<?x?x?xf16>
    %x = hopper.global_load %w[%c0, %c0, %c0] : !tile.view<?x?x?xf16> -> tensor<32x32xf16, #row>
    // expected-error @+1 {{looks whether rows are aligned, which a view of windows has not}}
    hopper.global_store %x, %w[%c0, %c0, %c0] vector 8 looks : tensor<32x32xf16, #row>, !tile.view<?x?x?xf16>
  }
}
