//===- Timed.cpp - The order that the costs give --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events in the order of time: the process with the earliest clock steps, or
// work lands. Whoever cannot step tries again after each event, at its time. A
// step of a ring may be possible before a hand-over is over; it is made, which
// nobody else sees, and the process's clock moves on to where it is.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Dialect/Sched/Sched.h"

#include "llvm/ADT/MapVector.h"

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
  int64_t waitsSince = -1; ///< -1: does not wait
  std::string reason;
  /// When results of the process's own operations may be read.
  llvm::DenseMap<Operation *, int64_t> readyAt;
};

class TimedPolicy {
public:
  TimedPolicy(Machine &machine, const Timing &timing, TimedRun &run)
      : machine(machine), timing(timing), run(run),
        clocks(machine.getProcesses().size()) {
    for (const auto &process : machine.getProcesses())
      run.processes.push_back(process->name().str());
  }

  LogicalResult runAll() {
    while (true) {
      Process *next = nullptr;
      for (const auto &process : machine.getProcesses())
        if (!process->hasEnded() && !clockOf(*process).blocked &&
            (!next || clockOf(*process).now < clockOf(*next).now))
          next = process.get();
      bool lands = !landings.empty() &&
                   (!next || landings.begin()->first <= clockOf(*next).now);
      if (!next && !lands)
        return finish();
      if (failed(lands ? land() : step(*next)))
        return failure();
    }
  }

private:
  Clock &clockOf(const Process &process) { return clocks[process.index]; }

  LogicalResult finish() {
    for (const auto &[key, turn] : turns)
      run.turns.push_back(turn);
    for (const Clock &clock : clocks)
      run.cycles = std::max(run.cycles, clock.now);
    bool haveEnded = llvm::all_of(machine.getProcesses(), [](auto &process) {
      return process->hasEnded();
    });
    return haveEnded ? machine.checkEnd() : machine.reportDeadlock();
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

  static Operation *nextOp(Process &process) {
    Frame &frame = process.frames.back();
    return frame.next == frame.block->end() ? nullptr : &*frame.next;
  }

  LogicalResult step(Process &process) {
    Clock &clock = clockOf(process);
    Operation *op = nextOp(process);
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
    if (clock.now > before)
      run.waits.push_back({process.index, before, clock.now, clock.reason});
    clock.waitsSince = -1;
    clock.reason.clear();
    if (op)
      execute(process, op, clock);
    wakeAll(clock.now);
    return success();
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
        waitUntil(turnOf(*ring, number - ring->depth()).released +
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
        turn.released = std::max(turn.released, landingOf(task));
    }
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
    if (cost == timing.costs.end() || skips(process, op)) {
      if (begun)
        schedule(begun, clock.now);
      return;
    }
    const Cost &what = cost->second;
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        clock.now = std::max(clock.now, clock.readyAt.lookup(maker));
    TimedRun::Execution execution;
    execution.op = cost->first().str();
    execution.process = process.index;
    execution.number = counts[cost->first()]++;
    execution.issued = clock.now;
    execution.issueEnd = clock.now + what.issue;
    execution.asynchronous = begun != nullptr;
    if (begun) {
      int64_t &idle = idleFrom[what.unit];
      execution.taken = std::max(clock.now, idle);
      execution.unitEnd = idle = execution.taken + what.reservation;
      execution.landed = execution.taken + what.latency;
      execution.isFlight = isa<aref::StartOp>(op);
      schedule(begun, execution.landed);
    } else {
      clock.readyAt[op] = clock.now + what.latency;
    }
    clock.now = execution.issueEnd;
    run.executions.push_back(std::move(execution));
  }

  void schedule(const std::shared_ptr<Task> &task, int64_t time) {
    landsAt[task.get()] = time;
    landings.insert({time, task});
  }

  Machine &machine;
  const Timing &timing;
  TimedRun &run;
  std::vector<Clock> clocks;
  llvm::StringMap<int64_t> idleFrom; ///< when a unit has done all it was given
  llvm::StringMap<int64_t> counts;
  std::multimap<int64_t, std::shared_ptr<Task>> landings;
  llvm::DenseMap<Task *, int64_t> landsAt;
  llvm::MapVector<std::pair<Operation *, int64_t>, TimedRun::Turn> turns;
};

} // namespace

LogicalResult heddle::simulator::runTimed(Machine &machine,
                                          const Timing &timing, TimedRun &run) {
  return TimedPolicy(machine, timing, run).runAll();
}
