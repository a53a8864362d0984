//===- KernelWork.h - The loops of a kernel as plain data -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For whoever estimates a kernel before or after it is scheduled: what each of
// its loops does in one iteration, as the machine's model sees it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_KERNELWORK_H
#define HEDDLE_TRANSFORMS_KERNELWORK_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Schedule/Problem.h"

#include <map>
#include <vector>

namespace heddle {

struct LoopWork {
  mlir::Operation *loop = nullptr; ///< an scf.for or an scf.while
  /// Its own operations; not those of loops inside.
  schedule::Problem problem;
  bool isPipelined = false;
  /// Of each operation: another process does it ahead, through a ring.
  std::vector<bool> isAhead;
  /// What an iteration's own operations read from memory and write to it.
  int64_t loadedBytes = 0, storedBytes = 0;
  /// Of what is read, tiles of the kernel's arguments, by their numbers.
  std::map<unsigned, int64_t> bytesOfArrays;
  /// Of what it writes, that which the plan leaves to the next instance. There
  /// is none without a plan: most tiles leave no room for it.
  int64_t lateBytes = 0;
  std::vector<LoopWork> inner; ///< in order
};

/// The loop over a worker's instances; `kernel` is split and named.
LoopWork describeWork(tile::KernelOp kernel, const machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_KERNELWORK_H
