//===- StoredPlaces.cpp - Who else touches what is stored -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredPlaces.h"

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

bool heddle::areftohopper::mayOverwrite(Stored store, Stored earlier) {
  return store != earlier && tile::mayFollow(store, earlier) &&
         tile::findOrigins(store.getView())
             .mayOverlap(tile::findOrigins(earlier.getView()));
}
