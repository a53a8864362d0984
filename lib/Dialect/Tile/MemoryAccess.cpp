//===- MemoryAccess.cpp - Which argument an op reads or writes --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/MemoryAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

Value heddle::tile::rootArgument(Value address) {
  Value root;
  SmallVector<Value> pending = {address};
  DenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!isa<ViewType, PtrType>(getElementTypeOrSelf(value.getType())) ||
        !seen.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp()) {
      if (op->getNumRegions() || isa<IntToPtrOp>(op) || !op->getNumOperands())
        return Value();
      llvm::append_range(pending, op->getOperands());
      continue;
    }
    Operation *owner = cast<BlockArgument>(value).getOwner()->getParentOp();
    if (!owner->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
        (root && root != value))
      return Value();
    root = value;
  }
  return root;
}

std::optional<MemoryAccess> heddle::tile::memoryAccess(Operation *op) {
  Value address =
      TypeSwitch<Operation *, Value>(op)
          .Case<LoadOp, StoreOp, ViewGatherOp, ViewScatterOp, ViewReduceOp>(
              [](auto op) { return op.getView(); })
          .Case<GatherOp, ScatterOp, AtomicRmwOp, AtomicCasOp>(
              [](auto op) { return op.getPtr(); })
          .Default([](Operation *) { return Value(); });
  if (!address)
    return std::nullopt;
  auto effects = cast<MemoryEffectOpInterface>(op);
  return MemoryAccess{op, rootArgument(address),
                      effects.hasEffect<MemoryEffects::Read>(),
                      effects.hasEffect<MemoryEffects::Write>()};
}

static bool isAtomic(Operation *op) {
  return isa<ViewReduceOp, AtomicRmwOp, AtomicCasOp>(op);
}

bool heddle::tile::mayConflict(const MemoryAccess &a, const MemoryAccess &b) {
  if ((!a.writes && !b.writes) || (isAtomic(a.op) && isAtomic(b.op)))
    return false;
  return !a.root || !b.root || a.root == b.root;
}

bool heddle::tile::isOrderedLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  bool isInstances = loop && loop.getLowerBound().getDefiningOp<WorkerIdOp>();
  return isa<scf::ForOp, scf::WhileOp>(op) && !isInstances;
}
