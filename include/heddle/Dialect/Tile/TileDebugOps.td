//===- TileDebugOps.td - Assertions and printing --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by TileOps.td. An assertion and a print have no results. Neither
// declares its effects, so MLIR assumes unknown ones and drops neither of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_DEBUG_OPS
#define HEDDLE_TILE_DEBUG_OPS

include "heddle/Dialect/Tile/TileBase.td"

def Tile_AssertOp : Tile_Op<"assert"> {
  let summary = "stops with a message where a condition is false";
  let description = [{
    `assumed` says that the compiler wrote it: the program means the same without,
    and what was made of it does not hold. Where a launch can check it, another
    variant of the kernel takes the launch.
  }];
  let arguments = (ins AnyType:$condition, StrAttr:$message, UnitAttr:$assumed);
  let assemblyFormat = "(`assumed` $assumed^)? $condition `,` $message attr-dict `:` type($condition)";
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tiedAlike;
}

def Tile_PrintOp : Tile_Op<"print"> {
  let summary = "prints values after a prefix";
  let arguments = (ins StrAttr:$prefix, Variadic<AnyType>:$values);
  let assemblyFormat = "$prefix (`,` $values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

#endif // HEDDLE_TILE_DEBUG_OPS
