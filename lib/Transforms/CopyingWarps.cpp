//===- CopyingWarps.cpp - How many warps copy what TMA cannot -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyingWarps.h"

#include "OperationCosts.h"

#include "heddle/Dialect/Hopper/HostScalar.h"
#include "heddle/Machine/Times.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;

bool heddle::isCopiedByThreads(tile::LoadOp load) {
  Operation *view = load.getView().getDefiningOp();
  while (isa_and_nonnull<tile::WindowOp, tile::MergeOp>(view))
    view = view->getOperand(0).getDefiningOp();
  auto made = dyn_cast_or_null<tile::MakeViewOp>(view);
  return made && !hopper::isMadeAtLaunch(made);
}

/// The load of operation `index`, if threads copy it.
static tile::LoadOp findCopy(const LoopProblem &exported, size_t index) {
  auto load = dyn_cast<tile::LoadOp>(exported.ops[index]);
  return load && isCopiedByThreads(load) ? load : tile::LoadOp();
}

void heddle::divideCopies(LoopProblem &exported, const machine::Costs &costs,
                          llvm::function_ref<int64_t(tile::LoadOp)> groupsOf) {
  for (auto [index, operation] : llvm::enumerate(exported.problem.operations)) {
    tile::LoadOp load = findCopy(exported, index);
    int64_t groups = load ? groupsOf(load) : 1;
    if (groups <= 1)
      continue;
    int64_t bytes =
        tileBytes(cast<RankedTensorType>(load.getResult().getType()));
    // All groups share what the multiprocessor moves at a time.
    machine::Span part = machine::Times(costs).ofThreadCopy(
        double(llvm::divideCeil(bytes, groups)));
    operation.issue = part.issue;
    operation.latency = part.latency;
  }
}
