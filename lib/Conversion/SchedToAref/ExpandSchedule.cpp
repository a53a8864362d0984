//===- ExpandSchedule.cpp - The generic expander -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and its plan (the sched rung). Out: the kernel as processes
// joined by rings (the aref rung); the plan is gone. The only way from a
// schedule to code: a program without specialisation is one process without
// rings, through the same steps. Collect (Facts), decide (Timetable,
// PendingCounts), rewrite (ProcessEmitter); the aref verifiers check.
//
// Tawa 2025 for the partition by rings; Rau 1994, Lam 1988 for the expansion.
//
//===----------------------------------------------------------------------===//

#include "ExpandPlan.h"
#include "ExpandRoles.h"
#include "OwnCarried.h"
#include "ProcessEmitter.h"

#include "heddle/Analysis/ArefReplicas.h"
#include "heddle/Analysis/CompareProcesses.h"
#include "heddle/Dialect/Replicas.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_EXPANDSCHEDULE
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

LogicalResult expander::expandPlan(tile::KernelOp kernel, sched::PlanOp plan) {
  ownCarriedNumbers(kernel);
  Facts facts;
  if (failed(facts.collect(kernel, plan)))
    return failure();
  // What is not on the unit of products stays with the process's threads.
  kernel.walk([&](tile::DotOp dot) {
    sched::EntryOp placed = facts.entry(dot);
    if (placed && !sched::isAsynchronousUnit(placed.getUnit()))
      dot->setAttr(aref::kByThreads, UnitAttr::get(dot.getContext()));
  });
  Block &entry = kernel.getEntry();
  SmallVector<Operation *> original;
  for (Operation &op : entry)
    if (!facts.isShared(&op))
      original.push_back(&op);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToEnd(&entry);
  llvm::MapVector<StringRef, Value> rings;
  for (auto &[name, ring] : facts.rings) {
    SmallVector<Type> payload;
    for (Operation *source : ring.sources)
      payload.push_back(source->getResult(0).getType());
    auto type = aref::RingType::get(builder.getContext(), payload);
    rings[name] = aref::RingOp::create(builder, ring.firstLoc(), type,
                                       builder.getStringAttr(name),
                                       builder.getI64IntegerAttr(ring.depth));
  }
  for (sched::ProcessOp process : facts.processes) {
    auto op = aref::ProcessOp::create(
        builder, kernel.getLoc(), process.getSymAttr(), process.getWarpsAttr(),
        process.getRegistersAttr(), process.getUnitAttr());
    if (Attribute leader = process->getAttr(kReplicaOf))
      op->setAttr(kReplicaOf, leader);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op.getBody());
    if (failed(ProcessEmitter(facts, process, builder, rings).run(entry)))
      return failure();
  }
  for (Operation *op : llvm::reverse(original))
    op->erase();
  dropOwnedNumbers(kernel);
  if (plan.getBlocks() > 1)
    kernel->setAttr(aref::kBlocks, plan.getBlocksAttr());
  if (plan.getDealt())
    kernel->setAttr(aref::kDealt, plan.getDealtAttr());
  plan.erase();
  return success();
}

namespace {

/// A plan that sched-find-replicas has not seen since it was changed may name
/// replicas that are none.
LogicalResult checkReplicas(tile::KernelOp kernel) {
  for (auto &[name, processes] :
       groupReplicas<aref::ProcessOp>(kernel.getBody())) {
    Operation *difference = nullptr;
    if (failed(
            verifyReplicas(name, llvm::to_vector_of<Operation *>(processes))))
      return failure();
    if (!aref::areReplicas(processes, difference))
      return reportNoReplica(processes.back(), processes.front(), difference);
  }
  return success();
}

struct ExpandSchedulePass
    : heddle::impl::ExpandScheduleBase<ExpandSchedulePass> {
  void runOnOperation() override {
    SmallVector<tile::KernelOp> kernels;
    getOperation().walk(
        [&](tile::KernelOp kernel) { kernels.push_back(kernel); });
    for (tile::KernelOp kernel : kernels) {
      sched::PlanOp plan = sched::findPlan(kernel);
      if (!plan) {
        report(kernel, diag::plan_missing)
            << "@" << kernel.getSymName()
            << " has no sched.plan; run sched-schedule first";
        return signalPassFailure();
      }
      if (failed(sched::isByRoles(plan) ? expandByRoles(kernel, plan)
                                        : expandPlan(kernel, plan)) ||
          failed(checkReplicas(kernel)))
        return signalPassFailure();
    }
  }
};

} // namespace
