// RUN: heddle-opt %s --tile-instantiate --tile-distribute --sched-name-ops --tile-split --tile-stage-operands --sched-schedule=method=auto | FileCheck %s
// RUN: heddle-opt %s --tile-instantiate --tile-distribute --sched-name-ops --tile-split --tile-stage-operands --sched-schedule=method=auto --sched-expand | FileCheck %s --check-prefix=EXPANDED
// What a loop carries at first is made by the process that makes it later on:
// one unpacks weights, and moves on their addresses, while the other multiplies.

// CHECK: sched.table "loop"
// CHECK: sched.entry "dot" on "tensor" {{.*}} in "work.1"
// CHECK: sched.entry "moved" on "alu" {{.*}} in "work.0"
// CHECK: sched.table "tiles"
// CHECK: sched.entry "first" on "alu" {{.*}} in "work.0"
// EXPANDED: aref.process "work.0"
// EXPANDED: sched.op = "first"
// EXPANDED: aref.process "work.1"
// EXPANDED-NOT: sched.op = "first"
tile.kernel @unpack(%a: !tile.view<?x?xbf16>, %b: !tile.ptr<i8>, %by: !tile.view<?xi32>,
                    %c: !tile.view<?x?xf32>, %blocks: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c64_i32 = arith.constant 64 : i32
  %four = arith.constant 4 : i8
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %fours = tile.splat %four : i8 -> tensor<32x64xi8>
    %iota = tile.iota : tensor<64xi32>
    %columns = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %all = tile.broadcast %columns : tensor<1x64xi32> -> tensor<32x64xi32>
    %base = tile.splat %b : !tile.ptr<i8> -> tensor<32x64x!tile.ptr<i8>>
    %first = tile.ptr_add %base, %all {sched.op = "first"} : tensor<32x64x!tile.ptr<i8>>, tensor<32x64xi32>
    %p, %sum = scf.for %k = %c0 to %n step %c1 iter_args(%at = %first, %s = %zero) -> (tensor<32x64x!tile.ptr<i8>>, tensor<64x64xf32>) {
      %kk = arith.muli %k, %c64 : index
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
      %q = tile.gather %at : tensor<32x64x!tile.ptr<i8>> -> tensor<32x64xi8>
      %shifted = arith.shli %q, %fours : tensor<32x64xi8>
      %low = arith.shrsi %shifted, %fours : tensor<32x64xi8>
      %high = arith.shrsi %q, %fours : tensor<32x64xi8>
      %lows = arith.sitofp %low : tensor<32x64xi8> to tensor<32x64xbf16>
      %highs = arith.sitofp %high : tensor<32x64xi8> to tensor<32x64xbf16>
      %both = tile.join %lows, %highs : tensor<32x64xbf16> -> tensor<32x64x2xbf16>
      %turned = tile.trans %both, [0, 2, 1] : tensor<32x64x2xbf16> -> tensor<32x2x64xbf16>
      %y = tile.reshape %turned : tensor<32x2x64xbf16> -> tensor<64x64xbf16>
      %d = tile.dot %x, %y, %s {sched.op = "dot"} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
      %step = tile.load %by[%k] : !tile.view<?xi32> -> tensor<64xi32>
      %steps = tile.expand_dims %step, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %far = tile.broadcast %steps : tensor<1x64xi32> -> tensor<32x64xi32>
      %moved = tile.ptr_add %at, %far {sched.op = "moved"} : tensor<32x64x!tile.ptr<i8>>, tensor<32x64xi32>
      scf.yield %moved, %d : tensor<32x64x!tile.ptr<i8>>, tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
