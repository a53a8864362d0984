// RUN: heddle-opt %s --hopper-to-nvvm --verify-diagnostics --split-input-file

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#other = #hopper.layout<lane = [1, 0, 2, 0, 4, 0, 0, 2, 0, 4], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>

// Lanes hold other elements: neither free nor provided.
hopper.kernel @k(%c: !tile.view<?x?xf32>, %f: f32) source "k" threads 128 shared 0 tma [] {
  %n = arith.constant 1 : index
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 {
    %i = arith.constant 0 : index
    %v = hopper.global_load %c[%i, %i] : !tile.view<?x?xf32> -> tensor<64x64xf32, #acc>
    // expected-error@below {{which the expansion to threads does not provide}}
    %w = hopper.convert_layout %v : tensor<64x64xf32, #acc> -> tensor<64x64xf32, #other>
    hopper.global_store %w, %c[%i, %i] : tensor<64x64xf32, #other>, !tile.view<?x?xf32>
  }
}

// -----

hopper.kernel @k(%c: !tile.view<?x?xf32>, %f: f32) source "k" threads 128 shared 0 tma [] {
  %n = arith.constant 1 : index
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 {
    %i = arith.constant 0 : index
    // expected-error@below {{has no register layout}}
    %v = hopper.global_load %c[%i, %i] : !tile.view<?x?xf32> -> tensor<64x64xf32>
  }
}
