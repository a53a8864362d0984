//===- HeldSlots.cpp - Whether a slot is still held -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeldSlots.h"

#include "KernelFacts.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {

/// Follows values through loops and branches; `open` are those under way.
class TokenSearch {
public:
  Value find(Value value) {
    value = lookThroughStart(value);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getArgNumber() == 0)
        return {};
      return findCarried(loop, argument.getArgNumber() - 1,
                         loop.getRegionIterArgs());
    }
    Operation *op = value.getDefiningOp();
    if (auto get = dyn_cast<aref::GetOp>(op))
      return get.getToken();
    if (auto trans = dyn_cast<tile::TransOp>(op))
      return find(trans.getValue());
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return findCarried(loop, index, loop.getResults());
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return findChosen(branch, index);
    return {};
  }

private:
  /// The one of `names`, of a loop's arguments or results, that is the token.
  Value findCarried(scf::ForOp loop, unsigned index, ValueRange names) {
    Value argument = loop.getRegionIterArg(index);
    Value yielded = loop.getYieldedValues()[index];
    Value init = find(loop.getInitArgs()[index]);
    if (!init || yielded == argument)
      return init;
    if (!open.insert(argument).second)
      return {};
    Value next = find(yielded);
    open.erase(argument);
    for (auto [name, first, last] :
         llvm::zip(names, loop.getInitArgs(), loop.getYieldedValues()))
      if (next && first == init && last == next)
        return name;
    return {};
  }

  Value findChosen(scf::IfOp branch, unsigned index) {
    Value a = find(branch.thenYield().getOperand(index));
    Value b = find(branch.elseYield().getOperand(index));
    if (a && a == b)
      return a;
    for (auto [result, first, second] :
         llvm::zip(branch.getResults(), branch.thenYield().getOperands(),
                   branch.elseYield().getOperands()))
      if (a && b && first == a && second == b)
        return result;
    return {};
  }

  llvm::DenseSet<Value> open;
};

} // namespace

Value heddle::areftohopper::tokenOf(Value value) {
  return TokenSearch().find(value);
}

bool heddle::areftohopper::isGivenBack(Value value, Operation *place) {
  Value token = tokenOf(value);
  return !token || llvm::any_of(token.getUsers(), [&](Operation *user) {
    if (!isa<aref::ReleaseOp>(user))
      return false;
    Operation *at = user->getBlock()->findAncestorOpInBlock(*place);
    return at && user->isBeforeInBlock(at);
  });
}
