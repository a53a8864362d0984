// A product with -2^15 of a number that is 0 or -1, with its sign extended: found by random expressions.
// LLVM made a shift of it, and of that a product with 2^15 as a number of 16 bits.
// RUN: heddle run %s --device=emulator --view data=64 --view out=64 --ints 2>/dev/null | FileCheck %s
// CHECK: out (64xi32): equal to the oracle; right
tile.kernel @k(%data: !tile.view<?xi32>, %out: !tile.view<?xi32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  tile.parallel (%i) to (%c1) {
    %n = tile.load %data[%c0] : !tile.view<?xi32> -> tensor<32xi32>
    %wide = arith.extui %n : tensor<32xi32> to tensor<32xi64>
    %half = arith.constant dense<32> : tensor<32xi64>
    %upper = arith.shli %wide, %half : tensor<32xi64>
    %all = arith.constant dense<-1> : tensor<32xi64>
    %sign = arith.shrsi %upper, %all : tensor<32xi64>
    %byte = arith.trunci %sign : tensor<32xi64> to tensor<32xi8>
    %first = arith.extui %byte : tensor<32xi8> to tensor<32xi32>
    tile.store %first, %out[%c0] : tensor<32xi32>, !tile.view<?xi32>
    %factor = arith.extui %byte : tensor<32xi8> to tensor<32xi16>
    %least = arith.constant dense<-32768> : tensor<32xi16>
    %product = arith.muli %least, %factor : tensor<32xi16>
    %second = arith.extsi %product : tensor<32xi16> to tensor<32xi32>
    tile.store %second, %out[%c32] : tensor<32xi32>, !tile.view<?xi32>
  }
}
