//===- ChooseWarps.cpp - How many warps an unsplit kernel takes -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseWarps.h"

using namespace mlir;
using namespace heddle;

int64_t heddle::chooseWarps(tile::KernelOp kernel) {
  constexpr int64_t kFewest = 4, kMost = 16, kElementsPerThread = 32;
  int64_t widest = 0;
  bool multiplies = false;
  kernel.walk([&](Operation *op) {
    multiplies |= isa<tile::DotOp>(op);
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type);
          tile && tile.hasStaticShape())
        widest = std::max(widest, tile.getNumElements());
  });
  int64_t warps = kFewest;
  while (!multiplies && warps < kMost && widest % (2 * warps * 32) == 0 &&
         widest > warps * 32 * kElementsPerThread)
    warps *= 2;
  return warps;
}
