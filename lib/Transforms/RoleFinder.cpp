//===- RoleFinder.cpp - Decide: which loads may read ahead ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoleFinder.h"

#include "heddle/Dialect/Sched/Sched.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace heddle;

/// What an operation reads: its operands, and what its regions read.
static llvm::SetVector<Value> readsOf(Operation *op) {
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

/// What decides how often what stands in `op` is executed.
SmallVector<Value> heddle::controlOf(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return {conditional.getCondition()};
  return {};
}

/// The values that `value` is made of, if it is no load: operands, what loops
/// carry, and the control of what it comes out of.
static SmallVector<Value> partsOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return {};
    if (argument == loop.getInductionVar())
      return controlOf(loop);
    unsigned number = argument.getArgNumber() - 1;
    return {loop.getInitArgs()[number], loop.getYieldedValues()[number]};
  }
  Operation *def = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  SmallVector<Value> parts = controlOf(def);
  if (auto loop = dyn_cast<scf::ForOp>(def)) {
    parts.push_back(loop.getInitArgs()[number]);
    parts.push_back(loop.getYieldedValues()[number]);
  } else if (isa<scf::IfOp>(def)) {
    for (Region &region : def->getRegions())
      parts.push_back(region.front().getTerminator()->getOperand(number));
  } else {
    parts = readsOf(def).takeVector();
  }
  return parts;
}

static std::string nameOf(Operation *op) {
  StringRef name = sched::opName(op);
  return "'" + (name.empty() ? op->getName().getStringRef() : name).str() + "'";
}

RoleFinder::RoleFinder(tile::KernelOp kernel) : kernel(kernel) {
  kernel.walk([&](Operation *op) {
    if (auto access = tile::memoryAccess(op)) {
      accesses.push_back(*access);
      if (access->writes)
        writes.push_back(*access);
    }
  });
  for (const tile::MemoryAccess &access : accesses)
    if (!access.writes)
      decide(access);
  kernel.walk([&](tile::AssertOp check) {
    if (!strangeParent(check) && !findObstacle(inputsOf(check)))
      checks.insert(check);
  });
  for (Operation *load : ahead)
    collect(load);
  for (Operation *check : checks)
    collect(check);
  findLevels();
}

const tile::MemoryAccess *
RoleFinder::writeTo(const tile::MemoryAccess &access) const {
  for (const tile::MemoryAccess &write : writes)
    if (tile::mayConflict(access, write))
      return &write;
  return nullptr;
}

void RoleFinder::decide(const tile::MemoryAccess &access) {
  std::string reason;
  if (const tile::MemoryAccess *write = writeTo(access))
    reason = "reads what " + nameOf(write->op) + " may write";
  else if (Operation *around = strangeParent(access.op))
    reason =
        "stands in " + nameOf(around) + ", whose end only who computes knows";
  else if (Operation *obstacle = findObstacle(inputsOf(access.op)))
    reason = "needs an address or a bound from " + nameOf(obstacle) +
             ", which does not read ahead";
  if (reason.empty())
    ahead.insert(access.op);
  else
    reasons[access.op] = std::move(reason);
}

/// Of the loops and conditionals around `op`, one that has no roles.
Operation *RoleFinder::strangeParent(Operation *op) const {
  for (Operation *around = op->getParentOp(); around != kernel;
       around = around->getParentOp())
    if (!isa<scf::ForOp, scf::IfOp>(around) || sched::isUndivided(around))
      return around;
  return nullptr;
}

/// Its operands, and the control of what it stands in.
SmallVector<Value> RoleFinder::inputsOf(Operation *op) const {
  SmallVector<Value> inputs = readsOf(op).takeVector();
  for (Operation *around = op->getParentOp(); around != kernel;
       around = around->getParentOp())
    llvm::append_range(inputs, controlOf(around));
  return inputs;
}

/// The operation because of which one of the values is not known ahead; null
/// if all are.
Operation *RoleFinder::findObstacle(SmallVector<Value> values) const {
  llvm::SetVector<Value> seen(values.begin(), values.end());
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *def = seen[i].getDefiningOp();
    if (def && !isa<scf::ForOp, scf::IfOp>(def)) {
      auto access = tile::memoryAccess(def);
      bool isHarmless =
          access ? !access->writes && !writeTo(*access) && !strangeParent(def)
                 : isMemoryEffectFree(def) &&
                       !isa<scf::SCFDialect>(def->getDialect());
      if (!isHarmless)
        return def;
      if (access)
        for (Value input : inputsOf(def))
          seen.insert(input);
    }
    for (Value part : partsOf(seen[i]))
      seen.insert(part);
  }
  return nullptr;
}

void RoleFinder::collect(Operation *load) {
  SmallVector<Value> inputs = inputsOf(load);
  llvm::SetVector<Value> seen(inputs.begin(), inputs.end());
  for (size_t i = 0; i < seen.size(); ++i) {
    if (Operation *def = seen[i].getDefiningOp();
        def && sched::isScheduled(def) && !ahead.contains(def))
      closure.insert(def);
    for (Value part : partsOf(seen[i]))
      seen.insert(part);
  }
}

int64_t RoleFinder::highest(ValueRange values) const {
  int64_t level = 0;
  for (Value value : values)
    level = std::max(level, valueLevels.lookup(value));
  return level;
}

/// Loads before a value, to a fixed point: what loops carry comes back.
void RoleFinder::findLevels() {
  bool changes = true;
  auto raise = [&](Value value, int64_t level) {
    level = std::min<int64_t>(level, int64_t(ahead.size()));
    int64_t &known = valueLevels[value];
    changes |= level > known;
    known = std::max(known, level);
  };
  while (changes) {
    changes = false;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == kernel)
        return;
      SmallVector<Value> inputs = inputsOf(op);
      int64_t level = levels[op] = highest(inputs);
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        raise(loop.getInductionVar(), highest(controlOf(op)));
        for (Value carried : loop.getRegionIterArgs())
          raise(carried, highest(partsOf(carried)));
      }
      for (Value result : op->getResults())
        raise(result, isa<scf::ForOp, scf::IfOp>(op) ? highest(partsOf(result))
                                                     : level + isAhead(op));
    });
  }
}
