// A tile that begins before its view: TMA faults there, so a launch in which it may takes the kernel whose threads store.
// RUN: heddle compile %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.json
// RUN: heddle run %s --view a=200x96 --view b=96x128 --view c=200x128 --scalar down=0 --device=emulator | FileCheck %s --check-prefix=FIRST
// RUN: heddle run %s --view a=200x96 --view b=96x128 --view c=200x128 --scalar down=7 --device=emulator | FileCheck %s --check-prefix=FIRST
// RUN: heddle run %s --view a=200x96 --view b=96x128 --view c=200x128 --scalar down=-7 --device=emulator | FileCheck %s --check-prefix=OTHER
// RUN: heddle run %s --view a=200x96 --view b=96x128 --view c=200x128 --scalar down=-64 --device=emulator | FileCheck %s --check-prefix=OTHER
// RUN: heddle run %s --view a=200x96 --view b=96x128 --view c=200x128 --scalar down=-900 --device=emulator | FileCheck %s --check-prefix=OTHER
// CHECK: {"at_least":[{"sub":[{"scalar":"down"},0]},0],"message":"TMA stores at places that are not negative at line
// FIRST: (1 of 3)
// FIRST: right
// OTHER: ({{[23]}} of 3)
// OTHER: right
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
    %to = arith.addi %row, %d : index
    tile.store %out, %c[%to, %col] : tensor<64x64xf16>, !tile.view<?x?xf16>
  }
}
