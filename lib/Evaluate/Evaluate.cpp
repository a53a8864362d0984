//===- Evaluate.cpp - The time of a plan before it runs -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of the module is lowered to the aref rung, its loops are split, and
// some of its workers are simulated, one after the other. The slowest decides,
// since instances may differ in how much they have to do.
//
//===----------------------------------------------------------------------===//

#include "heddle/Evaluate/Evaluate.h"

#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Simulator/Simulator.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <map>

using namespace mlir;
using namespace heddle;
using namespace heddle::evaluate;
using pipeline::Rung;

std::vector<int64_t> heddle::evaluate::someOf(int64_t workers, int64_t count) {
  std::vector<int64_t> some;
  int64_t parts = std::max<int64_t>(1, count - 1);
  for (int64_t part = 0; part < count; ++part)
    if (int64_t worker = (workers - 1) * part / parts;
        some.empty() || some.back() != worker)
      some.push_back(worker);
  return some;
}

static FailureOr<simulator::TimedRun>
runWorker(tile::KernelOp kernel, const simulator::Timing &timing,
          const Launch &launch, int64_t worker, int64_t workers) {
  simulator::TimedRun run;
  simulator::Options options;
  options.schedule = simulator::Schedule::Timed;
  options.maxSteps = launch.maxSteps;
  options.timing = &timing;
  options.run = &run;
  options.seed = uint64_t(worker);
  options.worker = worker;
  options.workers = workers;
  options.hasTiles = false;
  if (failed(simulator::simulate(kernel, launch.arguments, options)))
    return failure();
  return run;
}

/// Cycles an iteration that the busiest unit works for all blocks that share
/// it.
static double busyCycles(const PlannedLoop &loop, int64_t blocks) {
  std::map<int, int64_t> busy;
  int64_t most = 0;
  for (const schedule::Operation &operation : loop.problem.operations)
    most = std::max(most, busy[operation.unit] += operation.reservation);
  return double(most * blocks);
}

/// What was run is one block. Of several, each is as fast until a unit has no
/// cycle to spare for all of them; it ends no sooner than the work that it has.
static Score scoreOf(const TimingModel &model, const simulator::TimedRun &run,
                     int64_t blocks) {
  Score score;
  score.cycles = run.cycles;
  for (const PlannedLoop &loop : model.loops) {
    if (!loop.isPipelined)
      continue;
    double interval = findInterval(loop, run).value_or(0);
    double shared = blocks > 1 ? busyCycles(loop, blocks) : 0;
    if (interval > 0 && shared > interval) {
      size_t iterations =
          issuesOf(run, loop.problem.operations.front().name).size();
      score.cycles += int64_t((shared - interval) * double(iterations));
      score.cycles =
          std::max(score.cycles, int64_t(shared * double(iterations)));
      interval = shared;
    }
    score.loops.push_back({loop.problem.loop, loop.solution.ii, interval});
  }
  return score;
}

FailureOr<Expansion> Expansion::of(ModuleOp module, StringRef kernel,
                                   const machine::Costs &costs) {
  Expansion expansion;
  expansion.expanded = module.clone();
  ModuleOp copy = *expansion.expanded;
  for (auto plan : copy.getOps<sched::PlanOp>())
    if (plan.getKernel() == kernel) {
      expansion.timingModel = TimingModel::read(plan, costs);
      expansion.sharing = plan.getBlocks();
    }
  if (failed(pipeline::lower(copy, Rung::Sched, Rung::Aref)))
    return failure();
  // The first thing that happens to the rung: a tail gets its own loop.
  PassManager split(copy->getContext());
  split.addPass(createSplitIterations());
  if (failed(split.run(copy)))
    return failure();
  expansion.kernel = copy.lookupSymbol<tile::KernelOp>(kernel);
  return expansion;
}

FailureOr<Score> Expansion::run(const Launch &launch) const {
  Score score;
  simulator::Timing timing = timingModel.timing();
  int64_t workers = launch.workers * sharing;
  for (int64_t worker : someOf(workers, launch.executed)) {
    auto run = runWorker(kernel, timing, launch, worker, workers);
    if (failed(run))
      return failure();
    if (run->cycles > score.cycles)
      score = scoreOf(timingModel, *run, sharing);
  }
  return score;
}

FailureOr<Score> heddle::evaluate::evaluate(ModuleOp module, StringRef kernel,
                                            const machine::Costs &costs,
                                            const Launch &launch) {
  FailureOr<Expansion> expansion = Expansion::of(module, kernel, costs);
  if (failed(expansion))
    return failure();
  return expansion->run(launch);
}
