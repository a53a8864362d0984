//===- SplitAxes.cpp - Follow the rows of a dot -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitAxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::split;

namespace {

/// Spreads "this value is split along that axis" to a fixed point. Each op ties
/// axes of its operands and results together; an op that does not know how to
/// follow a split axis is an obstacle.
class AxisPropagation {
public:
  explicit AxisPropagation(SplitPlan &plan) : plan(plan) {}

  bool seed(tile::DotOp dot) {
    int64_t rows =
        cast<RankedTensorType>(dot.getResult().getType()).getShape()[0];
    if (rows == kRows)
      return true;
    if (rows < kRows || rows % kRows)
      return obstruct(
          dot,
          llvm::formatv("a dot of {0} rows is no multiple of {1}", rows, kRows)
              .str());
    if (plan.count != 1 && plan.count != rows / kRows)
      return obstruct(
          dot, llvm::formatv("dots of {0} and {1} rows stand in one kernel",
                             plan.count * kRows, rows)
                   .str());
    plan.count = rows / kRows;
    return mark(dot.getResult(), 0, dot);
  }

  bool spread() {
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (Operation *def = value.getDefiningOp(); def && !follow(def, value))
        return false;
      if (auto argument = dyn_cast<BlockArgument>(value))
        if (!follow(argument.getOwner()->getParentOp(), value))
          return false;
      for (Operation *user : value.getUsers())
        if (!follow(user, value))
          return false;
    }
    return true;
  }

private:
  bool obstruct(Operation *op, std::string reason) {
    plan.obstacle = op;
    plan.reason = std::move(reason);
    return false;
  }

  bool mark(Value value, int64_t axis, Operation *because) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return true;
    auto [it, isNew] = plan.axes.try_emplace(value, axis);
    if (!isNew)
      return it->second == axis ||
             obstruct(because,
                      "one tile would have to be split along two axes");
    if (type.getShape()[axis] != plan.count * kRows)
      return obstruct(because,
                      llvm::formatv("an axis of extent {0} meets one of {1}",
                                    type.getShape()[axis], plan.count * kRows)
                          .str());
    worklist.push_back(value);
    return true;
  }

  /// Ties `value`, already marked, to the other values of `op`.
  bool follow(Operation *op, Value value) {
    int64_t axis = plan.axes.lookup(value);
    if (isa<tile::LoadOp, tile::StoreOp, tile::SplatOp>(op))
      return true;
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue()) ||
             obstruct(op, "a constant tile with differing elements is split");
    if (auto dot = dyn_cast<tile::DotOp>(op))
      return followDot(dot, value, axis);
    if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
      return followExpand(expand, value, axis);
    if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
      return followBroadcast(broadcast, value, axis);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return followLoop(loop, value, axis);
    if (auto yield = dyn_cast<scf::YieldOp>(op)) {
      auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
      return loop ? followLoop(loop, value, axis)
                  : obstruct(op->getParentOp(),
                             "a split tile leaves a conditional");
    }
    if (op->hasTrait<OpTrait::Elementwise>() || isa<tile::CastOp>(op)) {
      for (Value other : op->getOperands())
        if (!mark(other, axis, op))
          return false;
      for (Value other : op->getResults())
        if (!mark(other, axis, op))
          return false;
      return true;
    }
    return obstruct(op, "this operation cannot be split");
  }

  bool followDot(tile::DotOp dot, Value value, int64_t axis) {
    if (value == dot.getB() && value != dot.getA())
      return obstruct(dot,
                      "the right operand of a dot is split along its own axes");
    if (axis != 0)
      return obstruct(dot, "a dot is split along another axis than its rows");
    return mark(dot.getA(), 0, dot) && mark(dot.getAcc(), 0, dot) &&
           mark(dot.getResult(), 0, dot);
  }

  bool followExpand(tile::ExpandDimsOp expand, Value value, int64_t axis) {
    int64_t inserted = expand.getAxis();
    if (value == expand.getValue())
      return mark(expand.getResult(), axis < inserted ? axis : axis + 1,
                  expand);
    return mark(expand.getValue(), axis < inserted ? axis : axis - 1, expand);
  }

  bool followBroadcast(tile::BroadcastOp broadcast, Value value, int64_t axis) {
    Value other = value == broadcast.getValue() ? Value(broadcast.getResult())
                                                : broadcast.getValue();
    if (cast<RankedTensorType>(other.getType()).getShape()[axis] == 1)
      return true;
    return mark(other, axis, broadcast);
  }

  bool followLoop(scf::ForOp loop, Value value, int64_t axis) {
    auto yielded = loop.getYieldedValues();
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
      Value group[] = {loop.getInitArgs()[i], loop.getRegionIterArg(i),
                       yielded[i], loop.getResult(i)};
      if (!llvm::is_contained(group, value))
        continue;
      for (Value member : group)
        if (!mark(member, axis, loop))
          return false;
    }
    return true;
  }

  SplitPlan &plan;
  SmallVector<Value> worklist;
};

bool touchesSplit(const SplitPlan &plan, Operation *op) {
  auto isSplit = [&](Value v) { return plan.axes.contains(v); };
  return llvm::any_of(op->getOperands(), isSplit) ||
         llvm::any_of(op->getResults(), isSplit);
}

/// An op whose every user is copied for each sub-tile is copied with them, but
/// never what a dot reads: that is the work worth sharing.
void decideRepeated(tile::KernelOp kernel, SplitPlan &plan) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops)) {
    if (op->getNumRegions() || op->getNumResults() == 0 ||
        touchesSplit(plan, op) ||
        !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      continue;
    bool repeated = llvm::all_of(op->getUsers(), [&](Operation *user) {
      return !isa<tile::DotOp>(user) && user->getNumRegions() == 0 &&
             (touchesSplit(plan, user) || plan.repeated.contains(user));
    });
    if (repeated)
      plan.repeated.insert(op);
  }
}

} // namespace

SplitPlan heddle::split::decideSplit(tile::KernelOp kernel) {
  SplitPlan plan;
  AxisPropagation propagation(plan);
  WalkResult seeded = kernel.walk([&](tile::DotOp dot) {
    return propagation.seed(dot) ? WalkResult::advance()
                                 : WalkResult::interrupt();
  });
  if (seeded.wasInterrupted() || !propagation.spread()) {
    plan.count = 1;
    plan.axes.clear();
    return plan;
  }
  if (plan.count > 1)
    decideRepeated(kernel, plan);
  return plan;
}
