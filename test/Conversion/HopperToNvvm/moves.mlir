// RUN: heddle compile %s -o - | FileCheck %s
// A convert_layout within warps: where only lanes trade places, one shuffle a
// register; where a lane trades with a register, two and a selection.

// CHECK-LABEL: .entry swap(
// CHECK-COUNT-4: shfl.sync.idx.b32 %{{.*}}, %{{.*}}, %{{.*}}, 31, -1
// CHECK-NOT: {{shfl|selp}}
// CHECK: st.global

#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
#swap = #hopper.layout<lane = [1, 0, 0, 4, 0, 2, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
hopper.kernel @swap(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>) source "swap" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %t = hopper.global_load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x8xf32, #rows>
    %u = hopper.convert_layout %t : tensor<64x8xf32, #rows> -> tensor<64x8xf32, #swap>
    hopper.global_store %u, %y[%c0, %c0] : tensor<64x8xf32, #swap>, !tile.view<?x?xf32>
  }
}

// CHECK-LABEL: .entry trade(
// CHECK-COUNT-4: shfl.sync.idx.b32 %{{.*}}, %{{.*}}, %{{.*}}, 31, -1
// CHECK-NOT: shfl
// CHECK: st.global

#pair = #hopper.layout<lane = [2, 4, 8, 16, 32], warp = [], reg = [1], tile = [64], rep = [1]>
#far = #hopper.layout<lane = [1, 4, 8, 16, 32], warp = [], reg = [2], tile = [64], rep = [1]>
hopper.kernel @trade(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) source "trade" threads 32 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 1 registers 0 {
    %t = hopper.global_load %x[%c0] : !tile.view<?xf32> -> tensor<64xf32, #pair>
    %u = hopper.convert_layout %t : tensor<64xf32, #pair> -> tensor<64xf32, #far>
    hopper.global_store %u, %y[%c0] : tensor<64xf32, #far>, !tile.view<?xf32>
  }
}

// A scan over registers and lanes: the second register, the total of each lane
// run, and what comes before, added to both.
// CHECK-LABEL: .entry scan(
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: st.global

hopper.kernel @scan(%x: !tile.view<?xi32>, %y: !tile.view<?xi32>) source "scan" threads 32 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 1 registers 0 {
    %t = hopper.global_load %x[%c0] : !tile.view<?xi32> -> tensor<64xi32, #pair>
    %u = hopper.scan %t axis 0 : tensor<64xi32, #pair> -> tensor<64xi32, #pair> combine (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      hopper.yield %s : i32
    }
    hopper.global_store %u, %y[%c0] : tensor<64xi32, #pair>, !tile.view<?xi32>
  }
}

// Sums narrowed to 8 bits become an operand of wgmma by words: a selection, a shuffle and
// a permutation of bytes for each four elements of a thread.
// CHECK-LABEL: .entry words(
// CHECK-COUNT-4: shfl.sync.idx.b32 %{{.*}}, %{{.*}}, %{{.*}}, 31, -1
// CHECK-NOT: shfl
// CHECK-COUNT-4: prmt.b32 %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}};
// CHECK: st.global

#sums = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 4]>
#bytes = #hopper.layout<lane = [0, 4, 0, 8, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 0, 2, 8, 0, 0, 16], tile = [64, 32], rep = [1, 1]>
hopper.kernel @words(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf8E5M2>) source "words" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %t = hopper.global_load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x32xf32, #sums>
    %n = tile.cast %t : tensor<64x32xf32, #sums> -> tensor<64x32xf8E5M2, #sums>
    %u = hopper.convert_layout %n : tensor<64x32xf8E5M2, #sums> -> tensor<64x32xf8E5M2, #bytes>
    hopper.global_store %u, %y[%c0, %c0] : tensor<64x32xf8E5M2, #bytes>, !tile.view<?x?xf8E5M2>
  }
}
