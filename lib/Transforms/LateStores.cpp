//===- LateStores.cpp - Which stores may wait for the next instance -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While a process stores its tile, it starts no products, and where all
// processes store at once the tensor core idles. Instances of tile.parallel are
// not ordered, so a store may as well come under the products of the next one.
//
//===----------------------------------------------------------------------===//

#include "LateStores.h"

#include "ExportProblem.h"

#include "heddle/Dialect/Tile/MemoryAccess.h"

using namespace mlir;
using namespace heddle;

/// What is stored is in registers, made behind the loop or by it: not a slot
/// of a ring, which would have to be kept.
static bool storesRegistersOf(tile::StoreOp store, Block &block) {
  Value stored = tile::lookThroughRenaming(store.getValue());
  Operation *def = stored.getDefiningOp();
  return def && def->getBlock() == &block &&
         !isa<tile::LoadOp, scf::IfOp>(def) && stored == store.getValue();
}

SmallVector<tile::StoreOp>
heddle::chooseLateStores(tile::KernelOp kernel,
                         llvm::function_ref<bool(tile::StoreOp)> hasRoom) {
  SmallVector<tile::StoreOp> late;
  kernel.walk([&](scf::ForOp instances) {
    if (tile::isOrderedLoop(instances))
      return;
    Block &body = *instances.getBody();
    auto isHost = [](Operation &op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      return loop && isPipelined(loop);
    };
    if (llvm::none_of(body, isHost))
      return;
    SmallVector<tile::MemoryAccess> kept; // behind the op looked at
    for (Operation &op : llvm::reverse(body)) {
      if (isHost(op))
        break;
      auto conflicts = [&](const tile::MemoryAccess &access) {
        return llvm::any_of(kept, [&](const tile::MemoryAccess &later) {
          return tile::mayConflict(access, later) ||
                 tile::synchronises(later.op);
        });
      };
      auto store = dyn_cast<tile::StoreOp>(op);
      if (store && storesRegistersOf(store, body) &&
          !conflicts(*tile::memoryAccess(store)) && hasRoom(store)) {
        late.push_back(store);
        continue;
      }
      op.walk([&](Operation *inner) {
        if (std::optional<tile::MemoryAccess> access =
                tile::memoryAccess(inner))
          kept.push_back(*access);
      });
    }
  });
  return late;
}
