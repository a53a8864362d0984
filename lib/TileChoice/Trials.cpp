//===- Trials.cpp - One combination of tiles -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "Estimate.h"
#include "LaunchExpr.h"

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;
using pipeline::Rung;

namespace {

/// Keeps the first error instead of printing it, and drops remarks.
class ErrorKeeper {
public:
  explicit ErrorKeeper(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (first.empty() &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error)
            first = diagnostic.str();
          return success();
        }) {}
  std::string first;

private:
  ScopedDiagnosticHandler handler;
};

/// Kernels of a program run one after the other; what binds is said of the
/// longest.
void add(Estimate &all, const Estimate &one) {
  double total = all.total + one.total;
  bool isSolved = one.isSolved && (all.isSolved || all.total == 0);
  if (one.total >= all.total)
    all = one;
  all.total = total;
  all.isSolved = isSolved;
}

} // namespace

OwningOpRef<ModuleOp> Trials::instantiate(const std::vector<int64_t> &values) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto [name, value] : llvm::zip(parameters, values))
    copy->lookupSymbol<tile::ParamOp>(name).setInit(value);
  return copy;
}

Candidate Trials::bound(const std::vector<int64_t> &values) {
  Candidate candidate{values, "", {}};
  OwningOpRef<ModuleOp> copy = instantiate(values);
  ErrorKeeper errors(module.getContext());
  if (failed(pipeline::split(*copy, options.lowering))) {
    candidate.refused = errors.first;
    return candidate;
  }
  for (auto kernel : copy->getOps<tile::KernelOp>())
    add(candidate.estimate,
        estimate(kernel, describeWork(kernel, options.machine), {}, 1,
                 options.machine, options.extents));
  // Without a loop to schedule, a kernel's time depends on how many blocks
  // share a multiprocessor, which lowering decides.
  candidate.estimate.isSolved = false;
  return candidate;
}

Candidate Trials::solve(const std::vector<int64_t> &values) {
  Candidate candidate{values, "", {}};
  OwningOpRef<ModuleOp> scheduled = instantiate(values);
  ErrorKeeper errors(module.getContext());
  int64_t blocks = 1;
  if (failed(pipeline::lower(*scheduled, Rung::Tile, Rung::Sched,
                             options.lowering)) ||
      failed(lowerWhole(*scheduled, blocks))) {
    candidate.refused = errors.first;
    return candidate;
  }
  for (auto kernel : scheduled->getOps<tile::KernelOp>())
    add(candidate.estimate,
        estimate(kernel, describeWork(kernel, options.machine),
                 readPlan(sched::findPlan(kernel), options.machine), blocks,
                 options.machine, options.extents));
  return candidate;
}

LaunchTime Trials::timeOfLaunch(ModuleOp lowered, int64_t blocks) {
  LaunchTime time;
  Expr all = LaunchExpr::constant(0);
  for (auto kernel : lowered.getOps<tile::KernelOp>()) {
    sched::PlanOp plan = sched::findPlan(kernel);
    auto cycles = estimateOfLaunch(
        kernel, describeWork(kernel, options.machine),
        plan ? readPlan(plan, options.machine) : std::vector<PlannedLoop>(),
        blocks, options.machine);
    if (!cycles) {
      time.kernel = module.lookupSymbol<tile::KernelOp>(kernel.getSymName());
      return time;
    }
    all = LaunchExpr::add(all, *cycles);
  }
  time.cycles = std::move(all);
  return time;
}

LaunchTime Trials::boundForLaunch(const std::vector<int64_t> &values) {
  OwningOpRef<ModuleOp> copy = instantiate(values);
  ErrorKeeper errors(module.getContext());
  if (failed(pipeline::split(*copy, options.lowering)))
    return {errors.first, std::nullopt, {}};
  return timeOfLaunch(*copy, 1);
}

LaunchTime Trials::solveForLaunch(const std::vector<int64_t> &values) {
  OwningOpRef<ModuleOp> scheduled = instantiate(values);
  ErrorKeeper errors(module.getContext());
  int64_t blocks = 1;
  if (failed(pipeline::lower(*scheduled, Rung::Tile, Rung::Sched,
                             options.lowering)) ||
      failed(lowerWhole(*scheduled, blocks)))
    return {errors.first, std::nullopt, {}};
  return timeOfLaunch(*scheduled, blocks);
}

LogicalResult Trials::lowerWhole(ModuleOp scheduled, int64_t &blocks) {
  if (!pipeline::isCodeMadeFor(options.machine))
    return success();
  OwningOpRef<ModuleOp> copy = scheduled.clone();
  return lowerToCode(*copy, options.lowering, blocks);
}

LogicalResult heddle::tilechoice::reportNoLaunchTime(tile::KernelOp kernel) {
  return report(kernel, diag::no_launch_time)
         << "kernel '" << kernel.getSymName()
         << "' takes a time that its arguments alone do not tell, as rows of a "
            "triangle do, so no launch can choose among its tiles; ask for one";
}

LogicalResult
heddle::tilechoice::lowerToCode(ModuleOp module,
                                const pipeline::LowerOptions &lowering,
                                int64_t &blocks) {
  if (failed(pipeline::lower(module, Rung::Sched, Rung::Hopper, lowering)))
    return failure();
  module.walk([&](hopper::GridOp grid) {
    blocks = std::max<int64_t>(blocks, grid.getBlocks());
  });
  return pipeline::lower(module, Rung::Hopper, Rung::Nvvm, lowering);
}
