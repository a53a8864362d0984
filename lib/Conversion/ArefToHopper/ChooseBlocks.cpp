//===- ChooseBlocks.cpp - Decide: thread blocks a multiprocessor ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseBlocks.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace heddle;

int64_t heddle::areftohopper::chooseBlocks(const machine::Limits &limits,
                                           int64_t threads, int64_t needed,
                                           int64_t sharedBytes) {
  int64_t registers = llvm::alignTo(needed, 8);
  int64_t blocks =
      std::min({limits.threadsPerMultiprocessor / threads,
                limits.registersPerMultiprocessor / (registers * threads),
                limits.sharedBytesPerMultiprocessor /
                    (sharedBytes + limits.reservedSharedBytes),
                limits.blocksPerMultiprocessor});
  return std::max<int64_t>(blocks, 1);
}
