//===- TileOps.cpp - The generated definitions of the tile ops
//-------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the code that TableGen generates for the operations. It is a unit of
// its own so that a changed verifier does not compile all of that again.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "heddle/Dialect/Tile/TileOps.cpp.inc"
