//===- TileTurnOps.td - Who adds to memory when -----------------*- tablegen -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums to which several instances add, in an order that the program fixes, or
// after they have added up among each other. They are apart from TileOps.td
// because few steps have to know of them: to all others the operations name a
// tile anew.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_TURN_OPS
#define HEDDLE_TILE_TURN_OPS

include "heddle/Dialect/Tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Steps that ask nothing else see the same tile.
defvar Tile_NamesAnew = [{
  bool goesByElement() { return true; }
  bool isFree() { return true; }
  std::string tieAxes(::mlir::Value, int64_t axis,
                      ::llvm::SmallVectorImpl<TiedAxis> &tied) {
    tied.push_back({getValue(), axis});
    tied.push_back({getResult(), axis});
    return {};
  }
}];

def Tile_InTurnOp : Tile_Op<"in_turn", [Pure,
    AttrSizedOperandSegments, AllTypesMatch<["value", "result"]>]> {
  let summary = "the tile, to be added to memory in the order of an index";
  let description = [{
    `%t = tile.in_turn %s, %p : tensor<64x64xf32>`, for a `tile.view_reduce` of
    `%t`: of the instances that add at one place of a view, the one whose `%p` is
    n waits for the one whose `%p` is n - 1. So the order of the sums is fixed,
    and with it the last bit of what is rounded.

    `%p` is an index of the `tile.parallel` around, on which the place does not
    depend. Along each axis the place is another index of it times the tile's
    extent, or a constant multiple of that; no other operation accesses the view.
    Then each place has an instance for each turn, and only those.

    Where instances have numbers instead of indices, `at %i of %n` says which of
    the places it is, and of how many.
  }];
  let arguments = (ins Tile_AnyTile:$value, Index:$turn, Optional<Index>:$place,
                       Optional<Index>:$places);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $value `,` $turn (`at` $place^ `of` $places)? attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_NamesAnew;
}

def Tile_InClusterOp : Tile_Op<"in_cluster", [Pure,
    AttrSizedOperandSegments, AllTypesMatch<["value", "result"]>]> {
  let summary = "the tile, to be added to memory together with its neighbours'";
  let description = [{
    `%t = tile.in_cluster %s, %p by 4 : tensor<64x64xf32>`, for a
    `tile.view_reduce` of `%t`: of the instances that add at one place of a view,
    those whose `%p` is 4 n to 4 n + 3 run at the same time, add up their tiles
    among each other, and add the sum to memory once. Each tile is added once, so
    that a sequential machine may add them one by one.

    `%p` is an index of the `tile.parallel` around, on which the place does not
    depend; the rules of `tile.in_turn` hold. No other operation of the kernel
    writes memory: a cluster is always whole, and blocks that have no instance of
    their own do the work of the last one, whose tile they do not add.

    Where instances have numbers instead of indices, `%p` is the number in the
    cluster, and `first %n` says how many instances of it have a tile of their
    own: the first ones. What the others have is not added.
  }];
  let arguments = (ins Tile_AnyTile:$value, Optional<Index>:$part,
                       Optional<Index>:$own, I64Attr:$blocks);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $value (`,` $part^)? `by` $blocks (`first` $own^)? attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_NamesAnew;
}

#endif // HEDDLE_TILE_TURN_OPS
