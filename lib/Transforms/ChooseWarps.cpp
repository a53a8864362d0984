//===- ChooseWarps.cpp - How many warps an unsplit kernel takes -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseWarps.h"

using namespace mlir;
using namespace heddle;

int64_t heddle::chooseWarps(tile::KernelOp kernel,
                            const machine::Costs &costs) {
  int64_t fewest = int64_t(costs.rows.fewestWarps),
          most = int64_t(costs.rows.mostWarps),
          elements = int64_t(costs.rows.elementsPerThread);
  int64_t widest = 0;
  bool multiplies = false;
  kernel.walk([&](Operation *op) {
    multiplies |= isa<tile::DotOp>(op);
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type);
          tile && tile.hasStaticShape())
        widest = std::max(widest, tile.getNumElements());
  });
  int64_t warps = fewest;
  while (!multiplies && warps < most && widest % (2 * warps * 32) == 0 &&
         widest > warps * 32 * elements)
    warps *= 2;
  return warps;
}
