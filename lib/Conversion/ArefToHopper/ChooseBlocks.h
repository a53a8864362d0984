//===- ChooseBlocks.h - Decide: thread blocks a multiprocessor ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: threads, live registers and shared memory of one block. Out: the number
// of blocks a multiprocessor. It is for kernels of one process without rings or
// products: only the warps of other blocks hide their latency, and ptxas must
// learn from the kernel how many registers that leaves a thread.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSEBLOCKS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSEBLOCKS_H

#include "heddle/Machine/Limits.h"

#include <cstdint>

namespace heddle::areftohopper {

/// Thread blocks that share a multiprocessor: as many as its registers, threads
/// and shared memory hold when each thread has the registers for `live`
/// registers of tiles, addresses and counters.
int64_t chooseBlocks(const machine::Limits &limits, int64_t threads,
                     int64_t needed, int64_t sharedBytes);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSEBLOCKS_H
