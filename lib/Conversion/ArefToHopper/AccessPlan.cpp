//===- AccessPlan.cpp - Decide: what threads access at once ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPlan.h"

#include "AccessLayouts.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include <set>

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {

/// A gather or scatter, and the tile in the layout in which it is executed.
struct PlacedAccess {
  Operation *op;
  RankedTensorType tile;
};

class AccessPlanner {
public:
  AccessPlanner(KernelPlan &plan, const KernelFacts &facts)
      : plan(plan), facts(facts) {}

  void planLookingStores();
  void planRows();
  void planRuns();

private:
  bool hasStoredRows(Value view) const;
  SmallVector<PlacedAccess> placedAccesses() const;

  KernelPlan &plan;
  const KernelFacts &facts;
};

} // namespace

/// The extent of a view along its fastest axis; none of an argument's view.
static Value rowExtent(Value view) {
  auto made = view.getDefiningOp<tile::MakeViewOp>();
  return made ? made.getExtents()[made.getType().getOrder().front()] : Value();
}

/// A store by TMA needs rows of a multiple of 16 bytes. So has a view of as
/// many elements, no narrower, in each of its rows.
bool AccessPlanner::hasStoredRows(Value view) const {
  auto bits = [](Value view) {
    return elementBits(cast<tile::ViewType>(view.getType()).getElementType());
  };
  Value extent = rowExtent(view);
  return extent && llvm::any_of(plan.stores, [&](const auto &entry) {
           Value stored = Stored(entry.first).getView();
           return entry.second.isTma() && rowExtent(stored) == extent &&
                  bits(stored) <= bits(view);
         });
}

/// Beside rings, stores to views that the kernel makes, as at rows that memory
/// names: no launch has asked whether these are aligned, but most are.
void AccessPlanner::planLookingStores() {
  for (auto [process, processPlan] : llvm::zip(facts.processes, plan.processes))
    for (tile::StoreOp store : process.stores)
      if (facts.storesByThreads(store))
        plan.vectors[store] =
            lookingVector(store, processPlan.layouts.stored.lookup(store));
}

/// What threads read and write at once, and the views that this counts on. The
/// variant that stores by TMA must not be refused to more shapes for it, so
/// there only views count whose rows are as long as those stored. One that
/// loads by TMA and stores nothing by it counts on the views that threads
/// store to, and loads on what stores count on; others get a variant without.
void AccessPlanner::planRows() {
  bool isTma = plan.variant == Variant::Tma;
  if (!isTma && plan.variant != Variant::Rows)
    return;
  SetVector<int64_t> arguments;
  auto choose = [&](Operation *op, Value view, ValueRange offsets, Value tile,
                    hopper::LayoutAttr layout) {
    Value rows = hopper::findRows(view);
    std::optional<int64_t> argument;
    if (rows)
      argument = facts.findArgument(rows);
    bool isStored = isa<tile::StoreOp>(op) && !plan.storesByTma();
    if (!argument || !layout ||
        (isTma && !isStored && !hasStoredRows(view) &&
         !arguments.contains(*argument)))
      return;
    int64_t vector = hopper::widestAccess(
        cast<tile::ViewType>(view.getType()), offsets,
        withLayout(cast<RankedTensorType>(tile.getType()), layout));
    if (vector == 1)
      return;
    plan.vectors[op] = vector;
    arguments.insert(*argument);
  };
  for (auto [process, processPlan] : llvm::zip(facts.processes, plan.processes))
    for (tile::StoreOp store : process.stores)
      if (!plan.stores[store].isTma())
        choose(store, store.getView(), store.getOffsets(), store.getValue(),
               processPlan.layouts.stored.lookup(store));
  for (auto [process, processPlan] : llvm::zip(facts.processes, plan.processes))
    aref::ProcessOp(process.op).walk([&](tile::LoadOp load) {
      choose(load, load.getView(), load.getOffsets(), load.getResult(),
             processPlan.layouts.lookup(load.getResult()));
    });
  plan.rowArgs = arguments.takeVector();
  llvm::sort(plan.rowArgs);
}

SmallVector<PlacedAccess> AccessPlanner::placedAccesses() const {
  SmallVector<PlacedAccess> accesses;
  for (auto [process, processPlan] : llvm::zip(facts.processes, plan.processes))
    aref::ProcessOp(process.op).walk([&](Operation *op) {
      auto gather = dyn_cast<tile::GatherOp>(op);
      auto scatter = dyn_cast<tile::ScatterOp>(op);
      if (!gather && !scatter)
        return;
      Value elements = gather ? gather.getResult() : scatter.getValue();
      hopper::LayoutAttr layout = gather
                                      ? processPlan.layouts.lookup(elements)
                                      : processPlan.layouts.stored.lookup(op);
      if (auto tile = dyn_cast<RankedTensorType>(elements.getType());
          tile && layout)
        accesses.push_back({op, withLayout(tile, layout)});
    });
  return accesses;
}

/// Places that go in runs. Of the arguments that they are made of, a launch is
/// asked to look at those without which some access would be narrower.
void AccessPlanner::planRuns() {
  if (plan.places != Places::InRuns)
    return;
  SmallVector<PlacedAccess> accesses = placedAccesses();
  Block *entry = &tile::KernelOp(facts.kernel).getEntry();
  std::set<unsigned> asked;
  auto widths = [&](auto isMultiple) {
    tile::RunFinder runs([&](BlockArgument argument) {
      return argument.getOwner() == entry &&
             isa<IntegerType, IndexType, tile::PtrType>(argument.getType()) &&
             isMultiple(argument.getArgNumber());
    });
    return llvm::map_to_vector(accesses, [&](const PlacedAccess &access) {
      return hopper::widestAccess(access.op, access.tile, runs);
    });
  };
  SmallVector<hopper::Neighbours> widest =
      widths([&](unsigned argument) { return asked.insert(argument), true; });
  for (unsigned argument : llvm::to_vector(asked)) {
    auto isOther = [&](unsigned other) {
      return other != argument && asked.count(other);
    };
    if (widths(isOther) == widest)
      asked.erase(argument);
  }
  for (auto [access, neighbours] : llvm::zip(accesses, widest))
    plan.neighbours[access.op] = neighbours;
  plan.multipleArgs.assign(asked.begin(), asked.end());
}

void heddle::areftohopper::planAccesses(KernelPlan &plan,
                                        const KernelFacts &facts) {
  AccessPlanner planner(plan, facts);
  planner.planLookingStores();
  planner.planRows();
  planner.planRuns();
}
