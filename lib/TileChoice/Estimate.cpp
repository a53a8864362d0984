//===- Estimate.cpp - How long a kernel takes in the model ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   a pipelined loop   trips * II, and how much longer one iteration is; of a
//                      plan that was executed, trips * its interval
//   another loop       trips * (its operations in order, and loops inside)
//   an instance        that of the body of the loop over instances, and the way
//                      of what it stores to memory
//   the kernel         instances a worker does, one after the other
//
// What is stored late comes under the next instance, and counts where a kernel
// ends only. Loads run ahead through rings, from one instance into the next,
// and count where a kernel begins only. Where several thread blocks share a
// multiprocessor, one waits while another works, until work or copies fill it.
//
//===----------------------------------------------------------------------===//

#include "Estimate.h"

#include "Footprint.h"
#include "IndexValue.h"
#include "InstanceExpr.h"
#include "LaunchExpr.h"
#include "RowPitch.h"

#include "heddle/Machine/Times.h"
#include "heddle/Schedule/Certify.h"
#include "heddle/Schedule/SharedTraffic.h"
#include "heddle/Schedule/Timeline.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;

namespace {

/// Of one instance.
struct Time {
  double cycles = 0; ///< from its begin to its end
  double steady = 0; ///< of these, iterations one interval apart
  double busy = 0;   ///< that the busiest unit works in pipelined loops
  double issue = 0;  ///< that its instructions take from the multiprocessor
  double bytes = 0;  ///< that it moves
  double lines = 0;  ///< the same, of rows that begin at lines

  void add(const Time &other, double times) {
    cycles += times * other.cycles;
    steady += times * other.steady;
    busy += times * other.busy;
    issue += times * other.issue;
    bytes += times * other.bytes;
    lines += times * other.lines;
  }
};

/// How many instances are looked at where they differ.
constexpr int kSamples = 4096;

/// The same at a launch, which has no time for more.
constexpr int kLookedAt = 2;

/// Of the work of multiprocessors and of memory, the share of the shorter that
/// the longer does not hide.
constexpr int kUnhidden = 8;

class Estimator {
public:
  Estimator(tile::KernelOp kernel, const LoopWork &work,
            const std::vector<PlannedLoop> &planned,
            const std::optional<Execution> &execution,
            const machine::Costs &costs, const Extents &extents)
      : kernel(kernel), work(work), planned(planned), execution(execution),
        costs(costs), times(costs), extents(extents),
        isOpen(!areAllGiven(kernel, extents)),
        indices(kernel, extents, isOpen) {}

  Estimate run(int64_t blocks) {
    result.isSolved = true;
    result.blocks = blocks;
    auto tiles = cast<scf::ForOp>(work.loop);
    result.instances = std::max(
        1.0, indices.evaluate(tiles.getUpperBound()).value_or(kOpenExtent));
    describePipelines(work);
    int workers = int(costs.limits.multiprocessors * blocks);
    result.waves = std::max(1.0, result.instances / workers);
    if (!isOpen)
      result.waves = std::ceil(result.waves);
    bool areAlike = areInstancesAlike(work);
    Time mean =
        areAlike ? ofInstance(tiles, 0, workers) : ofInstances(tiles, workers);
    result.perInstance = mean.cycles;
    result.ends = mean.cycles - mean.steady;
    if (result.longest == 0)
      result.longest = result.waves * mean.cycles;
    result.idle = std::max(0.0, 1 - result.instances * mean.cycles /
                                        (workers * result.longest));
    if (!isOpen)
      result.least = leastOf(mean.busy, !areAlike);
    if (result.interval)
      result.longest = std::max(result.longest, result.instances * mean.lines /
                                                    times.movedByAll());
    double once = result.interval ? cyclesOnce() : 0;
    double memory = isOpen || !result.interval ? 0 : knownMemoryCycles();
    result.total = once + std::max(result.longest, memory) +
                   std::min(result.longest, memory) / kUnhidden;
    return result;
  }

  /// What run() computes, of extents that a launch knows.
  std::optional<manifest::Expr> expression(int64_t blocks) {
    using E = LaunchExpr;
    auto tiles = cast<scf::ForOp>(work.loop);
    auto instances = E::of(kernel, tiles.getUpperBound());
    describePipelines(work);
    if (!instances)
      return std::nullopt;
    bool areDifferent = !areInstancesAlike(work);
    auto most = E::constant(0);
    auto body = areDifferent ? meanExpression(tiles, *instances, most)
                             : expressionOf(work);
    if (!body)
      return std::nullopt;
    bool isPipelined = result.interval != 0;
    body->cycles = E::add(body->cycles, E::constant(untilStored()));
    auto workers = E::mul(E::multiprocessors(), E::constant(double(blocks)));
    auto longest = E::mul(E::ceilDiv(*instances, workers),
                          besideOthers(*body, double(blocks)));
    if (areDifferent)
      longest = E::max(longest, E::add(most, E::constant(untilStored())));
    if (!isPipelined)
      return longest;
    longest = E::max(longest, E::ceilDiv(E::mul(*instances, body->lines),
                                         E::constant(times.movedByAll())));
    auto memory = memoryCycles();
    longest =
        E::add(E::max(longest, memory),
               E::floorDiv(E::min(longest, memory), E::constant(kUnhidden)));
    return E::add(longest, E::constant(cyclesOnce()));
  }

private:
  /// A Time, of extents that a launch knows.
  struct TimeExpr {
    manifest::Expr cycles, issue, bytes, lines;

    void add(const TimeExpr &other, const manifest::Expr &times) {
      cycles = LaunchExpr::add(std::move(cycles),
                               LaunchExpr::mul(times, other.cycles));
      issue = LaunchExpr::add(std::move(issue),
                              LaunchExpr::mul(times, other.issue));
      bytes = LaunchExpr::add(std::move(bytes),
                              LaunchExpr::mul(times, other.bytes));
      lines = LaunchExpr::add(std::move(lines),
                              LaunchExpr::mul(times, other.lines));
    }
  };

  /// Until memory has moved each array once, of extents that are given.
  double knownMemoryCycles() const {
    double bytes = 0;
    for (BlockArgument array : arraysOf(kernel))
      bytes += bytesOf(kernel, array, extents);
    return bytes / costs.memory.bytesPerCycle;
  }

  /// The same, of extents that a launch knows.
  manifest::Expr memoryCycles() const {
    auto bytes = LaunchExpr::constant(0);
    for (BlockArgument array : arraysOf(kernel))
      bytes = LaunchExpr::add(std::move(bytes), bytesOf(kernel, array));
    return LaunchExpr::floorDiv(
        std::move(bytes), LaunchExpr::constant(costs.memory.bytesPerCycle));
  }

  /// Of an iteration, by extents that are given.
  double linesOf(const LoopWork &loop) const {
    double bytes = double(loop.loadedBytes + loop.storedBytes);
    for (auto [array, itsBytes] : loop.bytesOfArrays)
      bytes += asIfOnLines(double(itsBytes), kernel, array, costs, extents) -
               double(itsBytes);
    return bytes;
  }

  /// The same, by extents that a launch knows.
  manifest::Expr linesOfLaunch(const LoopWork &loop) const {
    int64_t others = loop.loadedBytes + loop.storedBytes;
    for (auto [array, bytes] : loop.bytesOfArrays)
      others -= bytes;
    auto all = LaunchExpr::constant(double(others));
    for (auto [array, bytes] : loop.bytesOfArrays)
      all = LaunchExpr::add(std::move(all),
                            asIfOnLines(bytes, kernel, array, costs));
    return all;
  }

  TimeExpr expressionOf(const Time &time, const LoopWork &loop) const {
    return {LaunchExpr::constant(time.cycles), LaunchExpr::constant(time.issue),
            LaunchExpr::constant(time.bytes), linesOfLaunch(loop)};
  }

  /// Blocks that share a multiprocessor wait for its instructions and copies.
  /// A block that was executed has waited for its own, and not for others'; its
  /// processes compute side by side, so before it is, they are no bound.
  manifest::Expr besideOthers(const TimeExpr &time, double blocks) const {
    using E = LaunchExpr;
    if (isAlone(blocks))
      return time.cycles;
    auto moved = E::ceilDiv(time.bytes, E::constant(times.movedPerCycle()));
    auto shared = E::mul(E::constant(blocks), E::max(time.issue, moved));
    return E::max(time.cycles, shared);
  }

  bool isAlone(double blocks) const {
    return blocks == 1 && (execution || (planned.empty() && isExecuted(work)));
  }

  /// As a launch knows it of the instance that it looks at.
  std::optional<manifest::Expr> scalar(Value value) const {
    return instance ? instance->of(value) : LaunchExpr::of(kernel, value);
  }

  /// Of instances that differ, the mean of a few in equal distances. `most` is
  /// at least the cycles of each, and of the first, which is the longest where
  /// a program begins with these.
  std::optional<TimeExpr> meanExpression(scf::ForOp tiles,
                                         const manifest::Expr &instances,
                                         manifest::Expr &most) {
    using E = LaunchExpr;
    auto look = [&](manifest::Expr number) {
      instance.emplace(kernel, tiles, std::move(number), instances);
      auto time = expressionOf(work);
      if (time)
        most = E::max(std::move(most), time->cycles);
      return time;
    };
    std::optional<TimeExpr> mean;
    for (int i = 0; i < kLookedAt; ++i) {
      auto time = look(E::floorDiv(E::mul(instances, E::constant(2 * i + 1)),
                                   E::constant(2 * kLookedAt)));
      if (!time)
        return std::nullopt;
      if (mean)
        mean->add(*time, E::constant(1));
      else
        mean = std::move(time);
    }
    look(E::constant(0));
    for (manifest::Expr *sum :
         {&mean->cycles, &mean->issue, &mean->bytes, &mean->lines})
      *sum = E::floorDiv(std::move(*sum), E::constant(kLookedAt));
    return mean;
  }

  std::optional<TimeExpr> expressionOf(const LoopWork &loop) {
    TimeExpr time = expressionOf(ofOwn(loop), loop);
    for (const LoopWork &inner : loop.inner) {
      auto counted = dyn_cast<scf::ForOp>(inner.loop);
      if (!counted)
        return std::nullopt;
      auto from = scalar(counted.getLowerBound());
      auto to = scalar(counted.getUpperBound());
      auto step = scalar(counted.getStep());
      if (!from || !to || !step)
        return std::nullopt;
      auto trips = LaunchExpr::ceilDiv(LaunchExpr::sub(*to, *from), *step);
      if (instance)
        trips = LaunchExpr::max(trips, LaunchExpr::constant(0));
      std::optional<TimeExpr> body;
      if (inner.isPipelined) {
        // The first iteration's own length comes once; of an empty loop too,
        // which no choice of tiles hangs on.
        Time one = ofPipeline(inner, 1);
        time.cycles =
            LaunchExpr::add(std::move(time.cycles),
                            LaunchExpr::constant(one.cycles - one.steady));
        one.cycles = one.steady;
        body = expressionOf(one, inner);
      } else {
        body = expressionOf(inner);
      }
      if (!body)
        return std::nullopt;
      time.add(*body, trips);
    }
    return time;
  }

  const PlannedLoop *find(const LoopWork &loop) const {
    for (const PlannedLoop &known : planned)
      if (known.isPipelined && known.problem.loop == loop.problem.loop)
        return &known;
    return nullptr;
  }

  /// What of the estimate does not depend on trips.
  void describePipelines(const LoopWork &loop) {
    if (loop.isPipelined) {
      const PlannedLoop *plan = find(loop);
      schedule::Bound bound = schedule::findBound(loop.problem);
      int64_t interval = plan ? plan->solution.ii : bound.ii;
      result.isSolved &= plan != nullptr;
      intervals[&loop] = intervalOf(loop, plan, interval);
      if (interval > result.interval) {
        result.interval = interval;
        result.bound = bound.ii;
        result.binds = describe(loop.problem, bound, interval);
        result.processes = plan ? computing(*plan) : loop.problem.subTiles;
      }
    }
    for (const LoopWork &inner : loop.inner)
      describePipelines(inner);
  }

  /// As it was executed, or as the schedule promises and what it leaves out.
  int64_t intervalOf(const LoopWork &loop, const PlannedLoop *plan,
                     int64_t promised) const {
    if (execution)
      return std::llround(execution->intervals.at(loop.problem.loop));
    return std::max(
        {promised, awaited(loop.problem, plan), inSharedMemory(loop.problem)});
  }

  /// Does the next iteration start this product's successor, which adds to its
  /// result, before the product is waited for?
  static bool staysInFlight(const PlannedLoop &plan, int op) {
    return plan.solution.latencyOf(plan.problem, op) > plan.solution.ii;
  }

  /// The longest product that an iteration waits for, to which the next one
  /// adds, with the slot in front of it and the way back behind it. A schedule
  /// that is still to be found may leave all in flight.
  int64_t awaited(const schedule::Problem &problem,
                  const PlannedLoop *plan) const {
    int64_t longest = 0;
    if (!plan)
      return longest;
    for (const schedule::Dependence &edge : problem.dependences)
      if (edge.accumulates && edge.from == edge.to &&
          !staysInFlight(*plan, edge.from))
        longest = std::max(longest, problem.operations[edge.from].latency);
    return longest ? longest + machine::Times(fitted).afterProduct() : 0;
  }

  /// What slots take in and products read from them goes one way in and out of
  /// shared memory.
  int64_t inSharedMemory(const schedule::Problem &problem) const {
    return times.inSharedMemory(double(schedule::sharedTraffic(problem)));
  }

  /// Of all multiprocessors, the one with the most to do has at least the mean,
  /// and of instances that are equal a whole number.
  double leastOf(double busy, bool areDifferent) const {
    double each = result.instances / double(costs.limits.multiprocessors);
    return busy * (areDifferent ? each : std::ceil(each));
  }

  /// Cycles an iteration of the unit with the most to do.
  static int64_t busiest(const schedule::Problem &problem) {
    std::vector<int64_t> busy(problem.units.size(), 0);
    for (const schedule::Operation &op : problem.operations)
      if (op.unit >= 0)
        busy[size_t(op.unit)] += op.reservation;
    return busy.empty() ? 0 : *std::max_element(busy.begin(), busy.end());
  }

  static int64_t computing(const PlannedLoop &plan) {
    std::vector<bool> computes(plan.solution.processes.size(), false);
    for (size_t op = 0; op < plan.problem.operations.size(); ++op)
      if (!plan.problem.operations[op].variableLatency)
        computes[plan.solution.process[op]] = true;
    return std::count(computes.begin(), computes.end(), true);
  }

  static std::string describe(const schedule::Problem &problem,
                              const schedule::Bound &bound, int64_t interval) {
    std::string busiest;
    int64_t most = -1;
    for (size_t unit = 0; unit < problem.units.size(); ++unit) {
      int64_t busy = 0;
      for (const schedule::Operation &op : problem.operations)
        busy += op.unit == int(unit) ? op.reservation : 0;
      if (busy > most)
        busiest = problem.units[unit].name;
      most = std::max(most, busy);
    }
    std::string percent =
        std::to_string(interval ? 100 * most / interval : 0) + " %";
    if (interval > bound.ii)
      return "order and waits, " + busiest + " " + percent;
    switch (bound.kind) {
    case schedule::Bound::Unit:
      return busiest + " " + percent;
    case schedule::Bound::Process:
      return "what one process issues, " + busiest + " " + percent;
    case schedule::Bound::Recurrence:
      return "a recurrence, " + busiest + " " + percent;
    case schedule::Bound::Cases:
      return "a recurrence in any order, " + busiest + " " + percent;
    }
    return "";
  }

  /// Of a launch besides its instances: until the first bytes are there, and
  /// what is stored late is away.
  double cyclesOnce() const {
    return execution ? execution->once
                     : times.begin() + untilAway(work.lateBytes);
  }

  /// Of an instance, until what it stores itself is away; executed, it has
  /// waited for that.
  double untilStored() const {
    return result.interval && !execution
               ? untilAway(work.storedBytes - work.lateBytes)
               : 0;
  }

  /// A process waits until what it stored is away.
  double untilAway(int64_t bytes) const {
    return times.untilAway(double(bytes));
  }

  Time ofInstance(scf::ForOp tiles, double number, int workers) {
    indices.bind(tiles.getInductionVar(), number);
    indices.bindWorker(std::fmod(number, workers), workers);
    Time time = ofBody(work);
    time.cycles += untilStored();
    if (isAlone(double(result.blocks)))
      return time;
    double moved = times.moving(time.bytes);
    double shared = double(result.blocks) * std::max(time.issue, moved);
    if (!result.interval)
      result.binds = time.cycles >= shared ? "latency"
                     : time.issue > moved  ? "issue"
                                           : "copies";
    time.cycles = std::max(time.cycles, shared);
    return time;
  }

  /// The mean of instances that differ. Of few, each goes to its worker, as
  /// `distribute` deals them out, and the slowest worker is known; of many, a
  /// sample stands for all.
  Time ofInstances(scf::ForOp tiles, int workers) {
    int count = int(std::min<double>(std::ceil(result.instances), kSamples));
    bool isWhole = !isOpen && result.instances <= kSamples;
    std::vector<double> busy(workers, 0);
    Time mean;
    for (int i = 0; i < count; ++i) {
      double number =
          isWhole ? i : std::floor((i + 0.5) * result.instances / count);
      Time time = ofInstance(tiles, number, workers);
      mean.add(time, 1.0 / count);
      busy[i % workers] += time.cycles;
    }
    if (isWhole)
      result.longest = *std::max_element(busy.begin(), busy.end());
    return mean;
  }

  double tripsOf(const LoopWork &loop) {
    auto counted = dyn_cast<scf::ForOp>(loop.loop);
    if (!counted)
      return 1; // A loop until something holds goes round as often in any tile.
    auto iterations = indices.iterationsOf(counted);
    if (!iterations)
      return 1;
    indices.bind(counted.getInductionVar(),
                 iterations->from +
                     std::floor(iterations->number / 2) * iterations->step);
    return isOpen ? iterations->number : iterations->whole();
  }

  Time ofBody(const LoopWork &loop) {
    Time time = ofOwn(loop);
    for (const LoopWork &inner : loop.inner) {
      double trips = tripsOf(inner);
      if (inner.isPipelined)
        time.add(ofPipeline(inner, trips), 1);
      else
        time.add(ofBody(inner), trips);
    }
    return time;
  }

  /// Of what stands in a loop beside the loops inside. Executed, an instance
  /// has ends, which are all that comes besides its iterations.
  Time ofOwn(const LoopWork &loop) {
    Time time = ofOperations(loop);
    if (execution && &loop == &work)
      time.cycles = execution->ends;
    return time;
  }

  /// One process's share of the operations, in program order.
  const Time &ofOperations(const LoopWork &loop) {
    auto [it, isNew] = ofBodies.try_emplace(&loop);
    Time &time = it->second;
    if (!isNew)
      return time;
    time.bytes = double(loop.loadedBytes + loop.storedBytes);
    time.lines = linesOf(loop);
    schedule::Problem own = shareOf(loop);
    if (own.operations.empty())
      return time;
    time.cycles = double(schedule::inProgramOrder(own, {"", 4, 0}).ii);
    for (const schedule::Operation &op : loop.problem.operations)
      time.issue += double(op.issue);
    return time;
  }

  /// Operations of the first of the processes that compute.
  schedule::Problem shareOf(const LoopWork &loop) const {
    schedule::Problem own = loop.problem;
    own.operations.clear();
    own.dependences.clear();
    own.transfers.clear();
    int64_t subTiles = std::max<int64_t>(1, loop.problem.subTiles);
    int64_t share = result.processes ? subTiles / result.processes : subTiles;
    std::vector<int> index(loop.problem.operations.size(), -1);
    for (size_t op = 0; op < index.size(); ++op)
      if (loop.problem.operations[op].sub < std::max<int64_t>(share, 1) &&
          !loop.isAhead[op]) {
        index[op] = int(own.operations.size());
        own.operations.push_back(loop.problem.operations[op]);
      }
    for (schedule::Dependence edge : loop.problem.dependences) {
      if (index[edge.from] < 0 || index[edge.to] < 0)
        continue;
      edge.from = index[edge.from];
      edge.to = index[edge.to];
      own.dependences.push_back(edge);
    }
    return own;
  }

  Time ofPipeline(const LoopWork &loop, double trips) {
    const PlannedLoop *plan = find(loop);
    double interval = double(intervals.lookup(&loop));
    Time time;
    if (trips <= 0)
      return time;
    auto [length, isNew] = lengths.try_emplace(&loop);
    if (isNew)
      length->second = execution ? interval : lengthOf(loop, plan);
    time.steady = trips * interval;
    time.busy = trips * double(busiest(loop.problem));
    time.cycles = time.steady + std::max(0.0, length->second - interval);
    time.bytes = trips * double(loop.loadedBytes + loop.storedBytes);
    time.lines = trips * linesOf(loop);
    for (const schedule::Operation &op : loop.problem.operations)
      time.issue += trips * double(op.issue);
    return time;
  }

  /// Until the result is there, or as long as the schedule waits for it.
  static int64_t endOf(const PlannedLoop &plan, int op) {
    return staysInFlight(plan, op)
               ? plan.solution.executionOf(op) +
                     plan.problem.operations[op].latency
               : plan.solution.start[op] +
                     plan.solution.latencyOf(plan.problem, op);
  }

  /// From the first operation of an iteration that is no load to its last end.
  double lengthOf(const LoopWork &loop, const PlannedLoop *plan) const {
    if (plan) {
      int64_t begin = INT64_MAX, end = 0;
      for (size_t op = 0; op < plan->problem.operations.size(); ++op) {
        const schedule::Operation &operation = plan->problem.operations[op];
        if (operation.variableLatency)
          continue;
        begin = std::min(begin, plan->solution.start[op]);
        end = std::max(end, endOf(*plan, int(op)));
      }
      return double(end - std::min(begin, end));
    }
    schedule::Problem own = shareOf(loop);
    for (schedule::Operation &op : own.operations)
      if (op.variableLatency)
        op.latency = op.issue = 0;
    return double(schedule::inProgramOrder(own, {"", 4, 0}).ii);
  }

  tile::KernelOp kernel;
  const LoopWork &work;
  const std::vector<PlannedLoop> &planned;
  const std::optional<Execution> &execution;
  const machine::Costs &costs;
  machine::Times times;
  machine::Costs fitted = costs.asFitted();
  const Extents &extents;
  bool isOpen;
  IndexEvaluator indices;
  std::optional<InstanceExpr> instance; ///< at which a launch looks
  llvm::DenseMap<const LoopWork *, Time> ofBodies;
  llvm::DenseMap<const LoopWork *, double> lengths;
  llvm::DenseMap<const LoopWork *, int64_t> intervals;
  Estimate result;
};

} // namespace

/// Do bounds of `loop` or of loops inside depend on `number`?
static bool dependsOnNumber(const LoopWork &loop, Value number) {
  if (auto counted = dyn_cast<scf::ForOp>(loop.loop))
    for (Value bound : {counted.getLowerBound(), counted.getUpperBound()})
      if (dependsOn(bound, number))
        return true;
  return llvm::any_of(loop.inner, [&](const LoopWork &inner) {
    return dependsOnNumber(inner, number);
  });
}

bool heddle::tilechoice::areInstancesAlike(const LoopWork &work) {
  Value number = cast<scf::ForOp>(work.loop).getInductionVar();
  return llvm::none_of(work.inner, [&](const LoopWork &inner) {
    return dependsOnNumber(inner, number);
  });
}

Estimate heddle::tilechoice::estimate(tile::KernelOp kernel,
                                      const LoopWork &work,
                                      const std::vector<PlannedLoop> &planned,
                                      const std::optional<Execution> &execution,
                                      int64_t blocks,
                                      const machine::Costs &costs,
                                      const Extents &extents) {
  return Estimator(kernel, work, planned, execution, costs, extents)
      .run(blocks);
}

std::optional<manifest::Expr> heddle::tilechoice::estimateOfLaunch(
    tile::KernelOp kernel, const LoopWork &work,
    const std::vector<PlannedLoop> &planned,
    const std::optional<Execution> &execution, int64_t blocks,
    const machine::Costs &costs) {
  return Estimator(kernel, work, planned, execution, costs, Extents())
      .expression(blocks);
}
