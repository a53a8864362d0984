//===- UnevenWork.h - Decide: who deals the instances out ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose workers go through instances. Out: whether memory says
// how long an instance lasts: as lengths of sequences or rows of experts do.
// Then no order that is fixed before the launch is fair, and the hardware,
// which gives a multiprocessor the next block when one ends, is.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_UNEVENWORK_H
#define HEDDLE_LIB_TRANSFORMS_UNEVENWORK_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle {

/// Whether the trip count of a loop in an instance depends on numbers that are
/// read from memory. A branch around all of it is no such loop: instances that
/// have nothing to do pass quickly, and the others are even.
bool hasUnevenWork(tile::KernelOp kernel);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_UNEVENWORK_H
