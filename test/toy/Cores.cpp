//===- Cores.cpp - A toy target: two cores and a copy engine --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copy engine reads ahead and one core computes, as on any machine of
// units. The pass that this target adds to the step from tile gives the second
// core the stores, so that writing an instance's result runs beside the next
// instance; and no ring has more than two slots, of one iteration each, since
// the machine has double buffers. Where the stores cannot move, one core does
// all.
//
//===----------------------------------------------------------------------===//

#include "Cores.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/Ladder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace heddle;

namespace {

constexpr StringLiteral kCopier = "copier", kCore = "core", kWrite = "write";
constexpr int64_t kBuffers = 2;

using Entries = llvm::StringMap<sched::EntryOp>; ///< by operation

/// The operations that make what the kernel stores, in the order of the stores;
/// nothing where some store has to stay with the rest.
std::optional<SmallVector<Operation *>> findStored(tile::KernelOp kernel,
                                                   Entries &entries) {
  SmallVector<Operation *> stored;
  SmallVector<tile::MemoryAccess> reads, writes;
  kernel.walk([&](Operation *op) {
    if (auto access = tile::memoryAccess(op))
      (access->writes ? writes : reads).push_back(*access);
  });
  for (const tile::MemoryAccess &write : writes) {
    auto store = dyn_cast<tile::StoreOp>(write.op);
    Operation *made = store ? store.getValue().getDefiningOp() : nullptr;
    if (!made || made->getBlock() != store->getBlock() ||
        !isa<scf::ForOp>(store->getParentOp()) ||
        !entries.contains(sched::opName(made)))
      return std::nullopt;
    for (const tile::MemoryAccess &read : reads)
      if (tile::mayConflict(read, write))
        return std::nullopt;
    stored.push_back(made);
  }
  return stored;
}

/// Stores get a process of their own, and what they store a ring.
void giveStoresAway(tile::KernelOp kernel, sched::PlanOp plan) {
  Entries entries;
  plan.walk([&](sched::EntryOp entry) { entries[entry.getOp()] = entry; });
  auto stored = findStored(kernel, entries);
  if (!stored || stored->empty())
    return;
  sched::ProcessOp last;
  for (auto process : plan.getBody().getOps<sched::ProcessOp>())
    last = process;
  OpBuilder builder(plan.getContext());
  builder.setInsertionPointAfter(last);
  sched::ProcessOp::create(builder, last.getLoc(), kWrite, 0, 0,
                           builder.getStringAttr(kCore));
  for (Operation *made : *stored) {
    sched::EntryOp entry = entries[sched::opName(made)];
    if (entry.getRing())
      continue; // the copy engine loads it, or another store has it
    std::string ring = ("to_write." + sched::opName(made)).str();
    sched::RingOp::create(builder, made->getLoc(), ring, kBuffers,
                          /*carries=*/IntegerAttr(), /*rest=*/IntegerAttr());
    entry.setRing(ring);
  }
  kernel.walk([&](tile::StoreOp store) {
    entries[sched::opName(store)].setProcess(kWrite);
  });
}

struct ShareCores : PassWrapper<ShareCores, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShareCores)

  StringRef getArgument() const override { return "toy-share-cores"; }

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      sched::PlanOp plan = sched::findPlan(kernel);
      giveStoresAway(kernel, plan);
      for (auto ring : plan.getBody().getOps<sched::RingOp>()) {
        ring.setDepth(std::min<int64_t>(int64_t(ring.getDepth()), kBuffers));
        ring.removeRestAttr();
      }
      for (auto table : plan.getBody().getOps<sched::TableOp>())
        table.removeGroupsAttr();
    }
  }
};

} // namespace

void heddle::toy::registerCores() {
  using pipeline::Rung;
  pipeline::Step toSched{
      Rung::Tile, Rung::Sched,
      [](OpPassManager &manager, const pipeline::StepRequest &request) {
        pipeline::addTileToRoles(manager, request, kCopier.str(), kCore.str());
        manager.addPass(std::make_unique<ShareCores>());
      }};
  pipeline::registerTarget(
      {"cores", machine::Model::Units},
      {toSched, {Rung::Sched, Rung::Aref, pipeline::addRolesToAref}});
}
