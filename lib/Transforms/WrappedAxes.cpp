//===- WrappedAxes.cpp - What a program reads twice and never uses -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrappedAxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace heddle;

namespace {

/// Follows one axis of a tile through all uses.
class Follower {
public:
  Follower(const Polynomial &bound, AddressForms &forms)
      : bound(bound), forms(forms) {}

  void add(Value value, int64_t axis) {
    if (seen.insert({value, axis}).second)
      pending.push_back({value, axis});
  }

  bool run() {
    while (!pending.empty()) {
      auto [value, axis] = pending.pop_back_val();
      for (OpOperand &use : value.getUses())
        if (!follow(use, axis))
          return false;
    }
    return true;
  }

private:
  bool follow(OpOperand &use, int64_t axis);
  bool followYield(OpOperand &use, int64_t axis);
  bool excludes(Value mask, int64_t axis);

  Polynomial bound;
  AddressForms &forms;
  DenseSet<std::pair<Value, int64_t>> seen;
  SmallVector<std::pair<Value, int64_t>> pending;
};

} // namespace

/// Whether a mask is false from the bound on.
bool Follower::excludes(Value mask, int64_t axis) {
  return mask &&
         llvm::any_of(forms.conditionsAmong(mask), [&](const Form &condition) {
           for (auto [i, factor] : llvm::enumerate(condition.factors))
             if (!(factor == Polynomial::constant(int64_t(i) == axis ? -1 : 0)))
               return false;
           return condition.start == bound;
         });
}

bool Follower::followYield(OpOperand &use, int64_t axis) {
  Operation *parent = use.getOwner()->getParentOp();
  unsigned index = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    add(loop.getRegionIterArg(index), axis);
    add(loop.getResult(index), axis);
    return true;
  }
  if (!isa<scf::IfOp>(parent))
    return false;
  add(parent->getResult(index), axis);
  return true;
}

/// Element i of the result depends on element i of each operand alone, and none
/// is an error.
static bool isElementwise(Operation *op) {
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return false;
  return isa<tile::CastOp>(op) ||
         (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
          isPure(op));
}

/// The axis that still counts the same if others are joined or divided.
static std::optional<int64_t> keptAxis(tile::ReshapeOp reshape, int64_t axis) {
  auto from = cast<RankedTensorType>(reshape.getValue().getType());
  auto to = cast<RankedTensorType>(reshape.getResult().getType());
  auto product = [](ArrayRef<int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                           std::multiplies<>());
  };
  int64_t inFront = product(from.getShape().take_front(axis));
  for (int64_t kept = 0; kept < to.getRank(); ++kept)
    if (to.getDimSize(kept) == from.getDimSize(axis) &&
        product(to.getShape().take_front(kept)) == inFront)
      return kept;
  return std::nullopt;
}

bool Follower::follow(OpOperand &use, int64_t axis) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](scf::YieldOp) { return followYield(use, axis); })
      .Case([&](scf::ForOp loop) {
        unsigned carried = index - loop.getNumControlOperands();
        add(loop.getRegionIterArg(carried), axis);
        add(loop.getResult(carried), axis);
        return true;
      })
      .Case([&](tile::DotOp dot) {
        bool isKept = index == 2 || int64_t(index) == axis;
        if (isKept)
          add(dot.getResult(), axis);
        return isKept;
      })
      .Case([&](tile::ReduceOp reduce) {
        int64_t gone = reduce.getAxis();
        if (gone == axis)
          return false;
        for (Value result : reduce.getResults())
          add(result, axis - (axis > gone));
        return true;
      })
      .Case([&](tile::ExpandDimsOp expand) {
        add(expand.getResult(), axis + (axis >= int64_t(expand.getAxis())));
        return true;
      })
      .Case([&](tile::BroadcastOp broadcast) {
        auto from = cast<RankedTensorType>(broadcast.getValue().getType());
        if (from.getDimSize(axis) == 1)
          return false;
        add(broadcast.getResult(), axis);
        return true;
      })
      .Case([&](tile::TransOp trans) {
        add(trans.getResult(),
            llvm::find(trans.getOrder(), axis) - trans.getOrder().begin());
        return true;
      })
      .Case([&](tile::ReshapeOp reshape) {
        std::optional<int64_t> kept = keptAxis(reshape, axis);
        if (kept)
          add(reshape.getResult(), *kept);
        return kept.has_value();
      })
      .Case([&](tile::ScatterOp scatter) {
        return index == 0 && excludes(scatter.getMask(), axis);
      })
      .Case([&](tile::AtomicRmwOp update) {
        return index == 1 && update.getResult().use_empty() &&
               excludes(update.getMask(), axis);
      })
      .Default([&](Operation *op) {
        if (!isElementwise(op))
          return false;
        for (Value result : op->getResults())
          add(result, axis);
        return true;
      });
}

bool heddle::isUnusedBeyond(Value tile, const Form &bound,
                            AddressForms &forms) {
  int64_t axis = 0;
  while (bound.factors[axis].isZero())
    ++axis;
  Follower follower(bound.start, forms);
  follower.add(tile, axis);
  return follower.run();
}
