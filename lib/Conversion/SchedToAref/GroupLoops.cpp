//===- GroupLoops.cpp - Several iterations of a loop at a time ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop whose table has `groups N`. Out: a loop over groups of N
// iterations, and one for those that are left. Where a ring has slots for the
// `rest`, a turn of it carries what a whole group sends: then what needs
// nothing that the loop carries comes first, operation by operation, so that
// neighbours share their turn. Elsewhere iterations come one behind the other.
// What the loop carries is computed in the old order, so the results have the
// same bits.
//
//===----------------------------------------------------------------------===//

#include "GroupLoops.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heddle;

namespace {

class Grouper {
public:
  Grouper(scf::ForOp loop, int64_t size, bool sharesTurns)
      : loop(loop), size(size), sharesTurns(sharesTurns) {}

  void run() {
    if (sharesTurns)
      findEarly();
    Value middle = endOfGroups();
    scf::ForOp groups = makeGroups(middle);
    makeRest(middle, groups.getResults());
  }

private:
  /// What may be done for all iterations of a group before any of them goes on.
  void findEarly() {
    SmallVector<tile::MemoryAccess> writes;
    loop->walk([&](Operation *op) {
      auto access = tile::memoryAccess(op);
      if (access && access->writes)
        writes.push_back(*access);
    });
    DenseSet<Value> carried;
    carried.insert_range(loop.getRegionIterArgs());
    for (Operation &op : loop.getBody()->without_terminator()) {
      llvm::SetVector<Value> reads(op.operand_begin(), op.operand_end());
      getUsedValuesDefinedAbove(op.getRegions(), reads);
      auto access = tile::memoryAccess(&op);
      bool staysInOrder =
          llvm::any_of(reads,
                       [&](Value read) { return carried.contains(read); }) ||
          (access ? access->writes ||
                        llvm::any_of(writes,
                                     [&](const tile::MemoryAccess &write) {
                                       return tile::mayConflict(*access, write);
                                     })
                  : !isa<tile::AssertOp>(op) && !isMemoryEffectFree(&op));
      if (staysInOrder)
        carried.insert_range(op.getResults());
      else
        early.insert(&op);
    }
  }

  Value constant(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loop.getLoc(), value);
  }

  /// Where whole groups end: the lower bound if there is none.
  Value endOfGroups() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value span = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                       loop.getLowerBound());
    Value atLeast =
        arith::MaxSIOp::create(builder, loc, span, constant(builder, 0));
    Value trips =
        arith::CeilDivSIOp::create(builder, loc, atLeast, loop.getStep());
    Value groups =
        arith::DivSIOp::create(builder, loc, trips, constant(builder, size));
    Value whole =
        arith::MulIOp::create(builder, loc, groups, stepOfGroups(builder));
    return arith::AddIOp::create(builder, loc, loop.getLowerBound(), whole);
  }

  Value stepOfGroups(OpBuilder &builder) {
    return arith::MulIOp::create(builder, loop.getLoc(), loop.getStep(),
                                 constant(builder, size));
  }

  scf::ForOp makeGroups(Value end) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    auto groups = scf::ForOp::create(builder, loc, loop.getLowerBound(), end,
                                     stepOfGroups(builder), loop.getInitArgs());
    groups->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    groups->setAttr(expander::kGroups, builder.getI64IntegerAttr(size));
    builder.setInsertionPointToStart(groups.getBody());
    SmallVector<IRMapping> values(static_cast<size_t>(size));
    for (auto [number, mapping] : llvm::enumerate(values)) {
      Value ahead = arith::MulIOp::create(builder, loc, loop.getStep(),
                                          constant(builder, int64_t(number)));
      mapping.map(
          loop.getInductionVar(),
          arith::AddIOp::create(builder, loc, groups.getInductionVar(), ahead));
    }
    for (Operation &op : loop.getBody()->without_terminator())
      if (early.contains(&op))
        for (IRMapping &mapping : values)
          builder.clone(op, mapping);
    SmallVector<Value> carried(groups.getRegionIterArgs());
    for (IRMapping &mapping : values) {
      mapping.map(loop.getRegionIterArgs(), carried);
      for (Operation &op : loop.getBody()->without_terminator())
        if (!early.contains(&op))
          builder.clone(op, mapping);
      for (auto [value, next] :
           llvm::zip_equal(loop.getYieldedValues(), carried))
        next = mapping.lookupOrDefault(value);
    }
    if (groups.getBody()->mightHaveTerminator())
      groups.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(groups.getBody());
    scf::YieldOp::create(builder, loc, carried);
    return groups;
  }

  void makeRest(Value from, ValueRange carried) {
    loop.setLowerBound(from);
    loop.getInitArgsMutable().assign(carried);
    loop->setAttr(expander::kRest, Builder(loop).getI64IntegerAttr(size));
  }

  scf::ForOp loop;
  int64_t size;
  bool sharesTurns;
  llvm::SetVector<Operation *> early;
};

} // namespace

scf::ForOp heddle::expander::groupsOf(scf::ForOp rest) {
  return rest->hasAttr(kRest) ? cast<scf::ForOp>(rest->getPrevNode())
                              : scf::ForOp();
}

scf::ForOp heddle::expander::restOf(scf::ForOp groups) {
  return groups->hasAttr(kGroups) ? cast<scf::ForOp>(groups->getNextNode())
                                  : scf::ForOp();
}

LogicalResult heddle::expander::groupLoops(tile::KernelOp kernel,
                                           sched::PlanOp plan) {
  llvm::StringSet<> withRest;
  for (auto ring : plan.getBody().getOps<sched::RingOp>())
    if (ring.getRest())
      withRest.insert(ring.getSym());
  for (auto table : plan.getBody().getOps<sched::TableOp>()) {
    bool sharesTurns = llvm::any_of(
        table.getBody().getOps<sched::EntryOp>(), [&](sched::EntryOp entry) {
          return entry.getRing() && withRest.contains(*entry.getRing());
        });
    int64_t size = int64_t(table.getGroups().value_or(1));
    if (size == 1 && sharesTurns)
      return reportOp(table, diag::not_expandable)
             << "has no groups, but a ring of loop '" << table.getLoop()
             << "' has slots for the rest of groups; leave out `rest`";
    if (size == 1)
      continue;
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](Operation *op) {
      if (sched::loopName(op) == table.getLoop())
        if (auto loop = dyn_cast<scf::ForOp>(op))
          loops.push_back(loop);
    });
    if (loops.empty())
      return reportOp(table, diag::not_expandable)
             << "has groups, but '" << table.getLoop()
             << "' is no loop that counts";
    for (scf::ForOp loop : loops) {
      if (!loop.getInductionVar().getType().isIndex() || loop.getUnsignedCmp())
        return reportOp(table, diag::not_expandable)
               << "has groups, but loop '" << table.getLoop()
               << "' does not count in indices";
      Grouper(loop, size, sharesTurns).run();
    }
  }
  return success();
}
