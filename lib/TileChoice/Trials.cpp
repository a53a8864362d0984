//===- Trials.cpp - One combination of tiles -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "Estimate.h"
#include "LaunchExpr.h"
#include "Parts.h"

#include "heddle/Analysis/Products.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Schedule/Solve.h"
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

OwningOpRef<ModuleOp> Trials::split(const std::vector<int64_t> &values,
                                    std::string &refused) {
  OwningOpRef<ModuleOp> copy = instantiate(values);
  ErrorKeeper errors(module.getContext());
  if (succeeded(pipeline::split(*copy, options.lowering)))
    return copy;
  refused = errors.first;
  return nullptr;
}

OwningOpRef<ModuleOp> Trials::schedule(const std::vector<int64_t> &values,
                                       int64_t &blocks, std::string &refused) {
  OwningOpRef<ModuleOp> copy = instantiate(values);
  ErrorKeeper errors(module.getContext());
  // Tiles that leave too little room are not worth a second schedule.
  pipeline::LowerOptions lowering = options.lowering;
  lowering.mostSchedules = 1;
  if (succeeded(pipeline::lower(*copy, Rung::Tile, Rung::Sched, lowering)) &&
      succeeded(lowerWhole(*copy, blocks)))
    return copy;
  refused = errors.first;
  return nullptr;
}

/// The loops' schedules; none before there are any.
static std::vector<PlannedLoop> plannedLoops(tile::KernelOp kernel,
                                             const machine::Costs &costs) {
  sched::PlanOp plan = sched::findPlan(kernel);
  return plan ? readPlan(plan, costs) : std::vector<PlannedLoop>();
}

std::optional<KernelTime>
heddle::tilechoice::timeOfLaunch(tile::KernelOp kernel, int64_t blocks,
                                 const machine::Costs &costs) {
  LoopWork work = describeWork(kernel, costs);
  std::optional<Execution> execution = execute(kernel, work, costs);
  auto cycles = estimateOfLaunch(kernel, work, plannedLoops(kernel, costs),
                                 execution, blocks, costs);
  if (!cycles)
    return std::nullopt;
  return KernelTime{std::move(*cycles), execution.has_value(),
                    areInstancesAlike(work)};
}

void Trials::estimateAll(ModuleOp lowered, int64_t blocks,
                         Estimate &all) const {
  const machine::Costs &costs = options.machine;
  for (auto kernel : lowered.getOps<tile::KernelOp>()) {
    LoopWork work = describeWork(kernel, costs);
    add(all,
        estimate(kernel, work, plannedLoops(kernel, costs),
                 execute(kernel, work, costs), blocks, costs, options.extents));
  }
}

void Trials::estimateAll(ModuleOp lowered, int64_t blocks, LaunchTime &all) {
  Expr sum = LaunchExpr::constant(0);
  all.isExecuted = true;
  for (auto kernel : lowered.getOps<tile::KernelOp>()) {
    auto time = timeOfLaunch(kernel, blocks, options.machine);
    if (!time) {
      all.kernel = module.lookupSymbol<tile::KernelOp>(kernel.getSymName());
      return;
    }
    sum = LaunchExpr::add(sum, time->cycles);
    all.isExecuted &= time->isExecuted;
    all.areInstancesAlike &= time->areInstancesAlike;
  }
  all.cycles = std::move(sum);
}

Candidate Trials::bound(const std::vector<int64_t> &values) {
  Candidate candidate{values, "", {}};
  if (OwningOpRef<ModuleOp> copy = split(values, candidate.refused))
    estimateAll(*copy, 1, candidate.estimate);
  // Without a loop to schedule, a kernel's time depends on how many blocks
  // share a multiprocessor, which lowering decides.
  candidate.estimate.isSolved = false;
  return candidate;
}

Candidate Trials::solve(const std::vector<int64_t> &values) {
  Candidate candidate{values, "", {}};
  int64_t blocks = 1;
  if (auto scheduled = schedule(values, blocks, candidate.refused))
    estimateAll(*scheduled, blocks, candidate.estimate);
  return candidate;
}

static bool hasThreadProducts(ModuleOp module, const machine::Costs &machine) {
  return module
      ->walk([&](tile::DotOp dot) {
        return formOf(dot, machine) == ProductForm::Group
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

static bool fitsRegisters(ModuleOp module, const machine::Costs &machine) {
  return llvm::all_of(readProblems(module, machine), [](const auto &problem) {
    return schedule::mostDivision(problem).value_or(problem.subTiles) ==
           problem.subTiles;
  });
}

std::optional<Expr> Trials::boundForLaunch(const std::vector<int64_t> &values,
                                           bool inRegisters) {
  std::string refused;
  OwningOpRef<ModuleOp> copy = split(values, refused);
  const machine::Costs &machine = options.machine;
  if (!copy || hasThreadProducts(*copy, machine) ||
      (inRegisters && !fitsRegisters(*copy, machine)))
    return std::nullopt;
  LaunchTime time;
  estimateAll(*copy, 1, time);
  return time.cycles;
}

LaunchTime Trials::solveForLaunch(const std::vector<int64_t> &values) {
  LaunchTime time;
  int64_t blocks = 1;
  if (auto scheduled = schedule(values, blocks, time.refused))
    estimateAll(*scheduled, blocks, time);
  return time;
}

std::optional<Expr> Trials::boundInParts(const std::vector<int64_t> &values) {
  OwningOpRef<ModuleOp> copy = instantiate(values);
  ErrorKeeper errors(module.getContext());
  SumObstacle obstacle;
  auto parts = makeParts(*copy, options, PartsUntil::Bounds, "", obstacle);
  return parts ? std::optional(parts->cyclesOfArguments()) : std::nullopt;
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
         << "' takes a time that its arguments alone do not tell, as a loop "
            "does "
            "that goes on until something holds, so no launch can choose among "
            "its tiles; ask for one";
}

LogicalResult
heddle::tilechoice::lowerToCode(ModuleOp module,
                                const pipeline::LowerOptions &lowering,
                                int64_t &blocks, OnHopper onHopper) {
  if (failed(pipeline::lower(module, Rung::Sched, Rung::Hopper, lowering)))
    return failure();
  module.walk([&](hopper::GridOp grid) {
    blocks = std::max<int64_t>(blocks, grid.getBlocks());
  });
  if (onHopper)
    onHopper(module);
  return pipeline::lower(module, Rung::Hopper, Rung::Nvvm, lowering);
}
