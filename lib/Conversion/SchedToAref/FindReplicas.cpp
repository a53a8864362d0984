//===- FindReplicas.cpp - Which processes of a plan are replicas ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and its plan. Out: the same plan, in which a process that does
// the same as another one, with other numbers, says so (`replica_of`).
// Processes that share a tile run the same program on other rows, slots and
// barriers. With code of their own they fill the instruction cache in turn:
// where a tile has few iterations, warps waited for instructions a tenth to a
// quarter of the time.
//
// What processes do in which order is what the expander makes of the plan, so
// a copy is expanded. Only the last processes of a plan may be replicas: those
// in front of them are told apart first.
//
//===----------------------------------------------------------------------===//

#include "ExpandPlan.h"

#include "heddle/Analysis/ArefReplicas.h"
#include "heddle/Dialect/Replicas.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace heddle {
#define GEN_PASS_DEF_FINDREPLICAS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// The last processes of a kernel that do the same; none if there are no two.
SmallVector<aref::ProcessOp> findReplicas(tile::KernelOp kernel) {
  SmallVector<aref::ProcessOp> processes(
      kernel.getEntry().getOps<aref::ProcessOp>());
  Operation *difference = nullptr;
  for (ArrayRef<aref::ProcessOp> last = processes; last.size() > 1;
       last = last.drop_front())
    if (aref::areReplicas(last, difference))
      return llvm::to_vector(last);
  return {};
}

void visit(tile::KernelOp kernel, sched::PlanOp plan) {
  SmallVector<sched::ProcessOp> processes(
      plan.getBody().getOps<sched::ProcessOp>());
  // What somebody said is kept, and checked where it is obeyed.
  bool isSaid = llvm::any_of(processes, [](sched::ProcessOp process) {
    return process->hasAttr(kReplicaOf);
  });
  if (sched::isByRoles(plan) || isSaid || processes.size() < 2)
    return;
  // What the expander refuses or remarks on, it will say itself.
  ScopedDiagnosticHandler quiet(kernel.getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(kernel.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(scratch->getBody());
  auto copy = cast<tile::KernelOp>(builder.clone(*kernel));
  if (failed(expander::expandPlan(copy,
                                  cast<sched::PlanOp>(builder.clone(*plan)))))
    return;
  SmallVector<aref::ProcessOp> alike = findReplicas(copy);
  if (alike.empty())
    return;
  for (sched::ProcessOp process : processes)
    for (aref::ProcessOp replica : llvm::drop_begin(alike))
      if (process.getSym() == replica.getSym())
        process->setAttr(kReplicaOf, alike.front().getSymAttr());
}

struct FindReplicas : heddle::impl::FindReplicasBase<FindReplicas> {
  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) {
      if (sched::PlanOp plan = sched::findPlan(kernel))
        visit(kernel, plan);
    });
  }
};

} // namespace
