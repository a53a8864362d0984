//===- DeclinedLoops.h - Says why a loop is not pipelined -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel after scheduling was considered. Out: remarks. A loop that is
// not pipelined gives right results slowly, which nobody notices; the remark
// names the operation that stands in the way, and how to write the loop without
// it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_DECLINEDLOOPS_H
#define HEDDLE_LIB_TRANSFORMS_DECLINEDLOOPS_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle {

/// Remarks on every loop of `kernel` that loads or multiplies tiles in program
/// order, and on the kernel if that leaves it one process.
void reportDeclinedLoops(tile::KernelOp kernel);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_DECLINEDLOOPS_H
