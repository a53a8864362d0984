//===- TimedSimulation.cpp - A run beside its schedule --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimedSimulation.h"

#include "heddle/Schedule/Explain.h"
#include "heddle/Schedule/Trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <optional>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using evaluate::findInterval;
using evaluate::issuesOf;
using evaluate::iterationsNeeded;
using evaluate::TimingModel;
using schedule::SlotState;
using schedule::Timeline;
using simulator::TimedRun;

namespace {

/// Writes a run into a timeline whose operations, processes and rings are
/// known; what it does not know is left out.
class RunWriter {
public:
  RunWriter(Timeline &timeline, const TimedRun &run)
      : timeline(timeline), run(run) {
    for (auto [index, op] : enumerate(timeline.operations))
      indexOf[op.name] = int(index);
  }

  void write() {
    for (const TimedRun::Execution &execution : run.executions)
      if (auto op = indexOf.find(execution.op); op != indexOf.end())
        addExecution(op->second, execution);
    for (const TimedRun::Wait &wait : run.waits)
      timeline.waits.push_back(
          {int(wait.process), wait.begin, wait.end, wait.reason});
    for (const TimedRun::Turn &turn : run.turns)
      for (auto [index, ring] : enumerate(timeline.rings))
        if (ring.name == turn.ring)
          addTurn(int(index), turn);
  }

private:
  void addExecution(int op, const TimedRun::Execution &execution) {
    timeline.operations[op].process = int(execution.process);
    timeline.issued.push_back(
        {op, execution.number, execution.issued, execution.issueEnd});
    if (!execution.asynchronous)
      return;
    timeline.executed.push_back(
        {op, execution.number, execution.taken, execution.unitEnd});
    if (execution.isFlight)
      timeline.inFlight.push_back(
          {op, execution.number, execution.issued, execution.landed});
  }

  void addTurn(int ring, const TimedRun::Turn &turn) {
    auto add = [&](int64_t begin, int64_t end, SlotState state) {
      if (end > begin)
        timeline.slots.push_back({ring,
                                  turn.number % timeline.rings[ring].depth,
                                  turn.number, begin, end, state});
    };
    int64_t read = turn.read < 0 ? turn.full : turn.read;
    add(turn.acquired, turn.full, SlotState::Filling);
    add(turn.full, read, SlotState::Full);
    add(read, turn.released, SlotState::Read);
  }

  Timeline &timeline;
  const TimedRun &run;
  StringMap<int> indexOf;
};

/// All operations, processes and rings of the model.
Timeline describeAll(const TimingModel &model, const TimedRun &run) {
  Timeline timeline;
  timeline.kernel = model.kernel;
  timeline.interval = run.cycles;
  for (const std::string &process : run.processes)
    timeline.processes.push_back({process, 0, 0});
  for (const PlannedOperation &planned : model.operations) {
    auto unit = llvm::find_if(timeline.units, [&](auto &known) {
      return known.name == planned.unit.name;
    });
    int index = int(unit - timeline.units.begin());
    if (unit == timeline.units.end())
      timeline.units.push_back(planned.unit);
    timeline.operations.push_back(
        {planned.operation.name, index, 0, 0, planned.operation.latency, 0});
  }
  for (const TimedRun::Turn &turn : run.turns)
    if (llvm::none_of(timeline.rings,
                      [&](auto &known) { return known.name == turn.ring; }))
      timeline.rings.push_back({turn.ring, 1, 0});
  return timeline;
}

} // namespace

void heddle::tool::printIntervals(const TimingModel &model, const TimedRun &run,
                                  raw_ostream &os) {
  for (const PlannedLoop &loop : model.loops) {
    if (!loop.isPipelined)
      continue;
    os << "loop '" << loop.problem.loop << "': ";
    if (std::optional<double> interval = findInterval(loop, run))
      os << format("%g", *interval)
         << " cycles an iteration in the steady state; the table's II is "
         << loop.solution.ii << "\n";
    else
      os << "too few iterations for a steady state; give it at least "
         << iterationsNeeded(loop) << "\n";
  }
}

/// The iteration in the middle of the run becomes n.
static void moveOrigin(Timeline &timeline, int64_t iteration, int64_t cycle) {
  auto move = [&](auto &span) {
    span.begin -= cycle;
    span.end -= cycle;
  };
  for (auto *spans : {&timeline.issued, &timeline.executed, &timeline.inFlight})
    for (schedule::Span &span : *spans) {
      span.iteration -= iteration;
      move(span);
    }
  for (schedule::SlotSpan &span : timeline.slots) {
    span.iteration -= iteration;
    move(span);
  }
  for (schedule::WaitSpan &span : timeline.waits)
    move(span);
}

/// Iteration n begins where the first of its operations is issued that is no
/// load: loads run ahead as far as the rings allow.
static StringRef findAnchor(const PlannedLoop &loop) {
  const schedule::Operation *anchor = nullptr;
  int64_t earliest = 0;
  for (auto [operation, start] :
       zip_equal(loop.problem.operations, loop.solution.start)) {
    bool isBetter = !anchor || anchor->variableLatency ||
                    (!operation.variableLatency && start < earliest);
    if (!isBetter)
      continue;
    anchor = &operation;
    earliest = start;
  }
  return anchor->name;
}

std::string heddle::tool::drawRun(const TimingModel &model,
                                  const TimedRun &run) {
  std::vector<schedule::Explanation> pictures;
  for (const PlannedLoop &loop : model.loops) {
    std::optional<double> interval = findInterval(loop, run);
    if (!interval || !loop.isPipelined)
      continue;
    Timeline timeline = schedule::unroll(loop.problem, loop.solution, 0, 0);
    timeline.kernel = model.kernel + ", simulated";
    timeline.interval = std::llround(*interval);
    RunWriter(timeline, run).write();
    std::vector<int64_t> issues = issuesOf(run, findAnchor(loop));
    int64_t middle = int64_t(issues.size()) / 2;
    moveOrigin(timeline, middle, issues[middle]);
    int64_t end = schedule::intervalsShown(loop.problem) * timeline.interval;
    pictures.push_back({std::move(timeline), 0, end, {}});
  }
  return schedule::drawSvg(pictures);
}

std::string heddle::tool::traceBoth(const TimingModel &model,
                                    const TimedRun &run) {
  std::vector<Timeline> timelines;
  std::vector<std::string> names;
  for (const PlannedLoop &loop : model.loops) {
    size_t iterations = 1;
    for (const schedule::Operation &operation : loop.problem.operations)
      iterations = std::max(iterations, issuesOf(run, operation.name).size());
    timelines.push_back(
        schedule::unroll(loop.problem, loop.solution, 0, int64_t(iterations)));
    names.push_back(model.kernel + ", loop " + loop.problem.loop + ": table");
  }
  timelines.push_back(describeAll(model, run));
  RunWriter(timelines.back(), run).write();
  names.push_back(model.kernel + ": simulated");
  return schedule::writeTrace(timelines, names);
}
