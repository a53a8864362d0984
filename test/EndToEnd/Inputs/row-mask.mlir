// A mask of columns below the extent: what a Triton kernel's `other` becomes.
tile.kernel @mask(%x: !tile.view<?xf16>, %y: !tile.view<?xf16>) {
  %c1024 = arith.constant 1024 : index
  %n = tile.dim %x, 0 : !tile.view<?xf16>
  %count = arith.ceildivui %n, %c1024 : index
  tile.parallel (%i) to (%count) {
    %at = arith.muli %i, %c1024 : index
    %v = tile.load %x[%at] : !tile.view<?xf16> -> tensor<1024xf16>
    %at32 = arith.index_cast %at : index to i32
    %first = tile.splat %at32 : i32 -> tensor<1024xi32>
    %iota = tile.iota : tensor<1024xi32>
    %columns = arith.addi %first, %iota : tensor<1024xi32>
    %n32 = arith.index_cast %n : index to i32
    %end = tile.splat %n32 : i32 -> tensor<1024xi32>
    %isIn = arith.cmpi slt, %columns, %end : tensor<1024xi32>
    %least = arith.constant dense<-65504.0> : tensor<1024xf16>
    %w = arith.select %isIn, %v, %least : tensor<1024xi1>, tensor<1024xf16>
    %all = tile.reduce %w axis 0 : tensor<1024xf16> -> f16 combine (%a: f16, %b: f16) {
      %m = arith.maximumf %a, %b : f16
      tile.yield %m : f16
    }
    %s = tile.splat %all : f16 -> tensor<1024xf16>
    tile.store %s, %y[%at] : tensor<1024xf16>, !tile.view<?xf16>
  }
}
