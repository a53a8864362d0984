// counts[v] += how often v occurs in x, for 0 <= v < bins; other values are not
// counted. Every element adds atomically: instances share the bins.
//
//   heddle run examples/histogram_atomic.mlir --view x=10000xi32 --view counts=256
//     --scalar bins=256

tile.param @BN : {128, 256, 512, 1024, 2048} = 1024

!numbers = tensor<?xi32, #tile.shape<"BN">>
!mask = tensor<?xi1, #tile.shape<"BN">>
!pointers = tensor<?x!tile.ptr<i32>, #tile.shape<"BN">>

tile.kernel @histogram_atomic(%x: !tile.view<?xi32>, %counts: !tile.ptr<i32>, %bins: i32) {
  %bn = tile.param_value @BN : index
  %one_s = arith.constant 1 : i32
  %n = tile.dim %x, 0 : !tile.view<?xi32>
  %blocks = arith.ceildivui %n, %bn : index
  tile.parallel (%i) to (%blocks) {
    %first = arith.muli %i, %bn : index
    %values = tile.load %x[%first] : !tile.view<?xi32> -> !numbers

    // The view's zeros behind the end would count as values of 0.
    %left = arith.subi %n, %first : index
    %left_i32 = arith.index_cast %left : index to i32
    %ends = tile.splat %left_i32 : i32 -> !numbers
    %places = tile.iota : !numbers
    %exists = arith.cmpi slt, %places, %ends : !numbers
    // Unsigned: negative values are out as well.
    %limit = tile.splat %bins : i32 -> !numbers
    %in_bins = arith.cmpi ult, %values, %limit : !numbers
    %counted = arith.andi %exists, %in_bins : !mask

    %one = tile.splat %one_s : i32 -> !numbers
    %base = tile.splat %counts : !tile.ptr<i32> -> !pointers
    %at = tile.ptr_add %base, %values : !pointers, !numbers
    %before = tile.atomic_rmw add, relaxed, gpu, %at, %one mask %counted : !mask
      : !pointers, !numbers -> !numbers
  }
}
