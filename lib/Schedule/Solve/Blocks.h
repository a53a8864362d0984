//===- Blocks.h - Straight-line code that stays together ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_BLOCKS_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_BLOCKS_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// Operations that one process issues one right behind the other.
struct Block {
  std::vector<int> ops;
  std::vector<int64_t> offset; ///< of each from the block's start
  int64_t issue = 0;           ///< of all
};

/// Every operation for itself.
std::vector<Block> separateBlocks(const Problem &problem);

/// Synchronous operations of one process in program order, cut where one reads
/// or feeds an asynchronous unit and where a block would last longer than
/// `longest` cycles. Nothing is lost but the freedom to put something between
/// them.
std::vector<Block> straightLineBlocks(const Problem &problem,
                                      const std::vector<int> &process,
                                      int64_t longest);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_BLOCKS_H
