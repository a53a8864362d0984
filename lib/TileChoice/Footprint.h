//===- Footprint.h - What a kernel has of memory ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel. Out: the arrays that it loads and stores by tiles, and their
// bytes, as a number or as an expression that a launch evaluates. All of an
// array counts, once: what several instances read comes from a cache, and what
// none reads is not known.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_FOOTPRINT_H
#define HEDDLE_LIB_TILECHOICE_FOOTPRINT_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Manifest/Manifest.h"
#include "heddle/TileChoice/TileChoice.h"

namespace heddle::tilechoice {

/// In the order of the kernel's arguments.
llvm::SmallVector<mlir::BlockArgument> arraysOf(tile::KernelOp kernel);

double bytesOf(tile::KernelOp kernel, mlir::BlockArgument array,
               const Extents &extents);
manifest::Expr bytesOf(tile::KernelOp kernel, mlir::BlockArgument array);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_FOOTPRINT_H
