//===- Assembly.h - Instructions of one machine, as text --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.inline_asm, and what of PTX it takes: straight-line code that computes
// registers from registers. Memory, barriers, other threads and special
// registers would make a result depend on where its element lies, which the
// tile rung does not say, and on when it is computed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_ASSEMBLY_H
#define HEDDLE_DIALECT_TILE_ASSEMBLY_H

#include "heddle/Dialect/Tile/Tile.h"

#define GET_OP_CLASSES
#include "heddle/Dialect/Tile/TileAssemblyOps.h.inc"

namespace heddle::tile {

/// Elements of a register, of `pack` that are computed at a time.
int64_t elementsOfRegister(mlir::Type element, int64_t pack);

/// The letter of each register's constraint, results first.
llvm::SmallVector<char> constraintLetters(llvm::StringRef constraints);

/// Why such an operation is none; empty if it is one.
std::string whyNotInlined(llvm::StringRef text, llvm::StringRef constraints,
                          int64_t pack, mlir::TypeRange operands,
                          mlir::TypeRange results);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_ASSEMBLY_H
