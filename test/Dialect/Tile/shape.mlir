// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s

tile.param @BM : {64, 128} = 64

// CHECK-LABEL: tile.kernel @shape
tile.kernel @shape(%x: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x32xf32>
  // CHECK: tile.iota : tensor<?xi32, #tile.shape<"BM">>
  %i = tile.iota : tensor<?xi32, #tile.shape<"BM">>
  // CHECK: tile.trans %{{.*}}, [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %a = tile.trans %t, [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<32x64xf32> -> tensor<4x8x64xf32>
  %b = tile.reshape %a : tensor<32x64xf32> -> tensor<4x8x64xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<?xi32, #tile.shape<"BM">> -> tensor<1x?xi32, #tile.shape<"", "BM">>
  %r = tile.reshape %i : tensor<?xi32, #tile.shape<"BM">> -> tensor<1x?xi32, #tile.shape<"", "BM">>
  // CHECK: tile.cat %{{.*}}, %{{.*}}, 1 : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x64xf32>
  %c = tile.cat %t, %t, 1 : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x64xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<64x32xf32> -> tensor<64x32x2xf32>
  %d = tile.join %t, %t : tensor<64x32xf32> -> tensor<64x32x2xf32>
  // CHECK: tile.split %{{.*}} : tensor<64x32x2xf32> -> tensor<64x32xf32>
  %e, %f = tile.split %d : tensor<64x32x2xf32> -> tensor<64x32xf32>
  %n = tile.load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<1x1xf32>
  // CHECK: tile.unsplat %{{.*}} : tensor<1x1xf32> -> f32
  %g = tile.unsplat %n : tensor<1x1xf32> -> f32
  %zero = arith.constant dense<0> : tensor<16x32xi32>
  // CHECK: tile.take %{{.*}}[%{{.*}}], 0 : tensor<64x32xf32>, tensor<16x32xi32> -> tensor<16x32xf32>
  %h = tile.take %t[%zero], 0 : tensor<64x32xf32>, tensor<16x32xi32> -> tensor<16x32xf32>
  // CHECK: tile.unfold %{{.*}} from %{{.*}} {size = 3 : i64, step = 2 : i64} : tensor<?xi32, #tile.shape<"BM">> -> tensor<4x8xi32>
  %u = tile.unfold %i from %c0 {size = 3, step = 2} : tensor<?xi32, #tile.shape<"BM">> -> tensor<4x8xi32>
  // CHECK: tile.expand_dims %{{.*}}, 0 : tensor<?xi32, #tile.shape<"BM">> -> tensor<1x?xi32, #tile.shape<"", "BM">>
  %j = tile.expand_dims %i, 0 : tensor<?xi32, #tile.shape<"BM">> -> tensor<1x?xi32, #tile.shape<"", "BM">>
  // CHECK: tile.broadcast %{{.*}} : tensor<1x?xi32, #tile.shape<"", "BM">> -> tensor<64x?xi32, #tile.shape<"", "BM">>
  %k = tile.broadcast %j : tensor<1x?xi32, #tile.shape<"", "BM">> -> tensor<64x?xi32, #tile.shape<"", "BM">>
}
