//===- SplitAxes.cpp - Follow the rows of a dot -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitAxes.h"

#include "heddle/Analysis/Products.h"
#include "heddle/Machine/Limits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
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

  /// Dots come in program order, each spread before the next.
  bool seed(tile::DotOp dot) {
    if (plan.addends.contains(dot.getResult()))
      return true;
    int64_t height =
        cast<RankedTensorType>(dot.getResult().getType()).getShape()[0];
    if (height == plan.rows)
      return true;
    // Threads take it as it is, where products have no other form.
    if (height % plan.rows && plan.costs->tensorMemory.columns == 0 &&
        whyNotByThreads(dot, *plan.costs).empty())
      return true;
    if (height < plan.rows || height % plan.rows)
      return obstruct(dot,
                      llvm::formatv("a dot of {0} rows is no multiple of {1}",
                                    height, plan.rows)
                          .str());
    if (plan.count != 1 && plan.count != height / plan.rows)
      return obstruct(
          dot, llvm::formatv("dots of {0} and {1} rows stand in one kernel",
                             plan.count * plan.rows, height)
                   .str());
    plan.count = height / plan.rows;
    return mark(dot.getResult(), 0, dot) && spread();
  }

  /// A tile of `plan.count` pieces of `plan.rows` along an axis.
  bool seed(Value tile, int64_t axis) {
    return mark(tile, axis, tile.getDefiningOp()) && spread();
  }

private:
  bool spread() {
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (plan.addends.contains(value)) {
        for (OpOperand &use : value.getUses())
          if (!followAddend(use))
            return false;
        continue;
      }
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

  bool obstruct(Operation *op, std::string reason) {
    plan.obstacle = op;
    plan.reason = std::move(reason);
    return false;
  }

  bool mark(Value value, int64_t axis, Operation *because) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return true;
    if (plan.addends.contains(value))
      return obstruct(because,
                      "sub-tiles have addends of a tile that is split");
    auto [it, isNew] = plan.axes.try_emplace(value, axis);
    if (!isNew)
      return it->second == axis ||
             obstruct(because,
                      "one tile would have to be split along two axes");
    if (type.getShape()[axis] != plan.count * plan.rows)
      return obstruct(
          because, llvm::formatv("an axis of extent {0} meets one of {1}",
                                 type.getShape()[axis], plan.count * plan.rows)
                       .str());
    worklist.push_back(value);
    return true;
  }

  /// Ties `value`, already marked, to the other values of `op`.
  bool follow(Operation *op, Value value) {
    if (plan.joined.contains(op))
      return true;
    int64_t axis = plan.axes.lookup(value);
    if (Operation *region = uncopiedRegion(op))
      return obstruct(region, "a split tile is used in its region");
    return TypeSwitch<Operation *, bool>(op)
        .Case([&](arith::ConstantOp constant) {
          return isa<SplatElementsAttr>(constant.getValue()) ||
                 obstruct(op,
                          "a constant tile with differing elements is split");
        })
        .Case<tile::DotOp, scf::ForOp, scf::IfOp>(
            [&](auto concrete) { return followOp(concrete, value, axis); })
        .Case([&](scf::YieldOp yield) {
          return follow(yield->getParentOp(), value);
        })
        .Case([&](tile::TileOpInterface asked) {
          return followTied(asked, value, axis);
        })
        .Default([&](Operation *) {
          return op->hasTrait<OpTrait::Elementwise>()
                     ? followTogether(op, axis)
                     : obstruct(op, "this operation cannot be split");
        });
  }

  /// The op around `op` whose region the split does not copy op by op, if any.
  Operation *uncopiedRegion(Operation *op) {
    Operation *around = op->getParentOp();
    while (isa<scf::ForOp, scf::IfOp>(around))
      around = around->getParentOp();
    return isa<tile::KernelOp>(around) ? nullptr : around;
  }

  bool followTogether(Operation *op, int64_t axis) {
    auto markIt = [&](Value other) { return mark(other, axis, op); };
    return llvm::all_of(op->getOperands(), markIt) &&
           llvm::all_of(op->getResults(), markIt);
  }

  bool followOp(tile::DotOp dot, Value value, int64_t axis) {
    if ((value == dot.getA() && axis == 1) ||
        (value == dot.getB() && axis == 0))
      return followContraction(dot);
    if (plan.cutsColumns && value != dot.getA() && axis == 1)
      return mark(dot.getB(), 1, dot) && mark(dot.getAcc(), 1, dot) &&
             mark(dot.getResult(), 1, dot);
    if (plan.cutsColumns)
      return obstruct(dot, "a dot is split along its rows and its columns");
    if (value == dot.getB() && value != dot.getA())
      return obstruct(dot, "the right operand of a dot is split along columns");
    if (axis != 0)
      return obstruct(dot, "a dot is split along another axis than its rows");
    return mark(dot.getA(), 0, dot) && mark(dot.getAcc(), 0, dot) &&
           mark(dot.getResult(), 0, dot);
  }

  /// Each sub-tile multiplies its part of the contraction.
  bool followContraction(tile::DotOp dot) {
    if (plan.axes.contains(dot.getResult()))
      return obstruct(dot, "a dot is split along its rows and its contraction");
    if (!matchPattern(scalarOf(dot.getAcc()), m_AnyZeroFloat()) &&
        !matchPattern(scalarOf(dot.getAcc()), m_Zero()))
      return obstruct(dot,
                      "a dot whose contraction is split adds to something");
    if (isWorthJoining(dot)) {
      plan.joined.insert(dot);
      return mark(dot.getA(), 1, dot) && mark(dot.getB(), 0, dot);
    }
    return mark(dot.getA(), 1, dot) && mark(dot.getB(), 0, dot) &&
           markAddend(dot.getResult(), dot);
  }

  /// Whether a process for `dot` has room beside those of the sub-tiles: these
  /// hold what the loop carries and two results of products, all of them hold
  /// what no tile is.
  bool leavesRegisters(scf::ForOp loop, tile::DotOp dot) {
    const machine::Limits &limits = plan.costs->limits;
    auto beside = int64_t(plan.costs->registers.joining);
    auto registersOf = [&](Type type, int64_t parts) -> int64_t {
      auto tile = dyn_cast<RankedTensorType>(type);
      return tile ? tile.getNumElements() * tile.getElementTypeBitWidth() / 32 /
                        limits.threadsPerGroup / parts
                  : 0;
    };
    int64_t carried = 0, largest = 0;
    for (Value value : loop.getRegionIterArgs())
      carried += registersOf(value.getType(), plan.count);
    for (auto other : loop.getBody()->getOps<tile::DotOp>())
      if (other != dot && !carries(loop, other.getResult()))
        largest = std::max(largest, registersOf(other.getType(), plan.count));
    int64_t each = carried + 2 * largest + beside;
    return plan.count * each + registersOf(dot.getType(), 1) + 2 * beside <=
           limits.registersPerMultiprocessor / limits.threadsPerGroup;
  }

  static bool carries(scf::ForOp loop, Value value) {
    return llvm::is_contained(loop.getYieldedValues(), value);
  }

  /// Whether every iteration adds the result to memory: then addends would be
  /// so many additions more, which cost more than taking the operand to one
  /// process. That process takes a group's rows.
  bool isWorthJoining(tile::DotOp dot) {
    auto type = cast<RankedTensorType>(dot.getResult().getType());
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    if (!loop || !plan.costs || type.getDimSize(0) != plan.rows ||
        !leavesRegisters(loop, dot))
      return false;
    Value value = dot.getResult();
    while (value.hasOneUse()) {
      OpOperand &use = *value.use_begin();
      Operation *user = use.getOwner();
      if (user->getBlock() != dot->getBlock())
        return false;
      if (auto reduce = dyn_cast<tile::ViewReduceOp>(user))
        return reduce.getKind() == tile::RmwKind::FAdd &&
               type.getElementType().isF32();
      bool scales = isa<arith::NegFOp>(user) ||
                    (isa<arith::MulFOp>(user) &&
                     isWhole(user->getOperand(1 - use.getOperandNumber())));
      if (!scales)
        return false;
      value = user->getResult(0);
    }
    return false;
  }

  static Value scalarOf(Value tile) {
    auto splat = tile.getDefiningOp<tile::SplatOp>();
    return splat ? splat.getValue() : tile;
  }

  bool markAddend(Value value, Operation *because) {
    if (plan.axes.contains(value))
      return obstruct(because,
                      "sub-tiles have addends of a tile that is split");
    if (plan.addends.insert(value).second)
      worklist.push_back(value);
    return true;
  }

  /// What is linear in an addend makes an addend of its result, and
  /// tile.view_reduce adds them up.
  bool followAddend(OpOperand &use) {
    Operation *op = use.getOwner();
    if (Operation *region = uncopiedRegion(op))
      return obstruct(region, "a split tile is used in its region");
    bool isLinear =
        TypeSwitch<Operation *, bool>(op)
            .Case([](arith::NegFOp) { return true; })
            .Case([](tile::TileOpInterface asked) { return asked.isLinear(); })
            .Case([&](arith::MulFOp product) {
              return isWhole(product->getOperand(1 - use.getOperandNumber()));
            })
            .Case([&](arith::DivFOp quotient) {
              return use.getOperandNumber() == 0 && isWhole(quotient.getRhs());
            })
            .Default(false);
    if (isLinear)
      return markAddend(op->getResult(0), op);
    auto reduce = dyn_cast<tile::ViewReduceOp>(op);
    return (reduce && reduce.getKind() == tile::RmwKind::FAdd) ||
           obstruct(op, "each sub-tile has an addend of what it uses, and only "
                        "tile.view_reduce fadd adds them up");
  }

  /// Known at once: the sources of whole tiles have one user each, so nothing
  /// marks them later.
  bool isWhole(Value value) {
    return isa_and_present<tile::SplatOp, arith::ConstantOp>(
        value.getDefiningOp());
  }

  bool followTied(tile::TileOpInterface op, Value value, int64_t axis) {
    SmallVector<tile::TiedAxis> tied;
    if (std::string reason = op.tieAxes(value, axis, tied); !reason.empty())
      return obstruct(op, std::move(reason));
    return llvm::all_of(tied, [&](const tile::TiedAxis &other) {
      return mark(other.value, other.axis, op);
    });
  }

  bool followOp(scf::ForOp loop, Value value, int64_t axis) {
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

  bool followOp(scf::IfOp conditional, Value value, int64_t axis) {
    for (OpResult result : conditional.getResults()) {
      Value group[] = {
          result, conditional.thenYield().getOperand(result.getResultNumber()),
          conditional.elseYield().getOperand(result.getResultNumber())};
      if (!llvm::is_contained(group, value))
        continue;
      for (Value member : group)
        if (!mark(member, axis, conditional))
          return false;
    }
    return true;
  }

  SplitPlan &plan;
  SmallVector<Value> worklist;
};

bool touchesSplit(const SplitPlan &plan, Operation *op) {
  auto isOurs = [&](Value v) { return isDivided(plan, v); };
  return llvm::any_of(op->getOperands(), isOurs) ||
         llvm::any_of(op->getResults(), isOurs);
}

/// Numbers of rows or of columns, which cost less than handing them on.
bool isCheap(Operation *op) {
  return isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           auto shape = cast<RankedTensorType>(type).getShape();
           return llvm::count_if(shape, [](int64_t n) { return n > 1; }) <= 1;
         });
}

/// An op whose every user is copied for each sub-tile is copied with them, but
/// never what a dot or windows of all sub-tiles read: that is the work worth
/// sharing. Nor what writes
/// memory, which would be written several times. What is cheap is copied for
/// such users and kept for the others, which may be another process.
void decideRepeated(tile::KernelOp kernel, SplitPlan &plan) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops)) {
    if (op->getNumRegions() || op->getNumResults() == 0 ||
        touchesSplit(plan, op) ||
        !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      continue;
    if (!isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op))
      continue;
    auto isCopied = [&](Operation *user) {
      return !isa<tile::DotOp, tile::UnfoldOp>(user) &&
             user->getNumRegions() == 0 &&
             !user->hasTrait<OpTrait::IsTerminator>() &&
             (touchesSplit(plan, user) || plan.repeated.contains(user));
    };
    auto isKept = [&](Operation *user) {
      return !isCopied(user) || plan.alsoWhole.contains(user);
    };
    bool some = llvm::any_of(op->getUsers(), isCopied);
    bool whole = llvm::any_of(op->getUsers(), isKept);
    if (whole && !(some && isCheap(op)))
      continue;
    plan.repeated.insert(op);
    if (whole)
      plan.alsoWhole.insert(op);
  }
}

} // namespace

SplitPlan heddle::split::decideSplit(tile::KernelOp kernel,
                                     const machine::Costs &costs) {
  SplitPlan plan;
  plan.costs = &costs;
  plan.rows = int64_t(costs.tensor.rows);
  AxisPropagation propagation(plan);
  WalkResult seeded = kernel.walk([&](tile::DotOp dot) {
    return propagation.seed(dot) ? WalkResult::advance()
                                 : WalkResult::interrupt();
  });
  if (seeded.wasInterrupted()) {
    plan.count = 1;
    plan.axes.clear();
    plan.addends.clear();
    plan.joined.clear();
    return plan;
  }
  if (plan.count > 1)
    decideRepeated(kernel, plan);
  return plan;
}

SplitPlan heddle::split::decideSplitOf(Value tile, int64_t axis, int64_t extent,
                                       bool cutsColumns) {
  SplitPlan plan;
  plan.rows = extent;
  plan.cutsColumns = cutsColumns;
  plan.count = cast<RankedTensorType>(tile.getType()).getDimSize(axis) / extent;
  if (AxisPropagation(plan).seed(tile, axis))
    return plan;
  plan.count = 1;
  return plan;
}
