//===- ChooseBlocks.h - Decide: thread blocks a multiprocessor ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSEBLOCKS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSEBLOCKS_H

#include "AssignLayouts.h"

namespace heddle::areftohopper {

/// The most bytes that a block of `process` asks for at once and that no
/// earlier instance asked for: tiles at places that depend on the instance.
int64_t countStreamedBytes(aref::ProcessOp process);

/// Thread blocks that share a multiprocessor: as many as its registers, threads
/// and shared memory hold when each thread has the registers for `live`
/// registers of tiles, addresses and counters, but no more than keep the memory
/// busy.
int64_t chooseBlocks(int64_t threads, int64_t live, int64_t sharedBytes,
                     int64_t streamedBytes);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSEBLOCKS_H
