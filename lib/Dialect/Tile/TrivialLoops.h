//===- TrivialLoops.h - Loops that run never, once, or for nothing *- C++ -*-=//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_DIALECT_TILE_TRIVIALLOOPS_H
#define HEDDLE_LIB_DIALECT_TILE_TRIVIALLOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace heddle::tile {

/// A pattern that drops such loops.
void addTrivialLoops(mlir::RewritePatternSet &patterns);

} // namespace heddle::tile

#endif // HEDDLE_LIB_DIALECT_TILE_TRIVIALLOOPS_H
