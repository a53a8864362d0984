//===- Demand.cpp - How much of a tile anybody asks for -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From each use to the next, until a store drops what lies outside of its view.
// A loop's tile is asked for by whoever reads it inside and behind the loop.
//
//===----------------------------------------------------------------------===//

#include "Demand.h"

#include "PlaceTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

namespace {

int64_t rankOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getRank();
}
int64_t extentOf(Value tile, int64_t axis) {
  return cast<RankedTensorType>(tile.getType()).getDimSize(axis);
}

class Search {
public:
  explicit Search(Operation *before) : before(before) {}

  /// False if all elements may be read.
  bool ask(Value tile, int64_t axis) {
    if (!isa<RankedTensorType>(tile.getType()))
      return false;
    if (!asked.insert({tile, axis}).second)
      return true;
    return llvm::all_of(tile.getUses(),
                        [&](OpOperand &use) { return askUse(use, axis); });
  }

  SmallVector<End> ends;

private:
  bool askUse(OpOperand &use, int64_t axis) {
    Operation *op = use.getOwner();
    Value tile = use.get();
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      int64_t missing = int64_t(store.getOffsets().size()) - rankOf(tile);
      return addEnd({store.getView(), axis + missing,
                     store.getOffsets()[axis + missing]});
    }
    // A division by a number that nobody asked for may end the program.
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
      return false;
    // Nor are there addresses that nobody computed.
    if (isa<tile::GatherOp, tile::ScatterOp>(op))
      return false;
    if (goesByElement(op))
      return ask(op->getResult(0), axis);
    if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
      return ask(expand.getResult(),
                 axis + (axis >= int64_t(expand.getAxis())));
    if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
      return extentOf(broadcast.getResult(), axis) == extentOf(tile, axis) &&
             ask(broadcast.getResult(), axis);
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      int64_t reduced = reduce.getAxis();
      return axis != reduced && llvm::all_of(reduce.getResults(), [&](Value r) {
               return ask(r, axis - (axis > reduced));
             });
    }
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      bool isSummed = (use.getOperandNumber() == 0 && axis == 1) ||
                      (use.getOperandNumber() == 1 && axis == 0);
      return !isSummed && ask(dot.getResult(), axis);
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      int64_t number = int64_t(use.getOperandNumber()) -
                       int64_t(loop.getNumControlOperands());
      return number >= 0 && ask(loop.getRegionIterArg(number), axis) &&
             ask(loop.getResult(number), axis);
    }
    if (isa<scf::YieldOp>(op)) {
      Operation *parent = op->getParentOp();
      unsigned number = use.getOperandNumber();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        return ask(loop.getRegionIterArg(number), axis) &&
               ask(loop.getResult(number), axis);
      return isa<scf::IfOp>(parent) && ask(parent->getResult(number), axis);
    }
    return false;
  }

  bool addEnd(End end) {
    DominanceInfo dominance;
    if (!dominance.properlyDominates(end.view, before) ||
        !dominance.properlyDominates(end.offset, before))
      return false;
    ends.push_back(end);
    return true;
  }

  Operation *before;
  llvm::DenseSet<std::pair<Value, int64_t>> asked;
};

} // namespace

std::optional<SmallVector<End>>
heddle::dense::findDemand(Value tile, int64_t axis, Operation *before) {
  Search search(before);
  if (!search.ask(tile, axis))
    return std::nullopt;
  return std::move(search.ends);
}

std::optional<End> heddle::dense::findContentEnd(Value tile, int64_t axis) {
  while (Operation *op = tile.getDefiningOp()) {
    if (!isa<tile::StageOp, tile::CastOp>(op))
      break;
    tile = op->getOperand(0);
  }
  auto load = tile.getDefiningOp<tile::LoadOp>();
  if (!load)
    return std::nullopt;
  int64_t missing = int64_t(load.getOffsets().size()) - rankOf(tile);
  return End{load.getView(), axis + missing, load.getOffsets()[axis + missing]};
}
