//===- LiveRegisters.cpp - Decide: registers that tiles need at once --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveRegisters.h"

#include "heddle/Machine/Limits.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {
/// Walks blocks backwards with the set of tiles that are still read.
class LiveCounter {
public:
  LiveCounter(const LayoutMap &layouts) : layouts(layouts) {}

  void visit(Block &block, SetVector<Value> live);
  int64_t most = 0;

private:
  int64_t registersOf(Value value) const;
  void note(const SetVector<Value> &live);

  const LayoutMap &layouts;
};
} // namespace

int64_t LiveCounter::registersOf(Value value) const {
  // Repeating names registers again.
  while (auto broadcast = value.getDefiningOp<tile::BroadcastOp>())
    value = broadcast.getValue();
  hopper::LayoutAttr layout = layouts.lookup(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return layout && type
             ? countRegisters(layout, elementBits(type.getElementType()))
             : 0;
}

void LiveCounter::note(const SetVector<Value> &live) {
  int64_t sum = 0;
  for (Value value : live)
    sum += registersOf(value);
  most = std::max(most, sum);
}

void LiveCounter::visit(Block &block, SetVector<Value> live) {
  for (Operation &op : llvm::reverse(block)) {
    live.insert_range(op.getResults());
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

int64_t heddle::areftohopper::countLiveRegisters(aref::ProcessOp process,
                                                 const LayoutMap &layouts) {
  LiveCounter counter(layouts);
  counter.visit(process.getBody().front(), {});
  return counter.most;
}

int64_t heddle::areftohopper::chooseBlocks(int64_t threads, int64_t live,
                                           int64_t sharedBytes) {
  constexpr int64_t kAddressesAndCounters = 24;
  // A block's own bookkeeping, which the hardware adds.
  constexpr int64_t kReservedSharedBytes = 1024;
  const machine::Limits &limits = machine::hopperLimits();
  int64_t registers = llvm::alignTo(live + kAddressesAndCounters, 8);
  int64_t blocks =
      std::min({limits.threadsPerMultiprocessor / threads,
                limits.registersPerMultiprocessor / (registers * threads),
                limits.sharedBytesPerMultiprocessor /
                    (sharedBytes + kReservedSharedBytes),
                limits.blocksPerMultiprocessor});
  return std::max<int64_t>(blocks, 1);
}
