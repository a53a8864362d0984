//===- SameExtents.cpp - Extents that are one size ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameExtents.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;

namespace {

class Finder {
public:
  void noteAccesses(tile::KernelOp kernel) {
    kernel.walk([&](Operation *op) {
      if (auto load = dyn_cast<tile::LoadOp>(op))
        note(kernel, load.getView(), load.getOffsets());
      else if (auto store = dyn_cast<tile::StoreOp>(op))
        note(kernel, store.getView(), store.getOffsets());
      else if (auto reduce = dyn_cast<tile::ViewReduceOp>(op))
        note(kernel, reduce.getView(), reduce.getOffsets());
    });
  }

  std::map<Extent, Extent> same;

private:
  void note(tile::KernelOp kernel, Value view, ValueRange offsets) {
    auto array = dyn_cast<BlockArgument>(view);
    if (!array || array.getOwner() != &kernel.getEntry())
      return;
    std::string name = kernel.getArgName(array.getArgNumber());
    for (auto [axis, offset] : llvm::enumerate(offsets)) {
      Extent extent{name, int(axis)};
      // An extent that several offsets walk is like the first one's.
      if (offset.getDefiningOp<arith::ConstantOp>() ||
          !seen.insert(extent).second)
        continue;
      auto [first, isNew] = walkedBy.try_emplace(offset, extent);
      if (!isNew && first->second != extent)
        same[extent] = first->second;
    }
  }

  llvm::DenseMap<Value, Extent> walkedBy;
  std::set<Extent> seen;
};

} // namespace

std::map<Extent, Extent> heddle::tilechoice::findSameExtents(ModuleOp program) {
  Finder finder;
  for (auto kernel : program.getOps<tile::KernelOp>())
    finder.noteAccesses(kernel);
  return finder.same;
}
