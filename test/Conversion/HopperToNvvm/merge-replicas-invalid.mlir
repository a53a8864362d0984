// RUN: heddle-opt %s --hopper-to-nvvm --split-input-file --verify-diagnostics
//
// Processes that are called replicas and are none.

// The second does one step more.
hopper.kernel @step(%n: index) source "k" threads 256 shared 64 tma [] {
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 {
    hopper.sync 1 threads 128
  }
  // expected-error@below {{process 'b' is no replica of 'a': it does more than that, or the same in another order}}
  hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "a"} {
    hopper.sync 2 threads 128
    hopper.fence_async
  }
}

// -----

// They add other numbers that are no whole ones.
#v = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @factor(%x: !tile.view<?xf32>, %n: index) source "k" threads 256 shared 0 tma [] {
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = tile.splat %one : f32 -> tensor<128xf32, #v>
    hopper.global_store %t, %x[%c0] : tensor<128xf32, #v>, !tile.view<?xf32>
  }
  // expected-error@below {{process 'b' is no replica of 'a': a step of that is 'hopper.global_store', and it has none like it there}}
  hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "a"} {
    %c128 = arith.constant 128 : index
    %two = arith.constant 2.0 : f32
    %t = tile.splat %two : f32 -> tensor<128xf32, #v>
    hopper.global_store %t, %x[%c128] : tensor<128xf32, #v>, !tile.view<?xf32>
  }
}

// -----

// Other views are other parameters, not other numbers.
#v = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @views(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>, %n: index) source "k" threads 256 shared 0 tma [] {
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = tile.splat %one : f32 -> tensor<128xf32, #v>
    hopper.global_store %t, %x[%c0] : tensor<128xf32, #v>, !tile.view<?xf32>
  }
  // expected-error@below {{process 'b' is no replica of 'a': a step of that is 'hopper.global_store', and it has none like it there}}
  hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "a"} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = tile.splat %one : f32 -> tensor<128xf32, #v>
    hopper.global_store %t, %y[%c0] : tensor<128xf32, #v>, !tile.view<?xf32>
  }
}

// -----

// The same with other registers.
hopper.kernel @registers(%n: index) source "k" threads 256 shared 64 tma [] {
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 160 {
    hopper.sync 1 threads 128
  }
  // expected-error@below {{process 'b' is no replica of 'a': it has 4 warps and 152 registers a thread, and that has 4 and 160; give both the same, or take its replica_of away}}
  hopper.process "b" warps 4 + 4 registers 152 attributes {replica_of = "a"} {
    hopper.sync 2 threads 128
  }
}

// -----

// Slots are as far apart as their rings have bytes for them: what is multiplied differs.
!s = !hopper.smem<16x16xf16, order = [1, 0], swizzle = 32>
#l = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [0, 0, 0, 0], reg = [0, 1, 8, 0, 0, 8], tile = [16, 16], rep = [1, 1]>
hopper.kernel @stride(%n: index, %slot: i32) source "k" threads 256 shared 4096 tma [] {
  hopper.ring "x" depth 2 at 0 slot 512 full 3072 x 4 empty 3088 x 4
  hopper.ring "y" depth 2 at 1024 slot 1024 full 3104 x 4 empty 3120 x 4
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    hopper.wait "x" "full"[%c0] phase %c0
    %t = hopper.slot "x"[%slot] at 0 : !s
    %v = hopper.local_load %t : !s -> tensor<16x16xf16, #l>
  }
  // expected-error@below {{process 'b' is no replica of 'a': a step of that is 'hopper.local_load', and it has none like it there}}
  hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "a"} {
    %c0 = arith.constant 0 : i32
    hopper.wait "y" "full"[%c0] phase %c0
    %t = hopper.slot "y"[%slot] at 0 : !s
    %v = hopper.local_load %t : !s -> tensor<16x16xf16, #l>
  }
}

// -----

// One of a name that there is none of, or none in front of it.
hopper.kernel @name(%n: index) source "k" threads 256 shared 64 tma [] {
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 {
    hopper.sync 1 threads 128
  }
  // expected-error@below {{process 'b' is no replica of 'c': no process of that name stands in front of it}}
  hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "c"} {
    hopper.sync 2 threads 128
  }
}
