// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

tile.param @BM : {64, 128} = 128
tile.param @BN : {64, 128} = 128

// CHECK-LABEL: tile.kernel @compute
// FOLD-LABEL: tile.kernel @compute
tile.kernel @compute(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load %a[%{{.*}}, %{{.*}}] : !tile.view<?x?xf16> -> tensor<?x64xf16, #tile.shape<"BM", "">>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<?x64xf16, #tile.shape<"BM", "">>
  %y = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x?xf16, #tile.shape<"", "BN">>
  // CHECK: tile.splat %f : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
  %z = tile.splat %f : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x64xf16, #tile.shape<"BM", "">>, tensor<64x?xf16, #tile.shape<"", "BN">> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
  %d = tile.dot %x, %y, %z : tensor<?x64xf16, #tile.shape<"BM", "">>, tensor<64x?xf16, #tile.shape<"", "BN">> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
  // CHECK: tile.cast %{{.*}} : tensor<?x?xf32, #tile.shape<"BM", "BN">> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
  // FOLD-NOT: tile.cast
  %e = tile.cast %d : tensor<?x?xf32, #tile.shape<"BM", "BN">> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
  // CHECK: tile.store %{{.*}}, %c[%{{.*}}, %{{.*}}] : tensor<?x?xf32, #tile.shape<"BM", "BN">>, !tile.view<?x?xf32>
  tile.store %e, %c[%c0, %c0] : tensor<?x?xf32, #tile.shape<"BM", "BN">>, !tile.view<?x?xf32>
}
