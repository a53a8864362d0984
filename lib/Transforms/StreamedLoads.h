//===- StreamedLoads.h - Decide: loads of loops without products -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with pipelined loops. Out: the loads of its other loops that the
// copying process may do as well, as those of row sums in front of a product.
// Nobody schedules such a loop, but the copying process runs ahead of who
// computes by as many iterations as the ring has slots, and it copies by TMA
// what threads would load in the layout of the product that comes next.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_STREAMEDLOADS_H
#define HEDDLE_LIB_TRANSFORMS_STREAMEDLOADS_H

#include "heddle/Dialect/Tile/Tile.h"

#include "llvm/ADT/SmallVector.h"

namespace heddle {

/// Loads of tiles of two axes, of views that a launch may make and the kernel
/// never writes, in loops that are not pipelined and that read them
/// themselves.
llvm::SmallVector<tile::LoadOp> streamedLoads(tile::KernelOp kernel);

/// Slots for each of them, at most `most`, where one iteration of a pipelined
/// loop takes `loopBytes` of the `have` bytes that rings share, and keeps as
/// many; 0 where there is no room for two.
int64_t depthOfStreams(llvm::ArrayRef<tile::LoadOp> loads, int64_t loopBytes,
                       int64_t have, int64_t most);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_STREAMEDLOADS_H
