//===- EmitScan.cpp - Running totals within a warp --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row is the registers that differ along the axis only; a block those of them
// that are combined so far. Through the bits of the lane a thread needs but
// what comes before its block, which its registers add once, at the end of the
// run.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "LaneExchange.h"
#include "heddle/Machine/Scan.h"

#include <map>

using namespace mlir;
using heddle::machine::Coord;
using heddle::machine::Layout;
using heddle::machine::ScanDigit;

namespace heddle::tonvvm {

using Tuple = SmallVector<Value>;

namespace {
/// Registers of one row, in the order in which they are combined.
struct Block {
  SmallVector<int> members;
  Tuple total;  ///< of all lanes that the block spans
  Tuple before; ///< of the lanes in front of the own, where there are any
};
} // namespace

class Emitter::Scanner {
public:
  Scanner(Emitter &emitter, hopper::ScanOp op)
      : emitter(emitter), op(op), code(emitter.builder, op.getLoc()),
        combiner(op.getCombiner().front()),
        layout(*hopper::getLayout(op.getValues().front().getType())),
        axis(int(op.getAxis())) {}

  LogicalResult run();

private:
  void collectRows();
  LogicalResult passRegister(SmallVector<Block> &blocks);
  LogicalResult passLane(Block &block, int bit);
  LogicalResult addBefore(SmallVector<Block> &blocks);
  LogicalResult append(Block &first, const Block &second);
  FailureOr<Tuple> combine(const Tuple &a, const Tuple &b) {
    return emitter.combine(combiner, a, b);
  }
  int64_t position(const Block &block) const {
    return layout.registerCoordinate(block.members.front())[axis];
  }

  Emitter &emitter;
  hopper::ScanOp op;
  Code code;
  mlir::Block &combiner;
  Layout layout;
  int axis;
  std::map<Coord, SmallVector<Block>> rows; ///< blocks in order of the axis
  SmallVector<Tuple> totals;                ///< by register
  Value hasBefore; ///< of the lane bits passed since the last register
};

void Emitter::Scanner::collectRows() {
  for (int index = 0; index < layout.registerCount(); ++index) {
    Tuple element;
    for (Value value : op.getValues())
      element.push_back(emitter.registers(value)[index]);
    totals.push_back(element);
    Coord row = layout.registerCoordinate(index);
    row[axis] = 0;
    // Replicas are rows of their own, so that each keeps its order.
    int replica = 0;
    for (size_t bit = 0; bit < layout.reg.size(); ++bit)
      if (layout.reg[bit] == Coord{})
        replica |= (index >> bit & 1) << bit;
    row[machine::kMaxRank - 1] += replica * (int64_t(1) << 40);
    rows[row].push_back({{index}, element, {}});
  }
  for (auto &[row, blocks] : rows)
    llvm::sort(blocks, [&](const Block &a, const Block &b) {
      return (position(a) < position(b)) != bool(op.getReverse());
    });
}

/// The second block follows the first one.
LogicalResult Emitter::Scanner::append(Block &first, const Block &second) {
  for (int index : second.members) {
    FailureOr<Tuple> sum = combine(first.total, totals[index]);
    if (failed(sum))
      return failure();
    totals[index] = *sum;
  }
  FailureOr<Tuple> total = combine(first.total, second.total);
  if (failed(total))
    return failure();
  first.total = *total;
  llvm::append_range(first.members, second.members);
  return success();
}

/// Pairs of blocks that differ in this digit lie side by side.
LogicalResult Emitter::Scanner::passRegister(SmallVector<Block> &blocks) {
  SmallVector<Block> merged;
  for (size_t i = 0; i + 1 < blocks.size(); i += 2) {
    Block first = blocks[i];
    if (failed(append(first, blocks[i + 1])))
      return failure();
    merged.push_back(first);
  }
  blocks = merged;
  return success();
}

LogicalResult Emitter::Scanner::passLane(Block &block, int bit) {
  Value isLater =
      code.isEqual(code.bitAnd(emitter.threads.lane, int64_t(1) << bit), 0);
  if (!op.getReverse())
    isLater = code.logicalNot(isLater);
  Tuple other, first, second, before;
  for (Value value : block.total)
    other.push_back(shuffleXor(code, value, int64_t(1) << bit));
  if (block.before.empty()) {
    before = other;
  } else {
    FailureOr<Tuple> both = combine(other, block.before);
    if (failed(both))
      return failure();
    for (auto [sum, theirs, mine] : llvm::zip(*both, other, block.before))
      before.push_back(
          code.select(isLater, code.select(hasBefore, sum, theirs), mine));
  }
  for (auto [mine, theirs] : llvm::zip(block.total, other)) {
    first.push_back(code.select(isLater, theirs, mine));
    second.push_back(code.select(isLater, mine, theirs));
  }
  FailureOr<Tuple> total = combine(first, second);
  if (failed(total))
    return failure();
  block.total = *total;
  block.before = before;
  return success();
}

LogicalResult Emitter::Scanner::addBefore(SmallVector<Block> &blocks) {
  for (Block &block : blocks) {
    if (block.before.empty())
      continue;
    for (int index : block.members) {
      FailureOr<Tuple> sum = combine(block.before, totals[index]);
      if (failed(sum))
        return failure();
      for (auto [own, all] : llvm::zip(totals[index], *sum))
        own = code.select(hasBefore, all, own);
    }
    block.before.clear();
  }
  return success();
}

LogicalResult Emitter::Scanner::run() {
  machine::Scan plan = *planScan(layout, axis);
  collectRows();
  int64_t laneMask = 0;
  auto flush = [&]() -> LogicalResult {
    for (auto &[row, blocks] : rows)
      if (laneMask && failed(addBefore(blocks)))
        return failure();
    laneMask = 0;
    return success();
  };
  for (const ScanDigit &digit : plan.digits) {
    if (!digit.isLane) {
      if (failed(flush()))
        return failure();
      for (auto &[row, blocks] : rows)
        if (failed(passRegister(blocks)))
          return failure();
      continue;
    }
    for (auto &[row, blocks] : rows)
      for (Block &block : blocks)
        if (failed(passLane(block, digit.bit)))
          return failure();
    laneMask |= int64_t(1) << digit.bit;
    // The lane of the run that comes first has nothing before it.
    Value bits = code.bitAnd(emitter.threads.lane, laneMask);
    hasBefore =
        code.logicalNot(code.isEqual(bits, op.getReverse() ? laneMask : 0));
  }
  if (failed(flush()))
    return failure();
  for (auto &[row, blocks] : rows)
    for (size_t i = 1; i < blocks.size(); ++i)
      if (failed(append(blocks.front(), blocks[i])))
        return failure();

  for (auto [operand, result] : llvm::enumerate(op.getResults())) {
    Registers all;
    for (const Tuple &total : totals)
      all.push_back(total[operand]);
    emitter.bind(result, all);
  }
  return success();
}

LogicalResult Emitter::emitScan(hopper::ScanOp op) {
  return Scanner(*this, op).run();
}

} // namespace heddle::tonvvm
