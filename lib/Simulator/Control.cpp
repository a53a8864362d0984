//===- Control.cpp - Loops and branches, one operation at a time ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Interp/ControlFlowOps.cpp does by recursion, on the process's own stack.
// A frame is pushed with its parent already at the operation behind.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;
using interp::Evaluator;

using Cells = SmallVector<Cell>;

static void bindAll(Process &process, ValueRange values, const Cells &cells) {
  for (auto [value, cell] : llvm::zip_equal(values, cells))
    process.cells[value] = cell;
}

static void push(Process &process, Operation *owner, Block *block) {
  ++process.frames.back().next;
  process.frames.emplace_back(owner, block);
}

static Progress skip(Process &process) {
  ++process.frames.back().next;
  return Progress::Ran;
}

static void jumpTo(Frame &frame, Block *block) {
  frame.block = block;
  frame.next = block->begin();
}

Progress Machine::stepControl(Process &process, Operation *op) {
  return llvm::TypeSwitch<Operation *, Progress>(op)
      .Case([&](scf::ForOp op) { return enterFor(process, op); })
      .Case([&](scf::IfOp op) { return enterIf(process, op); })
      .Case([&](scf::WhileOp op) { return enterWhile(process, op); })
      .Case([&](scf::ConditionOp op) { return decideWhile(process, op); })
      .Case([&](scf::YieldOp op) { return leaveBlock(process, op); });
}

Progress Machine::enterFor(Process &process, scf::ForOp op) {
  int64_t first, end, step;
  for (auto [value, number] :
       {std::pair(op.getLowerBound(), &first),
        std::pair(op.getUpperBound(), &end), std::pair(op.getStep(), &step)})
    if (Progress progress = readInteger(process, op, value, *number);
        progress != Progress::Ran)
      return progress;
  if (step <= 0 || (op.getUnsignedCmp() && (first < 0 || end < 0))) {
    Report error = report(op.getLoc(), diag::loop_step);
    if (step <= 0)
      error << "the loop's step is " << step << "; it must be at least 1";
    else
      error << "the loop from " << uint64_t(first) << " to " << uint64_t(end)
            << " compares unsigned bounds beyond 2^63";
    return Progress::Failed;
  }
  Cells carried = llvm::map_to_vector(
      op.getInitArgs(), [&](Value value) { return lookup(process, value); });
  if (first >= end) {
    bindAll(process, op.getResults(), carried);
    return skip(process);
  }
  push(process, op, op.getBody());
  Frame &frame = process.frames.back();
  frame.number = first;
  frame.end = end;
  frame.step = step;
  bindAll(process, op.getRegionIterArgs(), carried);
  return set(process, op.getInductionVar(),
             Cell::ofData(Evaluator::makeInteger(op.getInductionVar().getType(),
                                                 first)));
}

Progress Machine::enterIf(Process &process, scf::IfOp op) {
  int64_t condition;
  Progress progress = readInteger(process, op, op.getCondition(), condition);
  if (progress != Progress::Ran)
    return progress;
  Block *block = condition ? op.thenBlock() : op.elseBlock();
  if (!block)
    return skip(process);
  push(process, op, block);
  return Progress::Ran;
}

Progress Machine::enterWhile(Process &process, scf::WhileOp op) {
  Cells carried = llvm::map_to_vector(
      op.getInits(), [&](Value value) { return lookup(process, value); });
  push(process, op, op.getBeforeBody());
  bindAll(process, op.getBeforeArguments(), carried);
  return Progress::Ran;
}

Progress Machine::decideWhile(Process &process, scf::ConditionOp op) {
  auto loop = cast<scf::WhileOp>(process.frames.back().owner);
  int64_t condition;
  Progress progress = readInteger(process, op, op.getCondition(), condition);
  if (progress != Progress::Ran)
    return progress;
  Cells passed = llvm::map_to_vector(
      op.getArgs(), [&](Value value) { return lookup(process, value); });
  if (condition) {
    bindAll(process, loop.getAfterArguments(), passed);
    jumpTo(process.frames.back(), loop.getAfterBody());
  } else {
    bindAll(process, loop.getResults(), passed);
    process.frames.pop_back();
  }
  return Progress::Ran;
}

Progress Machine::leaveBlock(Process &process, scf::YieldOp op) {
  Frame &frame = process.frames.back();
  Cells yielded = llvm::map_to_vector(
      op.getResults(), [&](Value value) { return lookup(process, value); });
  if (auto loop = dyn_cast<scf::WhileOp>(frame.owner)) {
    bindAll(process, loop.getBeforeArguments(), yielded);
    jumpTo(frame, loop.getBeforeBody());
    return Progress::Ran;
  }
  auto loop = dyn_cast<scf::ForOp>(frame.owner);
  bool goesOn =
      loop &&
      !__builtin_add_overflow(frame.number, frame.step, &frame.number) &&
      frame.number < frame.end;
  if (goesOn) {
    bindAll(process, loop.getRegionIterArgs(), yielded);
    Type type = loop.getInductionVar().getType();
    set(process, loop.getInductionVar(),
        Cell::ofData(Evaluator::makeInteger(type, frame.number)));
    jumpTo(frame, loop.getBody());
    return Progress::Ran;
  }
  bindAll(process, frame.owner->getResults(), yielded);
  process.frames.pop_back();
  return Progress::Ran;
}
