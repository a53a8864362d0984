// Loops that plans by roles know nothing of: one that runs until something computed ends it, with a store inside and no
// result, beside one that is counted.
// RUN: %python %S/Inputs/role_tables.py %s --view limit=3xi32 --values limit=5,0,3 --view x=8xi32 \
// RUN:   --values x=2,7,1,8,2,8,1,8 --view out=3x8xi32 --view halves=3xi32 2>&1 | FileCheck %s
// CHECK: loops: {{[0-9]+}} plans, {{[0-9]+}} runs agree with the oracle
tile.kernel @loops(%limit: !tile.view<?xi32>, %x: !tile.view<?xi32>, %out: !tile.view<?x?xi32>,
                   %halves: !tile.view<?xi32>) {
  %c1 = arith.constant 1 : index
  %c0_i = arith.constant 0 : i32
  %c2_i = arith.constant 2 : i32
  %n = tile.dim %limit, 0 : !tile.view<?xi32>
  tile.parallel (%i) to (%n) {
    %l = tile.load %limit[%i] : !tile.view<?xi32> -> tensor<1xi32>
    %to = tile.unsplat %l : tensor<1xi32> -> i32
    %start = arith.maxsi %to, %c0_i : i32
    scf.while (%left = %start) : (i32) -> (i32) {
      %goes_on = arith.cmpi sgt, %left, %c0_i : i32
      scf.condition(%goes_on) %left : i32
    } do {
    ^bb0(%left: i32):
      %half = arith.divsi %left, %c2_i : i32
      %place = arith.index_cast %half : i32 to index
      %tile = tile.splat %half : i32 -> tensor<1x1xi32>
      tile.store %tile, %out[%i, %place] : tensor<1x1xi32>, !tile.view<?x?xi32>
      scf.yield %half : i32
    }
    %to_index = arith.index_cast %to : i32 to index
    %none = tile.splat %c0_i : i32 -> tensor<1xi32>
    %c0 = arith.constant 0 : index
    %sum = scf.for %p = %c0 to %to_index step %c1 iter_args(%s = %none) -> (tensor<1xi32>) {
      %v = tile.load %x[%p] : !tile.view<?xi32> -> tensor<1xi32>
      %more = arith.addi %s, %v : tensor<1xi32>
      scf.yield %more : tensor<1xi32>
    }
    tile.store %sum, %halves[%i] : tensor<1xi32>, !tile.view<?xi32>
  }
}
