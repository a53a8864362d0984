// Of two replicas one may store before the view, and asks; the other is known not to, and does not. They have code of their own then, and the kernel keeps its processes.
// RUN: heddle compile %s --emit=hopper -o - 2>/dev/null | FileCheck %s --check-prefix=HOPPER
// RUN: heddle run %s --view a=128x96 --view b=96x128 --view c=200x128 --scalar down=5 --device=emulator 2>&1 | FileCheck %s
// RUN: heddle run %s --view a=128x96 --view b=96x128 --view c=200x128 --scalar down=-5 --device=emulator 2>&1 | FileCheck %s
// RUN: heddle run %s --view a=128x96 --view b=96x128 --view c=200x128 --scalar down=-100 --device=emulator --order=adversarial 2>&1 | FileCheck %s
// HOPPER: hopper.process "mma.0"
// HOPPER: hopper.process "mma.1"
// CHECK: remark: TMA stores this tile, and nothing says that it begins in the view: each store asks
// CHECK: variant gemm (1 of 3)
// CHECK: right
tile.kernel @gemm(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>, %down: i32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %n = tile.dim %b, 1 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %c128 = arith.constant 128 : index
  %least = arith.constant -64 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m100 = arith.constant -100 : index
  %d = arith.index_cast %down : i32 to index
  %d0 = arith.minsi %d, %c64 : index
  %dc = arith.maxsi %d0, %m100 : index
  %gm = arith.ceildivui %m, %c128 : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c128 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
    %sum = scf.for %p = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) {
      %x = tile.load %a[%row, %p] : !tile.view<?x?xf16> -> tensor<128x64xf16>
      %y = tile.load %b[%p, %col] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %t = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %t : tensor<128x64xf32>
    }
    %out = tile.cast %sum : tensor<128x64xf32> -> tensor<128x64xf16>
    %i1 = arith.addi %i, %c1 : index
    %q = arith.remui %i1, %c4 : index
    %far = arith.muli %q, %dc : index
    
    %to = arith.maxsi %far, %least : index
    tile.store %out, %c[%to, %col] : tensor<128x64xf16>, !tile.view<?x?xf16>
  }
}
