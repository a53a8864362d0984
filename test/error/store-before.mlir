// Where the host cannot say whether a tile begins before its view, each store asks, and threads store where it does.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// RUN: heddle run %s --view a=64x64 --view b=64x64 --view c=64x64 --scalar down=1 --device=emulator 2>&1 | FileCheck %s
// RUN: heddle run %s --view a=200x96 --view b=96x128 --view c=200x128 --scalar down=1 --device=emulator --order=adversarial 2>&1 | FileCheck %s
// RUN: heddle run %s --view a=200x96 --view b=96x128 --view c=200x128 --scalar down=-2 --device=emulator 2>&1 | FileCheck %s
// RUN: heddle check %s 2>/dev/null | FileCheck %s --check-prefix=PROVED
// expect: 38:5: remark: a number that 'hopper.tma_store' reads is computed in 64 bits, because nothing says that it fits 32 [wide-index]
// expect: 38:5: remark: TMA stores this tile, and nothing says that it begins in the view: each store asks, and threads store one that begins before it; bound the place from below by zero, as by arith.maxsi [store-before]
// expect: 38:5: remark: a number that 'hopper.global_store' reads is computed in 64 bits, because nothing says that it fits 32 [wide-index]
// expect: 38:5: remark: a number that 'hopper.global_store' reads is computed in 64 bits, because nothing says that it fits 32 [wide-index]
// CHECK: variant gemm (1 of 3)
// CHECK: right
// PROVED: @gemm: proved for every trip count
tile.kernel @gemm(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>, %down: i32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %n = tile.dim %b, 1 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c64 : index
  %gn = arith.ceildivui %n, %c64 : index
  %d = arith.index_cast %down : i32 to index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %p = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %p] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%p, %col] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %t = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %t : tensor<64x64xf32>
    }
    %out = tile.cast %sum : tensor<64x64xf32> -> tensor<64x64xf16>
    %far = arith.muli %d, %row : index
    %less = arith.subi %far, %c64 : index
    %to = arith.addi %less, %row : index
    tile.store %out, %c[%to, %col] : tensor<64x64xf16>, !tile.view<?x?xf16>
  }
}
