// RUN: heddle-opt %s --tile-contract-products --cse | FileCheck %s

// CHECK-LABEL: tile.kernel @contracted
// A row that is subtracted changes its sign before it is repeated.
// CHECK: %[[MINUS:.*]] = arith.negf %{{.*}} : tensor<8xf32>
// CHECK: tile.expand_dims %[[MINUS]]
// CHECK: %[[ROWS:.*]] = tile.broadcast
// CHECK: math.fma %{{.*}}, %{{.*}}, %[[ROWS]] : tensor<8x16xf32>
// CHECK: math.fma %{{.*}} : tensor<8x16xf32>
// Two readers; f16; a combiner.
// CHECK: arith.mulf
// CHECK: arith.addf {{.*}} : tensor<8x16xf32>
// CHECK: arith.addf {{.*}} : tensor<8x16xf16>
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.addf {{.*}} : f32
tile.kernel @contracted(%x: !tile.view<?x?xf32>, %h: !tile.view<?x?xf16>, %r: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %a = tile.load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<8x16xf32>
    %b = tile.load %x[%i, %c0] : !tile.view<?x?xf32> -> tensor<8x16xf32>
    %row = tile.load %r[%c0] : !tile.view<?xf32> -> tensor<8xf32>
    %column = tile.expand_dims %row, 1 : tensor<8xf32> -> tensor<8x1xf32>
    %rows = tile.broadcast %column : tensor<8x1xf32> -> tensor<8x16xf32>
    %p = arith.mulf %a, %b : tensor<8x16xf32>
    %d = arith.subf %p, %rows : tensor<8x16xf32>
    %q = arith.mulf %d, %b : tensor<8x16xf32>
    %e = arith.addf %a, %q : tensor<8x16xf32>
    %t = arith.mulf %e, %b : tensor<8x16xf32>
    %u = arith.addf %t, %t : tensor<8x16xf32>
    %g = tile.load %h[%c0, %c0] : !tile.view<?x?xf16> -> tensor<8x16xf16>
    %gg = arith.mulf %g, %g : tensor<8x16xf16>
    %ggg = arith.addf %gg, %g : tensor<8x16xf16>
    %s = tile.reduce %u axis 1 : tensor<8x16xf32> -> tensor<8xf32> combine (%k: f32, %l: f32) {
      %m = arith.mulf %k, %l : f32
      %o = arith.addf %m, %l : f32
      tile.yield %o : f32
    }
    tile.store %ggg, %h[%c0, %c0] : tensor<8x16xf16>, !tile.view<?x?xf16>
    tile.store %s, %r[%c0] : tensor<8xf32>, !tile.view<?xf32>
  }
}
