// The largest element of each row and where it first stands. NaN counts as the
// largest. A row without elements gives -inf and 2147483647.
//
//   heddle run examples/reduce_max_index.mlir --view x=300x1000 --view largest=300
//     --view place=300

!in = f32

tile.param @BM : {4, 8, 16, 64} = 8
tile.param @BN : {32, 64, 128, 256} = 128

!tile = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!places = tensor<?x?xi32, #tile.shape<"BM", "BN">>
!row = tensor<?xf32, #tile.shape<"BM">>
!row_place = tensor<?xi32, #tile.shape<"BM">>

tile.kernel @reduce_max_index(%x: !tile.view<?x?x!in>, %largest: !tile.view<?xf32>,
                              %place: !tile.view<?xi32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %lowest_s = arith.constant 0xFF800000 : f32
  %nowhere_s = arith.constant 2147483647 : i32
  %m = tile.dim %x, 0 : !tile.view<?x?x!in>
  %n = tile.dim %x, 1 : !tile.view<?x?x!in>
  %n_i32 = arith.index_cast %n : index to i32
  %blocks = arith.ceildivui %m, %bm : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %bm : index
    %lowest = tile.splat %lowest_s : f32 -> !tile
    %nowhere = tile.splat %nowhere_s : i32 -> !places
    %ends = tile.splat %n_i32 : i32 -> !places

    // Each column of the tile keeps its own largest.
    %best, %where = scf.for %col = %c0 to %n step %bn
        iter_args(%v = %lowest, %p = %nowhere) -> (!tile, !places) {
      %given = tile.load %x[%row, %col]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BN">>
      %wide = tile.cast %given : tensor<?x?x!in, #tile.shape<"BM", "BN">> -> !tile
      %col_i32 = arith.index_cast %col : index to i32
      %cols = tile.splat %col_i32 : i32 -> tensor<?xi32, #tile.shape<"BN">>
      %numbers = tile.iota : tensor<?xi32, #tile.shape<"BN">>
      %here = arith.addi %numbers, %cols : tensor<?xi32, #tile.shape<"BN">>
      %here_row = tile.expand_dims %here, 0
        : tensor<?xi32, #tile.shape<"BN">> -> tensor<1x?xi32, #tile.shape<"", "BN">>
      %here_tile = tile.broadcast %here_row
        : tensor<1x?xi32, #tile.shape<"", "BN">> -> !places
      // Later columns do not replace an equal; the first NaN stays.
      %exists = arith.cmpi slt, %here_tile, %ends : !places
      %known = arith.cmpf ord, %v, %v : !tile
      %more = arith.cmpf ugt, %wide, %v : !tile
      %first = arith.cmpi eq, %p, %nowhere : !places
      %beats = arith.andi %more, %known : tensor<?x?xi1, #tile.shape<"BM", "BN">>
      %wins = arith.ori %beats, %first : tensor<?x?xi1, #tile.shape<"BM", "BN">>
      %takes = arith.andi %wins, %exists : tensor<?x?xi1, #tile.shape<"BM", "BN">>
      %v_next = arith.select %takes, %wide, %v
        : tensor<?x?xi1, #tile.shape<"BM", "BN">>, !tile
      %p_next = arith.select %takes, %here_tile, %p
        : tensor<?x?xi1, #tile.shape<"BM", "BN">>, !places
      scf.yield %v_next, %p_next : !tile, !places
    }

    %value, %index = tile.reduce %best, %where axis 1
        : !tile, !places -> !row, !row_place
        combine (%a: f32, %ia: i32, %b: f32, %ib: i32) {
      %a_known = arith.cmpf ord, %a, %a : f32
      %b_known = arith.cmpf ord, %b, %b : f32
      %greater = arith.cmpf ogt, %a, %b : f32
      %only_b_known = arith.cmpi ult, %a_known, %b_known : i1
      %better = arith.ori %greater, %only_b_known : i1
      %less = arith.cmpf olt, %a, %b : f32
      %only_a_known = arith.cmpi ugt, %a_known, %b_known : i1
      %worse = arith.ori %less, %only_a_known : i1
      %either = arith.ori %better, %worse : i1
      %earlier = arith.cmpi slt, %ia, %ib : i32
      %take_a = arith.select %either, %better, %earlier : i1
      %v = arith.select %take_a, %a, %b : f32
      %p = arith.select %take_a, %ia, %ib : i32
      tile.yield %v, %p : f32, i32
    }
    tile.store %value, %largest[%row] : !row, !tile.view<?xf32>
    tile.store %index, %place[%row] : !row_place, !tile.view<?xi32>
  }
}
