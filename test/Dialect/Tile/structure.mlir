// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s

// CHECK: tile.param @BM : {64, 128} = 128
tile.param @BM : {64, 128} = 128
// Many at equal distances are a range.
// CHECK: tile.param @BN : {8, 16 to 256 step 16, 384} = 80
tile.param @BN : {8, 16 to 64 step 16, 80 to 256 step 16, 384} = 80
// CHECK: tile.param @BK : {16, 32, 48, 64} = 16
tile.param @BK : {16 to 64 step 16} = 16

// Arguments keep the names that the user wrote; an order that is row-major is
// not printed.
// CHECK: tile.kernel @named(%a: !tile.view<?x8xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>, %p: !tile.ptr<f32>, %n: index, %arg4: f32) {
tile.kernel @named(%a: !tile.view<?x8xf16, #tile.order<1, 0>>,
                   %b: !tile.view<?x?xf16, #tile.order<0, 1>>,
                   %p: !tile.ptr<f32>, %n: index, %4: f32) {
  // CHECK: %[[BM:.*]] = tile.param_value @BM : index
  %bm = tile.param_value @BM : index
  // CHECK: tile.worker_id : index
  %w = tile.worker_id : index
  // CHECK: tile.worker_count : index
  %c = tile.worker_count : index
  // CHECK: tile.dim %b, 1 : !tile.view<?x?xf16, #tile.order<0, 1>>
  %d = tile.dim %b, 1 : !tile.view<?x?xf16, #tile.order<0, 1>>
  // CHECK: tile.parallel (%[[I:.*]], %[[J:.*]]) to (%n, %[[BM]]) {
  tile.parallel (%i, %j) to (%n, %bm) {
    // CHECK: arith.addi %[[I]], %[[J]] : index
    %k = arith.addi %i, %j : index
  }
}

// CHECK: tile.kernel @empty()
tile.kernel @empty() {
}
