// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --tile-instantiate --tile-distribute | FileCheck %s --check-prefix=BELOW

// CHECK-LABEL: tile.kernel @turns
// BELOW-LABEL: tile.kernel @turns
tile.param @BM : {64, 128} = 128
tile.kernel @turns(%x: !tile.view<?x?x?xf32>, %y: !tile.view<?x?x?xf32>) {
  %b = tile.dim %y, 0 : !tile.view<?x?x?xf32>
  %m = tile.dim %y, 1 : !tile.view<?x?x?xf32>
  %k = tile.dim %x, 2 : !tile.view<?x?x?xf32>
  %bm = tile.param_value @BM : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %gm = arith.ceildivui %m, %bm : index
  %parts = arith.ceildivui %k, %c32 : index
  tile.parallel (%i, %j, %p) to (%b, %gm, %parts) {
    %row = arith.muli %j, %bm : index
    %column = arith.muli %p, %c32 : index
    %part = tile.load %x[%i, %row, %column] : !tile.view<?x?x?xf32> -> tensor<?x32xf32, #tile.shape<"BM", "">>
    // CHECK: %[[TURN:.*]] = tile.in_turn %{{.*}}, %{{.*}} : tensor<?x32xf32, #tile.shape<"BM", "">>
    // CHECK: tile.view_reduce fadd, %[[TURN]]
    // BELOW: tile.in_turn %{{.*}}, %{{.*}} at %{{.*}} of %{{.*}} {tile.whole = array<i64: 128, 32>} : tensor<128x32xf32>
    %own = tile.in_turn %part, %p : tensor<?x32xf32, #tile.shape<"BM", "">>
    tile.view_reduce fadd, %own, %y[%i, %row, %c0] : tensor<?x32xf32, #tile.shape<"BM", "">>, !tile.view<?x?x?xf32>
  }
}
