//===- DescribeLoop.cpp - What of a loop its plan depends on --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribeLoop.h"

#include "OperationCosts.h"
#include "Turning.h"

#include "heddle/Machine/Times.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace heddle;

/// The rows' addresses and the columns' masks of what threads add to memory,
/// without which ptxas spills. The copy engine adds boxes of f32.
static bool isByThreads(tile::ViewReduceOp reduction) {
  auto type = cast<RankedTensorType>(reduction.getValue().getType());
  return reduction.getKind() != tile::RmwKind::FAdd ||
         !type.getElementType().isF32() || type.getRank() != 2;
}

plan::Loop heddle::describeLoop(scf::ForOp loop, const LoopProblem &exported,
                                const machine::Costs &costs) {
  plan::Loop described;
  described.problem = exported.problem;
  described.choices = costs.choices;
  machine::Costs fitted = costs.asFitted();
  described.betweenProducts = machine::Times(fitted).afterProduct();
  for (Operation *op : exported.ops)
    described.beyondQueue.push_back(beyondQueue(op, costs));
  described.hasTail = hasTail(loop);
  described.branchesBesideTail = keepsBranch(loop, true);
  described.branchesWithTail = keepsBranch(loop, false);
  if (llvm::any_of(loop.getBody()->getOps<tile::ViewReduceOp>(), isByThreads))
    described.wantedRegisters = int64_t(costs.registers.reducing);
  return described;
}
