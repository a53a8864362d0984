//===- Certificates.cpp - What a program's schedules claim ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem is exported anew from the program and the schedule read from its
// table, so that what is certified is what is compiled, edited or not.
//
//===----------------------------------------------------------------------===//

#include "heddle/Report/Certificates.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Support/Diagnostics/Check.h"
#include "heddle/Transforms/ReadPlan.h"

using namespace heddle;
using namespace heddle::tool;

static mlir::LogicalResult certify(sched::PlanOp plan,
                                   const machine::Costs &costs,
                                   schedule::Certificate &certificate) {
  for (const PlannedLoop &loop : readPlan(plan, costs)) {
    if (!loop.isPipelined)
      continue;
    if (std::string reason = schedule::certify(loop.problem, loop.solution);
        !reason.empty())
      return report(plan, diag::certificate_fault)
             << "@" << certificate.kernel << ", loop " << loop.problem.loop
             << ": the schedule is not legal: " << reason;
    certificate.loops.push_back(
        schedule::certificateOf(loop.problem, loop.solution));
  }
  return mlir::success();
}

mlir::LogicalResult
heddle::tool::certify(mlir::ModuleOp module, const machine::Costs &costs,
                      std::vector<schedule::Certificate> &certificates) {
  mlir::WalkResult walked = module.walk([&](sched::PlanOp plan) {
    certificates.push_back({plan.getKernel().str(), {}});
    mlir::Operation *kernel =
        mlir::SymbolTable::lookupNearestSymbolFrom(plan, plan.getKernelAttr());
    if (auto pins = kernel ? sched::readPins(kernel)
                           : mlir::FailureOr<llvm::SmallVector<sched::Pin>>();
        succeeded(pins))
      for (const sched::Pin &pin : *pins)
        certificates.back().pinned.push_back(pin.spelling());
    return mlir::WalkResult(::certify(plan, costs, certificates.back()));
  });
  return mlir::failure(walked.wasInterrupted());
}
