// Behind a loop, a product whose first operand is turned in registers, beside a second one that threads put into shared
// memory for it: both go through the same memory, the first one before.
// RUN: heddle run %s --view x=64x192 --view y=64x32 --view z=64x32 --sms 1 --device=emulator --order=adversarial --seed 3 | FileCheck %s
// CHECK: z (64x32xf32): {{.*}}right
// RUN: heddle check %s | FileCheck %s --check-prefix=PROVED
// PROVED: @turned: proved for every trip count

tile.kernel @turned(%x: !tile.view<?x?xf16>, %y: !tile.view<?x?xf16>, %z: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %x, 0 : !tile.view<?x?xf16>
  %k = tile.dim %x, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c64 : index
  %two = arith.constant 2.0 : f16
  tile.parallel (%i) to (%gm) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x32xf32>
    %first = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %s = scf.for %kk = %c0 to %k step %c64 iter_args(%sum = %first) -> (tensor<64x64xf32>) {
      %a = tile.load %x[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %t = tile.trans %a, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %more = tile.dot %a, %t, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %more : tensor<64x64xf32>
    }
    %twos = tile.splat %two : f16 -> tensor<64x32xf16>
    %loaded = tile.load %y[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
    %b = arith.addf %loaded, %twos : tensor<64x32xf16>
    %p = tile.cast %s : tensor<64x64xf32> -> tensor<64x64xf16>
    %t = tile.trans %p, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %t, %b, %zero : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    tile.store %d, %z[%row, %c0] : tensor<64x32xf32>, !tile.view<?x?xf32>
  }
}
