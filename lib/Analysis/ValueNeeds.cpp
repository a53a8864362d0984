//===- ValueNeeds.cpp - Which operations wait for a value -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backwards from what the operation is given. Of several ways to a value each
// has to come from the source. What a loop hands on comes from there if it does
// at first, and in an iteration where it did in the one before.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/ValueNeeds.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace heddle;

namespace {

class Needs {
public:
  explicit Needs(Operation *source) : source(source) {}

  bool any(ValueRange values) {
    return llvm::any_of(values, [&](Value value) { return needs(value); });
  }

private:
  bool needs(Value value) {
    if (value.getDefiningOp() == source)
      return true;
    if (lost.contains(value))
      return false;
    // A value comes back to itself through what a loop hands on only.
    if (auto it = known.find(value); it != known.end())
      return it->second;
    auto result = dyn_cast<OpResult>(value);
    bool found = result ? makes(result) : carries(cast<BlockArgument>(value));
    return known[value] = found;
  }

  bool makes(OpResult result) {
    Operation *op = result.getOwner();
    unsigned number = result.getResultNumber();
    // Without an iteration what was loaded inside was not.
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return needs(loop.getYieldedValues()[number]) &&
             (loop->isProperAncestor(source) ||
              needs(loop.getInitArgs()[number]));
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return needs(loop.getConditionOp().getArgs()[number]);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return needs(branch.getCondition()) ||
             (needs(branch.thenYield().getOperand(number)) &&
              needs(branch.elseYield().getOperand(number)));
    return any(op->getOperands());
  }

  bool carries(BlockArgument argument) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return false;
    if (argument == loop.getInductionVar())
      return any({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    unsigned number = argument.getArgNumber() - 1;
    if (!needs(loop.getInitArgs()[number]))
      return false;
    known[argument] = true;
    if (needs(loop.getYieldedValues()[number]))
      return true;
    known.clear(); // what was concluded of it
    lost.insert(argument);
    return false;
  }

  Operation *source;
  llvm::DenseMap<Value, bool> known;
  llvm::DenseSet<Value> lost; ///< of those that loops hand on, in an iteration
};

} // namespace

bool heddle::needsValueOf(Operation *op, Operation *source) {
  return Needs(source).any(op->getOperands());
}
