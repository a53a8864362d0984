//===- DropCarried.h - Values that loops carry for nobody --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_DROPCARRIED_H
#define HEDDLE_LIB_TRANSFORMS_DROPCARRIED_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle {

/// Removes what the loops of `kernel` compute from iteration to iteration only
/// to compute it again. Canonicalisation removes what is never used, not this.
void dropCarried(tile::KernelOp kernel);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_DROPCARRIED_H
