//===- Timed.cpp - The order that the costs give --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events in the order of time: the process with the earliest clock steps, an
// operation of threads ends, or work lands. Whoever cannot step tries again
// after each event, at its time. A step of a ring may be possible before a
// hand-over is over; it is made, which nobody else sees, and the process's
// clock moves on to where it is.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Sharing.h"
#include "Turns.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Support/SplitMix.h"

#include "llvm/ADT/MapVector.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

namespace {

/// The named operation that `op` executes: itself, or the one in its region.
Operation *findNamed(Operation *op) {
  if (!op || !isa<aref::StartOp>(op))
    return op && !sched::opName(op).empty() ? op : nullptr;
  Operation *named = nullptr;
  op->walk([&](Operation *inner) {
    if (!named && !sched::opName(inner).empty())
      named = inner;
  });
  return named;
}

struct Clock {
  int64_t now = 0;
  bool blocked = false;
  /// The operation of threads that the process executes, its execution, and
  /// how much later its result may be read.
  Operation *executes = nullptr;
  size_t execution = 0;
  int64_t behindIssue = 0;
  /// The process stands at a product until the unit's queue has taken it.
  bool issues = false;
  int64_t waitsSince = -1; ///< -1: does not wait
  std::string reason;
  /// When results of the process's own operations may be read.
  llvm::DenseMap<Operation *, int64_t> readyAt;
};

class TimedPolicy {
public:
  TimedPolicy(Machine &machine, const Timing &timing, uint64_t seed,
              TimedRun &run)
      : machine(machine), timing(timing), random(seed), run(run),
        clocks(machine.getProcesses().size()),
        products(timing.queue, timing.apart) {
    for (const auto &process : machine.getProcesses())
      run.processes.push_back(process->name().str());
  }

  LogicalResult runAll() {
    while (true) {
      Process *next = nullptr;
      for (const auto &process : machine.getProcesses())
        if (!process->hasEnded() && !clockOf(*process).blocked &&
            !clockOf(*process).executes && !clockOf(*process).issues &&
            (!next || clockOf(*process).now < clockOf(*next).now))
          next = process.get();
      std::optional<Sharing::End> end = sharing.nextEnd();
      int64_t steps = next ? clockOf(*next).now : kNever;
      int64_t ends = end ? end->time : kNever;
      int64_t lands = landings.empty() ? kNever : landings.begin()->first;
      std::optional<Turns::End> product = products.nextEnd();
      int64_t produces = product ? product->time : kNever;
      std::optional<Issued> issued = nextIssued();
      int64_t lets = issued ? issued->time : kNever;
      int64_t changes = products.nextChange().value_or(kNever);
      int64_t time = std::min({steps, ends, lands, produces, lets, changes});
      if (time == kNever)
        return finish();
      if (products.isBusy())
        sharing.slowDown(time);
      sharing.advance(time);
      products.advance(time);
      if (produces == time)
        endProduct(*product);
      else if (lets == time)
        letGo(*issued->clock, time);
      else if (ends == time)
        endExecution(*end);
      else if (lands == time || steps == time)
        if (failed(lands == time ? land() : step(*next)))
          return failure();
    }
  }

private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// From 0 to `most`. No two runs of a chip are the same to the cycle, so no
  /// rhythm holds that needs them to be.
  int64_t jitter(int64_t most) {
    return most > 0 ? int64_t(random.next() % uint64_t(most + 1)) : 0;
  }

  Clock &clockOf(const Process &process) { return clocks[process.index]; }

  LogicalResult finish() {
    for (auto &[key, turn] : turns) {
      releaseOf(turn);
      run.turns.push_back(turn);
    }
    for (const Clock &clock : clocks)
      run.cycles = std::max(run.cycles, clock.now);
    return machine.finish();
  }

  struct Issued {
    int64_t time;
    Clock *clock;
  };
  /// The process that has issued its product first and goes on.
  std::optional<Issued> nextIssued() {
    std::optional<Issued> first;
    for (auto [index, clock] : llvm::enumerate(clocks))
      if (clock.issues)
        if (auto time = products.whenIssued(index);
            time && (!first || *time < first->time))
          first = Issued{*time, &clock};
    return first;
  }

  void letGo(Clock &clock, int64_t time) {
    clock.issues = false;
    clock.now = time;
    run.executions[clock.execution].issueEnd = time;
  }

  void endProduct(Turns::End end) {
    products.finish(end.process);
    TimedRun::Execution &execution = run.executions[end.number];
    execution.taken = end.begin;
    execution.unitEnd = end.time;
    auto [task, behind] = underWay[end.number];
    underWay.erase(end.number);
    execution.landed = end.time + behind;
    schedule(task, execution.landed);
  }

  /// Something happened at `time` that somebody may have waited for.
  void wakeAll(int64_t time) {
    for (Clock &clock : clocks)
      if (clock.blocked) {
        clock.blocked = false;
        clock.now = std::max(clock.now, time);
      }
  }

  LogicalResult land() {
    auto [time, task] = *landings.begin();
    landings.erase(landings.begin());
    run.cycles = std::max(run.cycles, time);
    wakeAll(time);
    return machine.land(task);
  }

  LogicalResult step(Process &process) {
    Clock &clock = clockOf(process);
    Operation *op = process.nextOp();
    int64_t time = clock.now;
    if (int64_t ready = operandsReady(op, clock); ready > time) {
      clock.now = ready;
      return success();
    }
    Progress progress = machine.step(process);
    if (progress == Progress::Failed)
      return failure();
    if (progress == Progress::Waits) {
      clock.blocked = true;
      if (clock.waitsSince < 0)
        clock.waitsSince = clock.now;
      clock.reason = reasonOf(process);
      return success();
    }
    int64_t before = clock.waitsSince >= 0 ? clock.waitsSince : clock.now;
    if (op)
      handOver(process, op, clock);
    if (clock.waitsSince >= 0)
      clock.now += jitter(timing.apart);
    if (clock.now > before)
      run.waits.push_back({process.index, before, clock.now, clock.reason});
    clock.waitsSince = -1;
    clock.reason.clear();
    if (isa_and_nonnull<aref::AcquireOp, aref::GetOp>(op))
      clock.now += timing.ringStep; // is no wait
    if (op)
      execute(process, op, clock);
    wakeAll(time);
    return success();
  }

  /// When the results of the process's own operations that `op` reads are
  /// there, if it takes time.
  int64_t operandsReady(Operation *op, const Clock &clock) const {
    Operation *named = findNamed(op);
    if (!named || !timing.costs.contains(sched::opName(named)))
      return 0;
    int64_t ready = 0;
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        ready = std::max(ready, clock.readyAt.lookup(maker));
    return ready;
  }

  std::string reasonOf(const Process &process) const {
    const Wait &wait = process.wait;
    if (wait.kind == Wait::Empty)
      return "a free slot of " + wait.ring->name().str();
    if (wait.ring)
      return "a full slot of " + wait.ring->name().str();
    for (const auto &task : wait.tasks)
      if (Operation *named = findNamed(task->op))
        return sched::opName(named).str();
    return "work in flight";
  }

  TimedRun::Turn &turnOf(Ring &ring, int64_t number) {
    TimedRun::Turn &turn = turns[{ring.op.getOperation(), number}];
    turn.number = number;
    return turn;
  }

  /// Moves the clock to where the process may go on behind a step of a ring,
  /// and notes what the step did.
  void handOver(Process &process, Operation *op, Clock &clock) {
    if (!isa<aref::AcquireOp, aref::GetOp, aref::PublishOp, aref::ReleaseOp>(
            op))
      return;
    auto [ring, number] = machine.getTouched();
    auto waitUntil = [&](int64_t time, const char *what) {
      if (time <= clock.now)
        return;
      clock.now = time;
      clock.reason = what + ring->name().str();
    };
    TimedRun::Turn &turn = turnOf(*ring, number);
    turn.ring = ring->name().str();
    if (isa<aref::AcquireOp>(op)) {
      if (number >= ring->depth())
        waitUntil(releaseOf(turnOf(*ring, number - ring->depth())) +
                      timing.handOver,
                  "a free slot of ");
      turn.acquired = clock.now;
    } else if (isa<aref::GetOp>(op)) {
      waitUntil(turn.full + timing.handOver, "a full slot of ");
      if (turn.read < 0)
        turn.read = clock.now;
    } else if (isa<aref::PublishOp>(op)) {
      turn.full = clock.now;
      for (const Cell &cell : ring->find(number)->payload)
        if (cell.task)
          turn.full = std::max(turn.full, landingOf(cell.task));
    } else {
      turn.released = std::max(turn.released, clock.now);
      for (const auto &task :
           ring->find(number)->shares[ring->indexOf(process)].releasedAfter)
        releasedAfter[&turn].push_back(task);
    }
  }

  /// The slot is free, so what its release waits for has landed.
  int64_t releaseOf(TimedRun::Turn &turn) {
    for (const auto &task : releasedAfter[&turn])
      turn.released = std::max(turn.released, landingOf(task));
    releasedAfter.erase(&turn);
    return turn.released;
  }

  int64_t landingOf(const std::shared_ptr<Task> &task) const {
    auto it = landsAt.find(task.get());
    return it == landsAt.end() ? 0 : it->second;
  }

  /// A conditional that has nothing to do takes no time.
  static bool skips(const Process &process, Operation *op) {
    return isa<scf::IfOp>(op) &&
           (process.frames.back().owner != op ||
            llvm::hasSingleElement(*process.frames.back().block));
  }

  void execute(Process &process, Operation *op, Clock &clock) {
    std::shared_ptr<Task> begun = machine.takeBegun();
    Operation *named = findNamed(op);
    auto cost =
        named ? timing.costs.find(sched::opName(named)) : timing.costs.end();
    if (cost != timing.costs.end() && isa<scf::IfOp>(op))
      clock.now += timing.branch;
    if (cost == timing.costs.end() || skips(process, op)) {
      if (begun)
        schedule(begun, clock.now);
      return;
    }
    const Cost &what = cost->second;
    TimedRun::Execution execution;
    execution.op = cost->first().str();
    execution.process = process.index;
    execution.number = counts[cost->first()]++;
    execution.issued = clock.now;
    execution.issueEnd = clock.now + what.issue;
    execution.asynchronous = begun != nullptr;
    if (begun && what.unit == timing.slowing) {
      clock.execution = run.executions.size();
      clock.issues = true;
      products.begin(process.index, what.reservation, what.instructions,
                     what.issue, run.executions.size());
      underWay[run.executions.size()] = {begun,
                                         what.latency - what.reservation};
      execution.isFlight = isa<aref::StartOp>(op);
    } else if (begun) {
      int64_t &idle = idleFrom[what.unit];
      execution.taken = std::max(clock.now, idle);
      // Not before its last instruction is issued.
      execution.unitEnd = idle =
          std::max(execution.taken + what.reservation, execution.issueEnd);
      execution.landed = execution.unitEnd + (what.latency - what.reservation);
      execution.landed += jitter(what.spread);
      execution.isFlight = isa<aref::StartOp>(op);
      schedule(begun, execution.landed);
      clock.now = execution.issueEnd;
    } else if (what.issue > 0) {
      sharing.begin(process.index, what.unit, what.issue, what.reservation,
                    what.issueBeside);
      clock.executes = op;
      clock.execution = run.executions.size();
      clock.behindIssue = std::max<int64_t>(0, what.latency - what.issue);
    } else {
      clock.readyAt[op] = clock.now + what.latency;
    }
    run.executions.push_back(std::move(execution));
  }

  void endExecution(Sharing::End end) {
    sharing.finish(end.process);
    Clock &clock = clocks[end.process];
    clock.now = end.time;
    clock.readyAt[clock.executes] = end.time + clock.behindIssue;
    clock.executes = nullptr;
    run.executions[clock.execution].issueEnd = end.time;
    run.cycles = std::max(run.cycles, end.time);
  }

  void schedule(const std::shared_ptr<Task> &task, int64_t time) {
    landsAt[task.get()] = time;
    landings.insert({time, task});
  }

  Machine &machine;
  const Timing &timing;
  SplitMix random;
  TimedRun &run;
  std::vector<Clock> clocks;
  Sharing sharing;
  Turns products;
  /// By execution: the work, and its cycles behind the unit's.
  llvm::DenseMap<size_t, std::pair<std::shared_ptr<Task>, int64_t>> underWay;
  llvm::StringMap<int64_t> idleFrom; ///< when a unit has done all it was given
  llvm::StringMap<int64_t> counts;
  std::multimap<int64_t, std::shared_ptr<Task>> landings;
  llvm::DenseMap<Task *, int64_t> landsAt;
  std::map<std::pair<Operation *, int64_t>, TimedRun::Turn> turns;
  llvm::DenseMap<TimedRun::Turn *, llvm::SmallVector<std::shared_ptr<Task>, 2>>
      releasedAfter;
};

} // namespace

LogicalResult heddle::simulator::runTimed(Machine &machine,
                                          const Timing &timing, uint64_t seed,
                                          TimedRun &run) {
  return TimedPolicy(machine, timing, seed, run).runAll();
}
