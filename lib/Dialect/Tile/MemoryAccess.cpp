//===- MemoryAccess.cpp - Which argument an op reads or writes --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/MemoryAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

std::optional<MemoryAccess> heddle::tile::memoryAccess(Operation *op,
                                                       FindSources below) {
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
  return MemoryAccess{op, findOrigins(address, below),
                      effects.hasEffect<MemoryEffects::Read>(),
                      effects.hasEffect<MemoryEffects::Write>()};
}

static bool isAtomic(Operation *op) {
  return isa<ViewReduceOp, AtomicRmwOp, AtomicCasOp>(op);
}

bool heddle::tile::mayConflict(const MemoryAccess &a, const MemoryAccess &b) {
  if ((!a.writes && !b.writes) || (isAtomic(a.op) && isAtomic(b.op)))
    return false;
  return a.origins.mayOverlap(b.origins);
}

bool heddle::tile::isOrderedLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  bool isInstances = loop && loop.getLowerBound().getDefiningOp<WorkerIdOp>();
  return isa<scf::ForOp, scf::WhileOp>(op) && !isInstances;
}
