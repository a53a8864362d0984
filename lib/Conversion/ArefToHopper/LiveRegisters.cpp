//===- LiveRegisters.cpp - Decide: registers that tiles need at once --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveRegisters.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {
/// Walks blocks backwards with the set of tiles that are still read.
class LiveCounter {
public:
  LiveCounter(const LayoutMap &layouts, bool onlyProducts)
      : layouts(layouts), onlyProducts(onlyProducts) {}

  void visit(Block &block, SetVector<Value> live);
  int64_t most = 0;

private:
  bool counts(Block &block) const;
  int64_t registersOf(Value value) const;
  void note(const SetVector<Value> &live);

  const LayoutMap &layouts;
  bool onlyProducts;
};
} // namespace

static bool narrows(tile::CastOp cast) {
  return elementBits(getElementTypeOrSelf(cast.getOperand())) >
         elementBits(getElementTypeOrSelf(cast.getResult()));
}

/// Repeating names registers again, and a conversion with one reader is done
/// there, element by element: what is held until then is its operand.
static Value heldAs(Value value) {
  while (true) {
    if (auto broadcast = value.getDefiningOp<tile::BroadcastOp>())
      value = broadcast.getValue();
    else if (auto expand = value.getDefiningOp<tile::ExpandDimsOp>())
      value = expand.getValue();
    else if (auto cast = value.getDefiningOp<tile::CastOp>();
             cast && value.hasOneUse() && !narrows(cast))
      value = cast.getOperand();
    else
      return value;
  }
}

int64_t LiveCounter::registersOf(Value value) const {
  hopper::LayoutAttr layout = layouts.lookup(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (auto flight = dyn_cast<aref::FlightType>(value.getType()))
    type = dyn_cast<RankedTensorType>(flight.getValue());
  return layout && type
             ? countRegisters(layout, elementBits(type.getElementType()))
             : 0;
}

void LiveCounter::note(const SetVector<Value> &live) {
  SetVector<Value> held;
  for (Value value : live)
    held.insert(heldAs(value));
  int64_t sum = 0;
  for (Value value : held)
    sum += registersOf(value);
  most = std::max(most, sum);
}

/// Whether the block is in a loop that starts products.
bool LiveCounter::counts(Block &block) const {
  if (!onlyProducts)
    return true;
  for (Operation *op = block.getParentOp(); op; op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return !loop.getBody()->getOps<aref::StartOp>().empty();
  return false;
}

void LiveCounter::visit(Block &block, SetVector<Value> live) {
  bool isCounted = counts(block);
  for (Operation &op : llvm::reverse(block)) {
    // Who only waits, to give a slot back, reads nothing: a sum in flight is
    // the next product's already.
    if (isa<aref::ReleaseOp>(op) ||
        (isa<aref::AwaitOp>(op) && !live.contains(op.getResult(0))))
      continue;
    live.insert_range(op.getResults());
    if (isCounted)
      note(live);
    for (Value result : op.getResults())
      live.remove(result);
    // What a region reads from outside lives all through it, because a loop
    // comes back.
    getUsedValuesDefinedAbove(op.getRegions(), live);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        visit(inner, live);
    live.insert_range(op.getOperands());
  }
}

static int64_t count(aref::ProcessOp process, const LayoutMap &layouts,
                     bool onlyProducts) {
  LiveCounter counter(layouts, onlyProducts);
  counter.visit(process.getBody().front(), {});
  return counter.most;
}

int64_t heddle::areftohopper::countLiveRegisters(aref::ProcessOp process,
                                                 const LayoutMap &layouts) {
  return count(process, layouts, /*onlyProducts=*/false);
}

int64_t
heddle::areftohopper::countRegistersOfProducts(aref::ProcessOp process,
                                               const LayoutMap &layouts) {
  return count(process, layouts, /*onlyProducts=*/true);
}
