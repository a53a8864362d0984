// A shift by 2^32 and more, which LLVM takes for a shift by the lower half of the
// amount where a selection stands behind it. `heddle-fuzz` found it.
// RUN: heddle-fuzz check --schedules=0 %s | FileCheck %s
// CHECK: agree
//! view data i32 order 0 pitch 0 shape 256 fill -3..3 quantum 0 seed 7148453
//! view out i32 order 0 pitch 0 shape 3072 written tolerance 0.00000000e+00
module {
  tile.kernel @generated(%data: !tile.view<?xi32>, %out: !tile.view<?xi32>) {
    %c1 = arith.constant 1 : index
    tile.parallel (%arg0) to (%c1) {
      %c0 = arith.constant 0 : index
      %0 = tile.load %data[%c0] : !tile.view<?xi32> -> tensor<32xi32>
      %1 = arith.extui %0 : tensor<32xi32> to tensor<32xi64>
      %c64 = arith.constant 64 : index
      %2 = tile.load %data[%c64] : !tile.view<?xi32> -> tensor<32xi32>
      %3 = arith.extui %2 : tensor<32xi32> to tensor<32xi64>
      %c128 = arith.constant 128 : index
      %4 = tile.load %data[%c128] : !tile.view<?xi32> -> tensor<32xi32>
      %5 = arith.extui %4 : tensor<32xi32> to tensor<32xi64>
      %c160 = arith.constant 160 : index
      %6 = tile.load %data[%c160] : !tile.view<?xi32> -> tensor<32xi32>
      %7 = arith.extui %6 : tensor<32xi32> to tensor<32xi64>
      %cst = arith.constant dense<32> : tensor<32xi64>
      %8 = arith.shli %7, %cst : tensor<32xi64>
      %9 = arith.ori %5, %8 : tensor<32xi64>
      %cst_0 = arith.constant dense<1> : tensor<32xi64>
      %10 = arith.ori %3, %cst_0 : tensor<32xi64>
      %11 = arith.divsi %9, %10 : tensor<32xi64>
      %cst_1 = arith.constant dense<52> : tensor<32xi64>
      %12 = arith.cmpi sgt, %11, %cst_1 : tensor<32xi64>
      %13 = arith.extsi %12 : tensor<32xi1> to tensor<32xi64>
      %14 = arith.trunci %13 : tensor<32xi64> to tensor<32xi32>
      %c1728 = arith.constant 1728 : index
      tile.store %14, %out[%c1728] : tensor<32xi32>, !tile.view<?xi32>
      %15 = arith.shli %1, %9 : tensor<32xi64>
      %cst_2 = arith.constant dense<32> : tensor<32xi64>
      %16 = arith.shrui %15, %cst_2 : tensor<32xi64>
      %17 = arith.trunci %15 : tensor<32xi64> to tensor<32xi32>
      %c2368 = arith.constant 2368 : index
      tile.store %17, %out[%c2368] : tensor<32xi32>, !tile.view<?xi32>
      %18 = arith.trunci %16 : tensor<32xi64> to tensor<32xi32>
      %c2400 = arith.constant 2400 : index
      tile.store %18, %out[%c2400] : tensor<32xi32>, !tile.view<?xi32>
    }
  }
}

