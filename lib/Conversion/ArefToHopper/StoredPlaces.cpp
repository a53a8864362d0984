//===- StoredPlaces.cpp - Who else touches what is stored -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredPlaces.h"

#include "heddle/Analysis/TilePlaces.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

bool heddle::areftohopper::isAccessedElsewhere(Stored store,
                                               tile::KernelOp kernel) {
  tile::Origins stored = tile::findOrigins(store.getView());
  WalkResult result = kernel.walk([&](Operation *op) {
    std::optional<tile::MemoryAccess> access = tile::memoryAccess(op);
    bool isOther =
        access && op != store &&
        !(store.reduces() && isa<tile::ViewReduceOp>(op)) &&
        (access->origins.mayOverlap(stored) || tile::synchronises(op));
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool heddle::areftohopper::isOverwrittenOnly(Stored store,
                                             tile::KernelOp kernel) {
  tile::MemoryAccess stored = *tile::memoryAccess(store);
  WalkResult result = kernel.walk([&](Operation *op) {
    std::optional<tile::MemoryAccess> access = tile::memoryAccess(op);
    bool isOther =
        access && !isa<tile::StoreOp>(op) &&
        (tile::mayConflict(stored, *access) || tile::synchronises(op));
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !store.reduces() && !result.wasInterrupted();
}

bool heddle::areftohopper::mayMeet(tile::StoreOp store, tile::StoreOp other) {
  if (store.getView() == other.getView())
    return true;
  return tile::findOrigins(store.getView())
             .mayOverlap(tile::findOrigins(other.getView())) &&
         !lieApart(store, other);
}

bool heddle::areftohopper::mayOverwrite(Stored store, Operation *earlier) {
  std::optional<tile::MemoryAccess> access = tile::memoryAccess(earlier);
  return access && access->writes && store != earlier &&
         tile::mayFollow(store, earlier) &&
         tile::findOrigins(store.getView()).mayOverlap(access->origins);
}
