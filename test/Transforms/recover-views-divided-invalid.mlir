// RUN: heddle-opt %s --split-input-file --tile-recover-views --canonicalize --verify-diagnostics | FileCheck %s

// The first place of these is no multiple of 8, or may be negative: a group of eight
// elements has parts of two words.
// CHECK-COUNT-2: tile.gather
// CHECK-NOT: tile.reshape
tile.kernel @between(%a: !tile.view<?x?xf16>, %b: !tile.ptr<i32>, %c: !tile.view<?x?xf32>, %k: index, %stride: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %iota = tile.iota : tensor<64xi32>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %kk = %c4 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%c0, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %at = arith.index_cast %kk : index to i32
      %firsts = tile.splat %at : i32 -> tensor<64xi32>
      %rows = arith.addi %firsts, %iota : tensor<64xi32>
      %eights = tile.splat %c8 : i32 -> tensor<64xi32>
      %words = arith.divsi %rows, %eights : tensor<64xi32>
      %words2 = tile.expand_dims %words, 1 : tensor<64xi32> -> tensor<64x1xi32>
      %strides = tile.splat %stride : i32 -> tensor<64x1xi32>
      %lines = arith.muli %words2, %strides : tensor<64x1xi32>
      %columns = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %lines2 = tile.broadcast %lines : tensor<64x1xi32> -> tensor<64x64xi32>
      %columns2 = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
      %offs = arith.addi %lines2, %columns2 : tensor<64x64xi32>
      %base = tile.splat %b : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>>
      %from = tile.ptr_add %base, %offs : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
      // expected-remark @+1 {{they are no sums of multiples of the element's place [not-a-view]}}
      %w = tile.gather %from : tensor<64x64x!tile.ptr<i32>> -> tensor<64x64xi32>
      %f = arith.sitofp %w : tensor<64x64xi32> to tensor<64x64xf16>
      %d = tile.dot %x, %f, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @below(%a: !tile.view<?x?xf16>, %b: !tile.ptr<i32>, %c: !tile.view<?x?xf32>, %k: index, %stride: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %cm64 = arith.constant -64 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %iota = tile.iota : tensor<64xi32>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %kk = %cm64 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%c0, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %at = arith.index_cast %kk : index to i32
      %firsts = tile.splat %at : i32 -> tensor<64xi32>
      %rows = arith.addi %firsts, %iota : tensor<64xi32>
      %eights = tile.splat %c8 : i32 -> tensor<64xi32>
      %words = arith.divsi %rows, %eights : tensor<64xi32>
      %words2 = tile.expand_dims %words, 1 : tensor<64xi32> -> tensor<64x1xi32>
      %strides = tile.splat %stride : i32 -> tensor<64x1xi32>
      %lines = arith.muli %words2, %strides : tensor<64x1xi32>
      %columns = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %lines2 = tile.broadcast %lines : tensor<64x1xi32> -> tensor<64x64xi32>
      %columns2 = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
      %offs = arith.addi %lines2, %columns2 : tensor<64x64xi32>
      %base = tile.splat %b : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>>
      %from = tile.ptr_add %base, %offs : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
      // expected-remark @+1 {{they are no sums of multiples of the element's place [not-a-view]}}
      %w = tile.gather %from : tensor<64x64x!tile.ptr<i32>> -> tensor<64x64xi32>
      %f = arith.sitofp %w : tensor<64x64xi32> to tensor<64x64xf16>
      %d = tile.dot %x, %f, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
