//===- TileShapeOps.td - Ops that make and move elements ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by TileOps.td, which has splat, expand_dims and broadcast itself.
// These operations make a tile or move its elements, and compute no number from
// another. Layouts of the hopper rung decide which of them move data between
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_SHAPE_OPS
#define HEDDLE_TILE_SHAPE_OPS

include "heddle/Dialect/Tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "0, 1, 2, ... along the only axis";
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Tile_Answer.free, Tile_Answer.tiedToNothing);
}

def Tile_UnsplatOp : Tile_Op<"unsplat", [Pure]> {
  let summary = "the only element of a tile";
  let arguments = (ins Tile_AnyTile:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_TransOp : Tile_Op<"trans", [Pure]> {
  let summary = "permutes the axes";
  let description = [{
    `tile.trans %x, [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>`: axis i of
    the result is axis order[i] of the operand.
  }];
  let arguments = (ins Tile_AnyTile:$value, DenseI64ArrayAttr:$order);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$value `,` $order attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Tile_Answer.linear, Tile_Answer.tied);
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements, in row-major order, in another shape";
  let description = [{
    Before `instantiate` the product of the static extents and the names must be
    the same on both sides.
  }];
  let arguments = (ins Tile_AnyTile:$value);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = !strconcat(Tile_Answer.linear, Tile_Answer.tied);
}

def Tile_CatOp : Tile_Op<"cat", [Pure]> {
  let summary = "two tiles one after the other along an axis";
  let arguments = (ins Tile_AnyTile:$a, Tile_AnyTile:$b, I64Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $axis attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tied;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["a", "b"]>]> {
  let summary = "two tiles side by side along a new last axis of extent 2";
  let arguments = (ins Tile_AnyTile:$a, Tile_AnyTile:$b);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$a `,` $b attr-dict `:` type($a) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tied;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["a", "b"]>]> {
  let summary = "the two halves of a last axis of extent 2";
  let arguments = (ins Tile_AnyTile:$value);
  let results = (outs Tile_AnyTile:$a, Tile_AnyTile:$b);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($a)";
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tied;
}

def Tile_TakeOp : Tile_Op<"take", [Pure]> {
  let summary = "elements of a tile chosen by indices along an axis";
  let description = [{
    `tile.take %x[%i], 0 : tensor<64x8xf32>, tensor<16x8xi32> -> tensor<16x8xf32>`:
    result[i, j] = x[index[i, j], j]. An index outside is an error.
  }];
  let arguments = (ins Tile_AnyTile:$value, Tile_AnyTile:$indices, I64Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $value `[` $indices `]` `,` $axis attr-dict `:` type($value) `,` type($indices)
    `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_UnfoldOp : Tile_Op<"unfold", [Pure]> {
  let summary = "windows that slide along a tile, one for each row of the result";
  let description = [{
    `tile.unfold %span from %first {size = 33, step = 12} : tensor<800xf16> ->
    tensor<64x48xf16>`: result[r, k] = span[first + step * r + k] for k below
    `size`, and zero behind. A window that ends outside of the span is an error.
  }];
  let arguments = (ins Tile_AnyTile:$span, Index:$first, I64Attr:$size, I64Attr:$step);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $span `from` $first attr-dict `:` type($span) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Tile_Answer.linear, Tile_Answer.tied,
                                         Tile_Answer.cycles);
}

#endif // HEDDLE_TILE_SHAPE_OPS
