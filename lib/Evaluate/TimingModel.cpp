//===- TimingModel.cpp - The costs of a planned kernel --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan's operations as the machine's model sees them, alone and beside
// products. Products take as long as the ports of shared memory need for them
// and for the copies beside them; schedules are made without, since no unit of
// a problem stands for these ports. An interval is the median over groups of
// iterations.
//
//===----------------------------------------------------------------------===//

#include "heddle/Evaluate/TimingModel.h"

#include "heddle/Machine/Times.h"
#include "heddle/Schedule/SharedTraffic.h"
#include "heddle/Schedule/Timeline.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::evaluate;
using schedule::Timeline;
using simulator::TimedRun;

/// As the schedule's problems call it.
static constexpr StringLiteral kTensorUnit = "tensor";

/// Where shared memory is busy for longer than the products that read it, they
/// share that time by their own.
static void lengthenProducts(schedule::Problem &problem,
                             std::vector<PlannedOperation> &operations,
                             const machine::Times &times) {
  auto isProduct = [&](const schedule::Operation &operation) {
    return operation.unit >= 0 &&
           problem.units[operation.unit].name == kTensorUnit;
  };
  auto traffic = double(schedule::sharedTraffic(problem));
  int64_t needed = times.inSharedMemory(traffic), busy = 0;
  for (const schedule::Operation &operation : problem.operations)
    if (isProduct(operation))
      busy += operation.reservation;
  if (busy == 0 || needed <= busy)
    return;
  for (schedule::Operation &operation : problem.operations) {
    if (!isProduct(operation))
      continue;
    int64_t longer = operation.reservation * (needed - busy) / busy;
    operation.reservation += longer;
    operation.latency += longer;
    for (PlannedOperation &planned : operations)
      if (planned.operation.name == operation.name) {
        planned.operation.reservation += longer;
        planned.operation.latency += longer;
      }
  }
}

TimingModel TimingModel::read(sched::PlanOp plan,
                              const machine::Costs &machine) {
  machine::Costs costs = machine.asFitted();
  machine::Times times(costs);
  TimingModel model = {plan.getKernel().str(),
                       readPlan(plan, costs),
                       readOperations(plan, costs),
                       readOperations(plan, costs.whileProductsRun()),
                       times.ringStep(),
                       times.queueSteps(),
                       times.apart(),
                       times.branch(),
                       times.copySpread()};
  for (PlannedLoop &loop : model.loops)
    if (loop.isPipelined)
      lengthenProducts(loop.problem, model.operations, times);
  return model;
}

simulator::Timing TimingModel::timing() const {
  simulator::Timing timing;
  timing.slowing = kTensorUnit;
  if (tensorQueue > 0)
    timing.queue = tensorQueue;
  timing.apart = apart;
  timing.branch = branch;
  for (auto [planned, beside] : zip_equal(operations, besideProducts)) {
    const schedule::Operation &operation = planned.operation;
    timing.costs[operation.name] = {
        planned.unit.name,
        operation.issue,
        operation.reservation,
        operation.latency,
        beside.operation.issue,
        planned.operation.variableLatency ? loadSpread : 0,
        planned.steps};
    timing.handOver = planned.handOverCycles;
    timing.ringStep = ringStep;
  }
  return timing;
}

/// A schedule may alternate, so iterations count in groups; the median group
/// is in the steady state if most are.
static constexpr size_t kGroup = 4;

size_t heddle::evaluate::iterationsNeeded(const PlannedLoop &loop) {
  Timeline table = schedule::unroll(loop.problem, loop.solution, 0, 0);
  return 2 * (kGroup + size_t(table.stages));
}

std::vector<int64_t> heddle::evaluate::issuesOf(const TimedRun &run,
                                                StringRef op) {
  std::vector<int64_t> cycles;
  for (const TimedRun::Execution &execution : run.executions)
    if (execution.op == op)
      cycles.push_back(execution.issued);
  return cycles;
}

static double steadyInterval(ArrayRef<int64_t> issues) {
  std::vector<int64_t> spans;
  for (size_t i = 0; i + kGroup < issues.size(); ++i)
    spans.push_back(issues[i + kGroup] - issues[i]);
  llvm::sort(spans);
  return double(spans[spans.size() / 2]) / kGroup;
}

std::optional<double> heddle::evaluate::findInterval(const PlannedLoop &loop,
                                                     const TimedRun &run) {
  // The last of the timetable is what the others end up waiting for.
  auto last = llvm::max_element(loop.solution.start);
  std::vector<int64_t> issues = issuesOf(
      run, loop.problem.operations[last - loop.solution.start.begin()].name);
  if (issues.size() < iterationsNeeded(loop))
    return std::nullopt;
  return steadyInterval(issues);
}
