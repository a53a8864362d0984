//===- UsePlan.cpp - A plan that somebody wrote ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UsePlan.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/TextLimits.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Support/Files.h"
#include "heddle/Transforms/ReadPlan.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace heddle;

/// The plan's text names a kernel that its file need not hold.
static OwningOpRef<ModuleOp> parsePlans(ModuleOp module, StringRef path) {
  if (!llvm::sys::fs::exists(path)) {
    report(module, diag::plan_file) << "there is no file '" << path
                                    << "'; a schedule is 'heuristic', 'exact', "
                                       "'in-step' or a file with a sched.plan";
    return nullptr;
  }
  std::string reason;
  auto buffer = readFile(path, reason);
  if (!buffer) {
    report(module, diag::plan_file)
        << "the schedule '" << path << "' cannot be read: " << reason;
    return nullptr;
  }
  if (failed(checkTextLimits(buffer->getBuffer(), path, *module.getContext())))
    return nullptr;
  ParserConfig config(module.getContext(), /*verifyAfterParse=*/false);
  auto file = parseSourceString<ModuleOp>(buffer->getBuffer(), config, path);
  return file && failed(checkNames(*file)) ? nullptr : std::move(file);
}

static sched::PlanOp findPlan(ModuleOp file, StringRef kernel) {
  for (auto plan : file.getOps<sched::PlanOp>())
    if (plan.getKernel() == kernel)
      return plan;
  return {};
}

static LogicalResult verifyTables(sched::PlanOp plan,
                                  const machine::Costs &costs) {
  for (const PlannedLoop &planned : readPlan(plan, costs)) {
    if (!planned.isPipelined)
      continue;
    std::string reason = schedule::verify(planned.problem, planned.solution);
    if (!reason.empty())
      return report(plan, diag::plan_illegal)
             << "the table of loop '" << planned.problem.loop
             << "' is no schedule: " << reason;
  }
  return success();
}

/// Its cycles are those of another model.
static void reportOtherMachine(sched::PlanOp plan,
                               const machine::Costs &costs) {
  auto made = plan->getAttrOfType<StringAttr>(sched::kMachine);
  if (made && made.getValue() != costs.name)
    report(plan, diag::plan_machine)
        << "the plan of " << plan.getKernel() << " was made for "
        << made.getValue() << " and is used for " << costs.name
        << "; --machine=" << made.getValue()
        << " takes the costs it was made with";
}

LogicalResult heddle::usePlans(ModuleOp module, StringRef path,
                               const machine::Costs &costs) {
  OwningOpRef<ModuleOp> file = parsePlans(module, path);
  if (!file)
    return failure();
  SmallVector<tile::KernelOp> kernels;
  module.walk([&](tile::KernelOp kernel) { kernels.push_back(kernel); });
  for (tile::KernelOp kernel : kernels) {
    sched::PlanOp plan = findPlan(*file, kernel.getSymName());
    if (!plan)
      return report(kernel, diag::plan_file)
             << "'" << path << "' has no sched.plan for kernel "
             << kernel.getSymName();
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfter(kernel);
    auto own = cast<sched::PlanOp>(builder.clone(*plan));
    reportOtherMachine(own, costs);
    if (failed(verify(own)) || failed(verifyTables(own, costs)))
      return failure();
  }
  return success();
}
