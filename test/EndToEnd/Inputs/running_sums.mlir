// Sums that a loop over blocks of columns carries: of integers from a start of each
// row's own, scaled and subtracted in f32, along both axes, to a scalar, under a
// condition, of a tile of three axes, and one that the loop also stores.

!rows = tensor<16xf32>
!block = tensor<16x64xf32>

tile.kernel @running_sums(%x: !tile.view<?x?xf32>, %starts: !tile.view<?xi32>, %counts: !tile.view<?xi32>,
                          %faded: !tile.view<?xf32>, %columns: !tile.view<?x?xf32>, %all: !tile.view<?xf32>,
                          %some: !tile.view<?xf32>, %thirds: !tile.view<?x?xf32>, %prefixes: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %m = tile.dim %x, 0 : !tile.view<?x?xf32>
  %n = tile.dim %x, 1 : !tile.view<?x?xf32>
  %blocks = arith.ceildivui %m, %c16 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c16 : index
    %start = tile.load %starts[%row] : !tile.view<?xi32> -> tensor<16xi32>
    %ones = tile.splat %f1 : f32 -> !rows
    %zeros = tile.splat %f0 : f32 -> !rows
    %halves = tile.splat %half : f32 -> !rows
    %no_columns = tile.splat %f0 : f32 -> tensor<64xf32>
    %no_thirds = tile.splat %f0 : f32 -> tensor<16x4xf32>
    %r:7 = scf.for %j = %c0 to %n step %c64
        iter_args(%count = %start, %fade = %ones, %column = %no_columns, %whole = %f1, %part = %zeros,
                  %third = %no_thirds, %prefix = %zeros)
        -> (tensor<16xi32>, !rows, tensor<64xf32>, f32, !rows, tensor<16x4xf32>, !rows) {
      %t = tile.load %x[%row, %j] : !tile.view<?x?xf32> -> !block
      %here = tile.reduce %t axis 1 : !block -> !rows combine (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        tile.yield %s : f32
      }
      %k = arith.fptosi %t : !block to tensor<16x64xi32>
      %k_here = tile.reduce %k axis 1 : tensor<16x64xi32> -> tensor<16xi32> combine (%a: i32, %b: i32) {
        %s = arith.addi %a, %b : i32
        tile.yield %s : i32
      }
      %count_next = arith.addi %count, %k_here : tensor<16xi32>

      // fade / 2 - here, where the first block counts the start.
      %minus = arith.negf %here : !rows
      %fade_next = math.fma %fade, %halves, %minus : !rows

      // Warps share a column.
      %c_here = tile.reduce %t axis 0 : !block -> tensor<64xf32> combine (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        tile.yield %s : f32
      }
      %column_next = arith.addf %c_here, %column : tensor<64xf32>

      %line = tile.reshape %t : !block -> tensor<1024xf32>
      %w_here = tile.reduce %line axis 0 : tensor<1024xf32> -> f32 combine (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        tile.yield %s : f32
      }
      %w_half = arith.mulf %whole, %half : f32
      %whole_next = arith.addf %w_half, %w_here : f32

      // Every other block.
      %number = arith.divui %j, %c64 : index
      %odd = arith.remui %number, %c2 : index
      %is_even = arith.cmpi eq, %odd, %c0 : index
      %part_next = scf.if %is_even -> (!rows) {
        %more = arith.subf %part, %here : !rows
        scf.yield %more : !rows
      } else {
        scf.yield %part : !rows
      }

      %cube = tile.reshape %t : !block -> tensor<16x16x4xf32>
      %t_here = tile.reduce %cube axis 1 : tensor<16x16x4xf32> -> tensor<16x4xf32> combine (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        tile.yield %s : f32
      }
      %third_next = arith.addf %third, %t_here : tensor<16x4xf32>

      %squares = arith.mulf %t, %t : !block
      %q_here = tile.reduce %squares axis 1 : !block -> !rows combine (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        tile.yield %s : f32
      }
      %prefix_next = arith.addf %prefix, %q_here : !rows
      %p_column = tile.expand_dims %prefix_next, 1 : !rows -> tensor<16x1xf32>
      tile.store %p_column, %prefixes[%row, %number] : tensor<16x1xf32>, !tile.view<?x?xf32>
      scf.yield %count_next, %fade_next, %column_next, %whole_next, %part_next, %third_next, %prefix_next
        : tensor<16xi32>, !rows, tensor<64xf32>, f32, !rows, tensor<16x4xf32>, !rows
    }
    tile.store %r#0, %counts[%row] : tensor<16xi32>, !tile.view<?xi32>
    tile.store %r#1, %faded[%row] : !rows, !tile.view<?xf32>
    %c_row = tile.expand_dims %r#2, 0 : tensor<64xf32> -> tensor<1x64xf32>
    tile.store %c_row, %columns[%i, %c0] : tensor<1x64xf32>, !tile.view<?x?xf32>
    %one = tile.splat %r#3 : f32 -> tensor<1xf32>
    tile.store %one, %all[%i] : tensor<1xf32>, !tile.view<?xf32>
    tile.store %r#4, %some[%row] : !rows, !tile.view<?xf32>
    tile.store %r#5, %thirds[%row, %c0] : tensor<16x4xf32>, !tile.view<?x?xf32>
  }
}
