//===- DropCarried.h - Values that loops carry for nobody --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose accesses go through views. Out: the same without the
// pointers that its loops still carry. They feed nothing but their own next
// value, which canonicalisation takes for a use, so address arithmetic that no
// access reads would stay in every iteration.
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
