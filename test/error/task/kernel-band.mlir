// A schedule from a file whose blocks go through several instances, where the mapping says that each has its own.
// RUN: mkdir -p %t && printf 'task.mapping @map entry @product {\n  task.pin "persistent" = true\n}\n' > %t/map.mlir
// RUN: heddle compile %s --mapping=%t/map.mlir --emit=sched -o %t/plan.mlir
// RUN: %expect 2 heddle compile %s --schedule=%t/plan.mlir -o %t/product.ptx
// expect: 32:3: error: blocks go through several instances here [pin-unmet]
!a = tensor<64x64xf16>
!b = tensor<64x64xf16>
!c = tensor<64x64xf32>
tile.kernel @product(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %n = tile.dim %b, 1 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %rows = arith.ceildivui %m, %c64 : index
  %columns = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%rows, %columns) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %j, %c64 : index
    %start = tile.splat %zero : f32 -> !c
    %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %start) -> (!c) {
      %x = tile.load %a[%row, %at] : !tile.view<?x?xf16> -> !a
      %y = tile.load %b[%at, %column] : !tile.view<?x?xf16> -> !b
      %d = tile.dot %x, %y, %s : !a, !b -> !c
      scf.yield %d : !c
    }
    tile.store %sum, %c[%row, %column] : !c, !tile.view<?x?xf32>
  }
}
task.mapping @map entry @product {
  task.pin "persistent" = false
}
