//===- GlobalOrder.cpp - Accesses whose order a proof assumes -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The prover has no global memory. Where two processes, or two stores by TMA of
// one process, may write to one place, which of them stays is in no barrier
// that it sees, and it says so. Tiles that lie apart need no order, whatever
// the text of the rung is: their numbers show it.
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

#include "heddle/Analysis/TilePlaces.h"
#include "heddle/Dialect/Hopper/GlobalMemory.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace heddle::check {

static hopper::ProcessOp processOf(const tile::MemoryAccess &access) {
  return access.op->getParentOfType<hopper::ProcessOp>();
}

/// Sums may come in any order.
static bool adds(Operation *op) {
  auto store = dyn_cast<hopper::TmaStoreOp>(op);
  return store ? store.getAdd()
               : isa<tile::ViewReduceOp, tile::AtomicRmwOp, tile::AtomicCasOp>(
                     op);
}

/// Whether a wait until all stores by TMA are over stands right before `later`,
/// behind `first` on each way to it.
static bool isAwaited(Operation *first, Operation *later) {
  for (Operation *at = later; !isa<hopper::ProcessOp>(at);
       at = at->getParentOp()) {
    for (Operation *op = at->getPrevNode(); op; op = op->getPrevNode()) {
      auto wait = dyn_cast<hopper::TmaStoreWaitOp>(op);
      if (wait && wait.getComplete() && wait.getPending() == 0)
        return true;
      if (op->isAncestor(first))
        return false;
    }
    if (at->getParentOp()->isProperAncestor(first) &&
        tile::isOrderedLoop(at->getParentOp()))
      return false;
  }
  return false;
}

/// Whether the order of `first` and `later` may show, and nothing that is seen
/// here keeps it.
static bool isOpen(const tile::MemoryAccess &first,
                   const tile::MemoryAccess &later) {
  if ((!first.writes && !later.writes) || (adds(first.op) && adds(later.op)) ||
      !first.origins.mayOverlap(later.origins))
    return false;
  if (processOf(first) == processOf(later) &&
      (!isa<hopper::TmaStoreOp>(first.op) || !later.writes ||
       !tile::mayFollow(later.op, first.op) || isAwaited(first.op, later.op)))
    return false;
  return !lieApart(first.op, later.op);
}

void assumeGlobalOrder(hopper::KernelOp kernel, Protocol &protocol) {
  SmallVector<tile::MemoryAccess> accesses;
  for (auto process : kernel.getOps<hopper::ProcessOp>())
    process.walk([&](Operation *op) {
      // Each has places of its own.
      if (isa<hopper::StampOp>(op))
        return;
      if (std::optional<tile::MemoryAccess> access = hopper::memoryAccess(op))
        accesses.push_back(*access);
    });
  for (auto later = accesses.begin(); later != accesses.end(); ++later)
    for (auto first = accesses.begin(); first != accesses.end(); ++first) {
      bool isOneProcess = processOf(*first) == processOf(*later);
      if ((first >= later && !isOneProcess) || !isOpen(*first, *later))
        continue;
      std::string place = placeOf(first->op->getLoc());
      std::string other = placeOf(later->op->getLoc());
      std::string assumed =
          "the order of accesses to global memory at " + place +
          (place == other ? "" : " and at " + other) +
          " does not show, or hangs on a value that is read (no barrier of the "
          "kernel keeps it)";
      if (!llvm::is_contained(protocol.assumptions, assumed))
        protocol.assumptions.push_back(assumed);
    }
}

} // namespace heddle::check
