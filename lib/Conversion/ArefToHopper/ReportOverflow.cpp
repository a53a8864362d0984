//===- ReportOverflow.cpp - What does not fit, and what would -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportOverflow.h"

#include "heddle/Conversion/ArefToHopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Aref.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

/// The loads into a ring, unless the ring stands at the only one's line anyway.
static void noteLoads(Report &error, const RingFacts &ring,
                      const RingRequest &request) {
  if (ring.payload.size() < 2)
    return;
  for (auto [element, size] : llvm::zip(ring.payload, request.elements))
    for (tile::LoadOp load : element.loads)
      error.attachNote(load.getLoc())
          << "ring \"" << request.name << "\" holds this tile of " << size.bytes
          << " B in each slot";
}

LogicalResult heddle::areftohopper::reportSharedOverflow(
    Operation *kernel, const KernelFacts &facts, const SharedRequest &request,
    const SharedPlan &shared) {
  kernel->getParentOfType<ModuleOp>()->setAttr(
      kSharedOverflow,
      Builder(kernel->getContext())
          .getI64IntegerAttr(shared.totalBytes - request.limitBytes));
  Report error = report(kernel, diag::shared_memory_overflow);
  error << "shared memory needs " << shared.totalBytes << " B, but sm_90 has "
        << request.limitBytes << " B a thread block";
  if (facts.blocks > 1)
    error << " where " << facts.blocks << " share a multiprocessor";
  for (auto [fact, ring, placed] :
       llvm::zip(facts.rings, request.rings, shared.rings)) {
    Diagnostic &note = error.attachNote(fact.first->getLoc());
    note << "ring \"" << ring.name << "\" takes "
         << ring.depth * placed.slotBytes << " B: depth " << ring.depth << " x "
         << placed.slotBytes << " B; ";
    if (placed.depthThatFits)
      note << "depth " << placed.depthThatFits << " would fit";
    else
      note << "no depth of this ring alone would fit, choose smaller tiles";
    noteLoads(error, fact.second, ring);
  }
  for (auto [process, scratch] : llvm::zip(facts.processes, request.scratch))
    if (scratch.bytes)
      error.attachNote(process.op->getLoc())
          << "process \"" << scratch.process << "\" takes " << scratch.bytes
          << " B for tiles that threads exchange";
  return error;
}

/// The largest budget of process `index` at which all fit; 0 if none.
static int64_t budgetThatFits(std::vector<RegisterRequest> requests,
                              size_t index, const machine::Limits &share) {
  while (countRegisters(requests) > registerPool(requests, share)) {
    requests[index].budget -= 8;
    if (requests[index].budget < 24)
      return 0;
  }
  return requests[index].budget;
}

LogicalResult heddle::areftohopper::reportRegisterOverflow(
    Operation *kernel, const KernelFacts &facts,
    const std::vector<RegisterRequest> &requests) {
  Report error = report(kernel, diag::register_overflow);
  error << "the processes' budgets add up to " << countRegisters(requests)
        << " registers, but a launch of their threads allocates "
        << registerPool(requests, facts.share())
        << "; lower the budgets in the plan";
  for (auto [index, request] : llvm::enumerate(requests)) {
    Operation *process = facts.processes[index].op;
    Diagnostic &note = error.attachNote(process->getLoc());
    note << "process \"" << aref::ProcessOp(process).getSym() << "\" takes "
         << request.warps * 32 * request.budget << ": " << request.warps
         << " warps x 32 threads x " << request.budget;
    if (int64_t budget = budgetThatFits(requests, index, facts.share()))
      note << "; " << budget << " would fit";
  }
  return error;
}
