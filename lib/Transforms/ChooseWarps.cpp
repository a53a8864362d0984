//===- ChooseWarps.cpp - How many warps an unsplit kernel takes -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseWarps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;

/// Of a lane in a row that one warp reads: two accesses of 16 bytes of f32.
static constexpr int64_t kWarpRowElements = 8;

/// Whether a load of the loop has a place that another one of it names.
static bool followsMemory(scf::ForOp loop, Value place) {
  Operation *made = place.getDefiningOp();
  if (!made || made->getBlock() != loop.getBody())
    return false;
  return isa<tile::LoadOp, tile::GatherOp>(made) ||
         llvm::any_of(made->getOperands(), [&](Value operand) {
           return followsMemory(loop, operand);
         });
}

/// Whether instances go through rows that memory names, each its own number.
static bool waitsForRows(tile::KernelOp kernel) {
  bool found = false;
  kernel.walk([&](scf::ForOp loop) {
    for (auto load : loop.getBody()->getOps<tile::LoadOp>())
      found |= llvm::any_of(load.getOffsets(), [&](Value place) {
        return followsMemory(loop, place);
      });
  });
  return found;
}

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
  // Warps that wait for rows of their own wait side by side.
  if (!multiplies && widest <= 32 * kWarpRowElements && waitsForRows(kernel))
    return 1;
  int64_t warps = fewest;
  while (!multiplies && warps < most && widest % (2 * warps * 32) == 0 &&
         widest > warps * 32 * elements)
    warps *= 2;
  return warps;
}
