//===- DeclinedLoops.cpp - Says why a loop is not pipelined -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeclinedLoops.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Plan/Choose.h"
#include "heddle/Support/Diagnostics/Sched.h"

using namespace mlir;
using namespace heddle;

namespace {

template <typename... Ops> Operation *findIn(Block &block) {
  for (Operation &op : block)
    if (isa<Ops...>(op))
      return &op;
  return nullptr;
}

/// A product in a conditional of the block, and in no loop of it.
tile::DotOp findConditional(Block &block) {
  tile::DotOp found;
  for (auto conditional : block.getOps<scf::IfOp>())
    conditional.walk<WalkOrder::PreOrder>([&](Operation *op) {
      found = found ? found : dyn_cast<tile::DotOp>(op);
      return isa<LoopLikeOpInterface>(op) ? WalkResult::skip()
                                          : WalkResult::advance();
    });
  return found;
}

/// A `while` ends when one process finds its condition false.
void reportDeclined(scf::WhileOp loop) {
  Block &body = *loop.getAfterBody();
  if (!findIn<tile::DotOp>(body) && !findConditional(body))
    return;
  Report remark = report(loop, diag::not_pipelined);
  remark << "a loop runs in program order, because it holds a tile.dot and "
            "goes on for as long as a condition holds that tiles or memory "
            "decide";
  remark.attachNote(loop.getConditionOp().getLoc())
      << "here; a loop over numbers whose end is known in front of it can be "
         "shared by processes";
}

void reportDeclined(scf::ForOp loop) {
  Block &body = *loop.getBody();
  Operation *dot = findIn<tile::DotOp>(body);
  // Processes share what every iteration multiplies.
  if (tile::DotOp conditional = dot ? tile::DotOp() : findConditional(body)) {
    Report remark = report(loop, diag::not_pipelined);
    remark << "loop '" << sched::loopName(loop)
           << "' runs in program order, because it holds a tile.dot that some "
              "iterations leave out or replace";
    remark.attachNote(conditional.getLoc())
        << "here; iterations that do nothing else are skipped where numbers "
           "and memory that the kernel never writes decide";
    return;
  }
  // The loop over a worker's instances, and loops that only hold others, have
  // nothing of their own to pipeline.
  if (!dot && (sched::loopName(loop) == "tiles" || !findIn<tile::LoadOp>(body)))
    return;
  Report remark = report(loop, diag::not_pipelined);
  remark << "loop '" << sched::loopName(loop)
         << "' runs in program order, because it holds ";
  if (!dot) {
    remark << "no tile.dot";
    return;
  }
  if (Operation *number = numberOfOneProcess(loop)) {
    bool isRead = isa<tile::GatherOp>(number);
    remark << "a tile.dot and " << (isRead ? "reads" : "computes")
           << " a number in each iteration"
           << (isRead ? " that the kernel may write, too" : " from a tile")
           << ", and processes hand on tiles only";
    remark.attachNote(number->getLoc())
        << "here; "
        << (isRead ? "a number from memory that the kernel does not write is "
                     "read by each process for itself"
                   : "read it from memory, or use it as a tile");
    return;
  }
  bool isConditional = findIn<scf::IfOp>(body);
  remark << "a tile.dot and " << (isConditional ? "a conditional" : "a loop");
  Operation *inner = findIn<scf::ForOp, scf::WhileOp, scf::IfOp>(body);
  remark.attachNote(inner ? inner->getLoc() : dot->getLoc())
      << "here; arith.select or a mask does without a conditional, and a loop "
         "of its own pipelines the dot";
}

} // namespace

void heddle::reportDeclinedLoops(tile::KernelOp kernel) {
  bool isPipelinedAnywhere = false;
  kernel.walk([](scf::WhileOp loop) { reportDeclined(loop); });
  kernel.walk([&](scf::ForOp loop) {
    if (isPipelined(loop))
      isPipelinedAnywhere = true;
    else
      reportDeclined(loop);
  });
  if (!isPipelinedAnywhere)
    report(kernel, diag::not_specialised)
        << "@" << kernel.getSymName()
        << " stays one process, because it has no loop to pipeline";
}

/// What one iteration loads is what a person can change.
LogicalResult heddle::reportUnsolved(scf::ForOp loop,
                                     const LoopProblem &exported,
                                     StringRef reason, bool isSteered) {
  const schedule::Problem &problem = exported.problem;
  if (isSteered)
    return report(loop, diag::pin_unmet)
           << "no schedule of loop '" << problem.loop
           << "' keeps what is pinned: " << reason;
  Report error = report(loop, diag::no_schedule);
  error << "no schedule for loop '" << problem.loop << "': " << reason
        << "; choose smaller tiles";
  int64_t all = 0;
  for (const schedule::Transfer &transfer : problem.transfers) {
    Operation *op = exported.ops[transfer.from];
    if (!isa<tile::LoadOp>(op))
      continue;
    error.attachNote(op->getLoc()) << "'" << sched::opName(op) << "' loads "
                                   << transfer.bytes << " B an iteration";
    all += transfer.bytes;
  }
  error.attachNote(loop.getLoc())
      << "one iteration loads " << all << " B, and "
      << problem.machine.sharedBytes
      << " B of shared memory are there for rings; two iterations in flight "
         "need twice as much";
  return error;
}

/// Unless the bound leaves no gap.
void heddle::reportGap(scf::ForOp loop, const schedule::Problem &problem,
                       int64_t ii) {
  int64_t bound = plan::boundBelow(problem, ii);
  if (bound < ii)
    report(loop, diag::schedule_gap)
        << "loop '" << problem.loop << "' has an interval of " << ii
        << " cycles; below " << bound
        << " there is none, and in between none was found";
}
