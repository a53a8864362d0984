// RUN: heddle-opt %s --tile-instantiate=set=BM=64 | FileCheck %s
// RUN: heddle-opt %s --tile-instantiate | FileCheck %s --check-prefix=INIT

tile.param @BM : {64, 128} = 128
tile.param @BK : {32, 64} = 32

// CHECK-NOT: tile.param
// CHECK-LABEL: tile.kernel @fixed
// INIT-LABEL: tile.kernel @fixed
tile.kernel @fixed(%a: !tile.view<?x?xf16>, %f: f16) {
  // CHECK: %[[BM:.*]] = arith.constant 64 : index
  // INIT: arith.constant 128 : index
  %bm = tile.param_value @BM : index
  %c0 = arith.constant 0 : index
  // CHECK: %[[Z:.*]] = tile.splat %f : f16 -> tensor<64x32xf16>
  %z = tile.splat %f : f16 -> tensor<?x?xf16, #tile.shape<"BM", "BK">>
  // CHECK: scf.for {{.*}} step %[[BM]] iter_args(%[[S:.*]] = %[[Z]]) -> (tensor<64x32xf16>)
  // INIT: scf.for {{.*}} -> (tensor<128x32xf16>)
  %r = scf.for %i = %c0 to %bm step %bm iter_args(%s = %z) -> (tensor<?x?xf16, #tile.shape<"BM", "BK">>) {
    // CHECK: tile.reduce %[[S]] axis 1 : tensor<64x32xf16> -> tensor<64xf16>
    %m = tile.reduce %s axis 1 : tensor<?x?xf16, #tile.shape<"BM", "BK">> -> tensor<?xf16, #tile.shape<"BM">>
        combine (%p: f16, %q: f16) {
      %t = arith.addf %p, %q : f16
      tile.yield %t : f16
    }
    // CHECK: scf.yield %[[S]] : tensor<64x32xf16>
    scf.yield %s : tensor<?x?xf16, #tile.shape<"BM", "BK">>
  }
}
