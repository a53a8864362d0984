//===- DeclinedLoops.cpp - Says why a loop is not pipelined -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeclinedLoops.h"

#include "ExportProblem.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
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

void reportDeclined(scf::ForOp loop) {
  Block &body = *loop.getBody();
  Operation *dot = findIn<tile::DotOp>(body);
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
