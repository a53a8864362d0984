//===- TileCombineOps.td - Reductions, scans and histograms ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by TileOps.td. Operations that combine elements, along an axis by a
// region or into bins. The region takes and yields scalars: it may combine
// several tiles at once, by any associative operation, and each lowering is
// free to apply it to registers, lanes or warps.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_COMBINE_OPS
#define HEDDLE_TILE_COMBINE_OPS

include "heddle/Dialect/Tile/TileBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_CombineOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([SingleBlock, RecursiveMemoryEffects], traits)> {
  let regions = (region SizedRegion<1>:$combiner);
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_CombineOp<"reduce"> {
  let summary = "combines the elements along an axis";
  let description = [{
    ```
    %m = tile.reduce %x axis 1 : tensor<64x32xf32> -> tensor<64xf32>
        combine (%p: f32, %q: f32) {
      %s = arith.maximumf %p, %q : f32
      tile.yield %s : f32
    }
    ```
    Several operands are combined together (a maximum and where it is). The
    result has one axis fewer; that of a tile of one axis is a scalar. The
    combiner is associative and commutative: the order of combination is free.
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$values, I64Attr:$axis);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $values `axis` $axis attr-dict `:` type($values) `->` type($results)
    `combine` custom<Combiner>($combiner)
  }];
  let extraClassDeclaration = Tile_Answer.tied;
}

def Tile_ScanOp : Tile_CombineOp<"scan"> {
  let summary = "combines each element with those before it along an axis";
  let description = [{
    Inclusive; `reverse` starts from the end. The combiner is associative. The
    first operands are those combined so far.
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$values, I64Attr:$axis,
                       UnitAttr:$reverse);
  let results = (outs Variadic<Tile_AnyTile>:$results);
  let assemblyFormat = [{
    $values `axis` $axis (`reverse` $reverse^)? attr-dict `:` type($values)
    `->` type($results) `combine` custom<Combiner>($combiner)
  }];
  let extraClassDeclaration = Tile_Answer.tied;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "what a combiner gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure]> {
  let summary = "how often each number in [0, bins) occurs";
  let description = [{
    `tile.histogram %x mask %m : tensor<256xi1> : tensor<256xi32> -> tensor<16xi32>`.
    Elements outside the bins and those that the mask excludes are not counted.
  }];
  let arguments = (ins Tile_AnyTile:$value, Optional<Tile_AnyTile>:$mask);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $value (`mask` $mask^ `:` type($mask))? attr-dict `:` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // HEDDLE_TILE_COMBINE_OPS
