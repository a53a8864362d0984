//===- ChooseWarps.h - How many warps an unsplit kernel takes -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel without a loop to pipeline. Out: the warps of its one process.
// The scheduler chooses processes for pipelined loops only, and no fixed number
// would do: a wide tile needs the registers of many threads, and a narrow one
// wastes them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_CHOOSEWARPS_H
#define HEDDLE_TRANSFORMS_CHOOSEWARPS_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"

namespace heddle {

/// The warps of a kernel that stays one process. Four while the widest tile
/// leaves a thread a handful of registers, else eight or sixteen: such a kernel
/// is limited by memory, and small blocks hide its latency best because several
/// share a multiprocessor. A kernel with a dot has the four warps of a wgmma.
int64_t chooseWarps(tile::KernelOp kernel, const machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_CHOOSEWARPS_H
