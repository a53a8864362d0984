//===- StreamedLoads.cpp - Decide: loads of loops without products --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamedLoads.h"

#include "ExportProblem.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"

using namespace mlir;
using namespace heddle;

/// A loop in an instance whose end every process finds for itself.
static bool isStream(scf::ForOp loop) {
  if (!loop || sched::loopName(loop) == "tiles" || isPipelined(loop) ||
      loop->walk([](tile::DotOp) { return WalkResult::interrupt(); })
          .wasInterrupted())
    return false;
  for (Operation *around = loop->getParentOp(); !isa<tile::KernelOp>(around);
       around = around->getParentOp())
    if (!isa<scf::ForOp>(around))
      return false;
  return true;
}

static bool isMadeAtLaunch(Value view, tile::KernelOp kernel) {
  auto made = view.getDefiningOp<tile::MakeViewOp>();
  return made ? made->getBlock() == &kernel.getEntry()
              : isa<BlockArgument>(view);
}

SmallVector<tile::LoadOp> heddle::streamedLoads(tile::KernelOp kernel) {
  SmallVector<tile::LoadOp> loads;
  kernel.walk([&](tile::LoadOp load) {
    auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
    auto type = cast<RankedTensorType>(load.getResult().getType());
    bool isStreamed =
        type.getRank() == 2 && !load.getRows() &&
        !load->hasAttr(tile::kInOrderAttr) && sched::isScheduled(load) &&
        isMadeAtLaunch(load.getView(), kernel) && isStream(loop) &&
        !load->hasAttr(sched::kRepeated) && sched::isOnlyRead(load) &&
        llvm::all_of(load->getUsers(), [&](Operation *user) {
          return user->getBlock() == load->getBlock() &&
                 !isa<scf::YieldOp>(user);
        });
    if (isStreamed)
      loads.push_back(load);
  });
  return loads;
}

int64_t heddle::depthOfStreams(ArrayRef<tile::LoadOp> loads, int64_t loopBytes,
                               int64_t have, int64_t most) {
  int64_t bytes = 0;
  for (tile::LoadOp load : loads) {
    auto type = cast<RankedTensorType>(load.getResult().getType());
    bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  // With one slot nobody runs ahead.
  int64_t slots = bytes ? std::min(most, have / (bytes + loopBytes)) : 0;
  return slots > 1 ? slots : 0;
}
