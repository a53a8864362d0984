// Integers of all widths, masks of iota against bounds that only run time knows,
// shifts by the width and more, and floats outside the range of an integer.

tile.kernel @integers(%x: !tile.view<?x?xi32>, %f: !tile.view<?x?xf32>, %y: !tile.view<?x?xi32>, %z: !tile.view<?x?xi64>,
                      %b: !tile.view<?x?xi8>, %most: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %m = tile.dim %x, 0 : !tile.view<?x?xi32>
  %n = tile.dim %x, 1 : !tile.view<?x?xi32>
  %gm = arith.ceildivui %m, %c16 : index
  %gn = arith.ceildivui %n, %c24 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c16 : index
    %col = arith.muli %j, %c24 : index
    %v = tile.load %x[%row, %col] : !tile.view<?x?xi32> -> tensor<16x24xi32>
    %g = tile.load %f[%row, %col] : !tile.view<?x?xf32> -> tensor<16x24xf32>

    // Columns below a bound, rows not equal to a number of the kernel's.
    %most32 = arith.index_cast %most : index to i32
    %numbers = tile.iota : tensor<24xi32>
    %bounds = tile.splat %most32 : i32 -> tensor<24xi32>
    %below = arith.cmpi slt, %numbers, %bounds : tensor<24xi32>
    %below2 = tile.expand_dims %below, 0 : tensor<24xi1> -> tensor<1x24xi1>
    %columns = tile.broadcast %below2 : tensor<1x24xi1> -> tensor<16x24xi1>
    %lines = tile.iota : tensor<16xi16>
    %five = arith.constant dense<5> : tensor<16xi16>
    %other = arith.cmpi ne, %lines, %five : tensor<16xi16>
    %other2 = tile.expand_dims %other, 1 : tensor<16xi1> -> tensor<16x1xi1>
    %rows = tile.broadcast %other2 : tensor<16x1xi1> -> tensor<16x24xi1>
    %both = arith.andi %columns, %rows : tensor<16x24xi1>
    %ones = arith.constant dense<true> : tensor<16x24xi1>
    %neither = arith.xori %both, %ones : tensor<16x24xi1>

    // Constants of different elements along both axes.
    %table = arith.constant dense<[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]> : tensor<16xi32>
    %table2 = tile.expand_dims %table, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %weights = tile.broadcast %table2 : tensor<16x1xi32> -> tensor<16x24xi32>
    %w = arith.muli %v, %weights : tensor<16x24xi32>

    // Shifts by 0 to 40 bits.
    %thirty = arith.constant dense<34> : tensor<16x24xi32>
    %amount = arith.addi %v, %thirty : tensor<16x24xi32>
    %left = arith.shli %w, %amount : tensor<16x24xi32>
    %logical = arith.shrui %w, %amount : tensor<16x24xi32>
    %signed = arith.shrsi %w, %amount : tensor<16x24xi32>
    %p = arith.xori %left, %logical : tensor<16x24xi32>
    %q = arith.addi %p, %signed : tensor<16x24xi32>
    %chosen = arith.select %both, %w, %q : tensor<16x24xi1>, tensor<16x24xi32>
    tile.store %chosen, %y[%row, %col] : tensor<16x24xi32>, !tile.view<?x?xi32>

    // Saturating, with halves cut off; NaN is 0.
    %huge = arith.constant dense<3.0e9> : tensor<16x24xf32>
    %wild = arith.mulf %g, %huge : tensor<16x24xf32>
    %zero = arith.constant dense<0.0> : tensor<16x24xf32>
    %maybe = arith.divf %wild, %wild : tensor<16x24xf32>
    %s8 = arith.fptosi %wild : tensor<16x24xf32> to tensor<16x24xi8>
    %u8 = arith.fptoui %g : tensor<16x24xf32> to tensor<16x24xi8>
    %s32 = arith.fptosi %wild : tensor<16x24xf32> to tensor<16x24xi32>
    %n32 = arith.fptosi %maybe : tensor<16x24xf32> to tensor<16x24xi32>
    %u64 = arith.fptoui %wild : tensor<16x24xf32> to tensor<16x24xi64>
    %n64 = arith.fptosi %maybe : tensor<16x24xf32> to tensor<16x24xi64>
    %s64 = arith.extsi %s32 : tensor<16x24xi32> to tensor<16x24xi64>
    %m64 = arith.extui %n32 : tensor<16x24xi32> to tensor<16x24xi64>
    %sum0 = arith.addi %s64, %u64 : tensor<16x24xi64>
    %sum1 = arith.addi %sum0, %n64 : tensor<16x24xi64>
    %sum2 = arith.addi %sum1, %m64 : tensor<16x24xi64>
    %low, %high = arith.mulsi_extended %w, %q : tensor<16x24xi32>
    %high64 = arith.extsi %high : tensor<16x24xi32> to tensor<16x24xi64>
    %sum3 = arith.addi %sum2, %high64 : tensor<16x24xi64>
    tile.store %sum3, %z[%row, %col] : tensor<16x24xi64>, !tile.view<?x?xi64>
    %mask8 = arith.extui %neither : tensor<16x24xi1> to tensor<16x24xi8>
    %bytes0 = arith.addi %s8, %u8 : tensor<16x24xi8>
    %bytes = arith.addi %bytes0, %mask8 : tensor<16x24xi8>
    tile.store %bytes, %b[%row, %col] : tensor<16x24xi8>, !tile.view<?x?xi8>
  }
}
