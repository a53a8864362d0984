//===- UnitTime.cpp - The timed order of processes on units ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each process has a unit of its own, which executes its operations in order:
// one begins when the one before has been issued and its operands are there.
// What an operation takes is on it as text (aref.issue, aref.latency); when a
// load arrives is the caches' answer. A process that cannot go on is looked at
// again when something happens on the ring, or to the loads, that it waits for.
//
//===----------------------------------------------------------------------===//

#include "BesideClock.h"
#include "Caches.h"
#include "Machine.h"

#include "heddle/Dialect/Sched/Sched.h"

#include "llvm/ADT/MapVector.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

namespace {

struct UnitCost {
  int64_t issue = 0, latency = 0;
  bool streamed = false;
};

struct UnitClock {
  int64_t now = 0;
  BesideClock beside;
  bool blocked = false;
  int64_t waitsSince = -1; ///< -1: does not wait
  std::string reason;
};

class UnitPolicy {
public:
  UnitPolicy(Machine &machine, const Timing &timing, TimedRun &run)
      : machine(machine), timing(timing), run(run), caches(*timing.units),
        clocks(machine.getProcesses().size()) {
    for (const auto &process : machine.getProcesses()) {
      run.processes.push_back(process->name().str());
      run.busy.push_back(0);
    }
  }

  LogicalResult runAll() {
    while (true) {
      Process *next = nullptr;
      for (const auto &process : machine.getProcesses())
        if (!process->hasEnded() && !clockOf(*process).blocked &&
            (!next || clockOf(*process).now < clockOf(*next).now))
          next = process.get();
      int64_t lands = landings.empty() ? kNever : landings.begin()->first;
      if (!next && landings.empty())
        return finish();
      if (!next || lands <= clockOf(*next).now) {
        if (failed(land()))
          return failure();
      } else if (failed(step(*next))) {
        return failure();
      }
    }
  }

private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  /// What a picture can show; a run may have millions.
  static constexpr size_t kMostExecutions = 200'000;

  UnitClock &clockOf(const Process &process) { return clocks[process.index]; }

  LogicalResult finish() {
    for (auto &[key, turn] : turns)
      run.turns.push_back(turn);
    for (auto [clock, busy] : llvm::zip_equal(clocks, run.busy)) {
      run.cycles = std::max(run.cycles, clock.beside.last(clock.now));
      busy = clock.beside.busier(busy);
    }
    run.memory = caches.uses();
    return machine.finish();
  }

  template <typename Waits> void wake(int64_t time, Waits waits) {
    for (const auto &process : machine.getProcesses()) {
      UnitClock &clock = clockOf(*process);
      if (!clock.blocked || !waits(process->wait))
        continue;
      clock.blocked = false;
      clock.now = std::max(clock.now, time);
    }
  }

  LogicalResult land() {
    auto [time, task] = *landings.begin();
    landings.erase(landings.begin());
    run.cycles = std::max(run.cycles, time);
    wake(time, [&, task = task](const Wait &wait) {
      return llvm::is_contained(wait.tasks, task);
    });
    return machine.land(task);
  }

  LogicalResult step(Process &process) {
    UnitClock &clock = clockOf(process);
    Operation *op = process.nextOp();
    UnitCost cost = op ? costOf(process, op) : UnitCost();
    // Carrying a value reads nothing.
    if (op && !isa<aref::ArefDialect, scf::SCFDialect>(op->getDialect())) {
      int64_t ready = clock.now;
      for (Value operand : op->getOperands())
        ready = std::max(ready, machine.readyAt(process, operand));
      if (ready > clock.now) {
        clock.now = ready;
        return success();
      }
    }
    clock.beside.look(process, op);
    Progress progress = machine.step(process);
    if (progress == Progress::Failed)
      return failure();
    if (progress == Progress::Waits) {
      clock.blocked = true;
      if (clock.waitsSince < 0)
        clock.waitsSince = clock.now;
      clock.reason = process.wait.ring ? (process.wait.kind == Wait::Empty
                                              ? "a free slot of "
                                              : "a full slot of ") +
                                             process.wait.ring->name().str()
                                       : "a load";
      return success();
    }
    clock.beside.follow(process, op, clock.now, run.busy[process.index]);
    int64_t before = clock.waitsSince >= 0 ? clock.waitsSince : clock.now;
    if (op)
      handOver(op, clock);
    if (clock.now > before)
      run.waits.push_back({process.index, before, clock.now, clock.reason});
    clock.waitsSince = -1;
    clock.reason.clear();
    if (op)
      execute(process, op, cost, clock);
    return success();
  }

  /// The text on the operation, or its process's for those that have none.
  UnitCost costOf(Process &process, Operation *op) {
    auto [it, isNew] = costs.try_emplace(op);
    if (!isNew)
      return it->second;
    auto cyclesOf = [](Operation *of, StringRef name) {
      auto cycles = of->getAttrOfType<IntegerAttr>(name);
      return cycles ? std::optional<int64_t>(cycles.getInt()) : std::nullopt;
    };
    bool usesTiles =
        isa<aref::AcquireOp, aref::PublishOp, aref::GetOp, aref::ReleaseOp>(
            op) ||
        (!isa<aref::ArefDialect, scf::SCFDialect>(op->getDialect()) &&
         (!isMemoryEffectFree(op) ||
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>)));
    auto find = [&](StringRef name) {
      std::optional<int64_t> own = cyclesOf(op, name);
      if (!own && usesTiles)
        own = cyclesOf(process.op, name);
      return own.value_or(0);
    };
    it->second = {find(aref::kIssue), find(aref::kLatency),
                  op->hasAttr(aref::kStream)};
    return it->second;
  }

  TimedRun::Turn &turnOf(Ring &ring, int64_t number) {
    TimedRun::Turn &turn = turns[{ring.op.getOperation(), number}];
    turn.number = number;
    return turn;
  }

  /// Moves the clock to where the process may go on behind a step of a ring,
  /// notes what the step did, and wakes those who wait for it.
  void handOver(Operation *op, UnitClock &clock) {
    if (!isa<aref::AcquireOp, aref::GetOp, aref::PublishOp, aref::ReleaseOp,
             aref::CloseOp>(op))
      return;
    auto [ring, number] = machine.getTouched();
    auto waitUntil = [&](int64_t time, const char *what) {
      if (time <= clock.now)
        return;
      clock.now = time;
      clock.reason = what + ring->name().str();
    };
    if (!isa<aref::AcquireOp, aref::GetOp>(op))
      wake(clock.now,
           [ring = ring](const Wait &wait) { return wait.ring == ring; });
    if (isa<aref::CloseOp>(op))
      return;
    // A process that hands over to itself needs no time for it.
    bool isOwn = llvm::all_of(ring->consumers, [&](Process *consumer) {
      return consumer == ring->producer;
    });
    int64_t handOver = isOwn ? 0 : timing.units->handOver;
    TimedRun::Turn &turn = turnOf(*ring, number);
    turn.ring = ring->name().str();
    if (isa<aref::AcquireOp>(op)) {
      if (number >= ring->depth())
        waitUntil(turnOf(*ring, number - ring->depth()).released + handOver,
                  "a free slot of ");
      turn.acquired = clock.now;
    } else if (isa<aref::GetOp>(op)) {
      waitUntil(turn.full + handOver, "a full slot of ");
      if (turn.read < 0)
        turn.read = clock.now;
    } else if (isa<aref::PublishOp>(op)) {
      turn.full = clock.now;
      for (const Cell &cell : ring->find(number)->payload)
        if (cell.task)
          turn.full = std::max(turn.full, landsAt.lookup(cell.task.get()));
    } else {
      turn.released = std::max(turn.released, clock.now);
    }
  }

  /// The unit's requests for the lines of the last access, one after another.
  /// Returns when the last has left, and when all have come.
  Caches::Answer request(Process &process, int64_t time, bool streamed) {
    Caches::Answer all{time, time};
    std::string unit = process.op.getUnit()->str();
    int64_t line = caches.lineBytes();
    for (const interp::Access &access : machine.getAccesses())
      for (int64_t at = access.address / line * line;
           at < access.address + access.bytes; at += line) {
        Caches::Answer one = caches.ask(unit, at, all.accepted, streamed);
        all.accepted = one.accepted;
        all.arrival = std::max(all.arrival, one.arrival);
      }
    return all;
  }

  void execute(Process &process, Operation *op, const UnitCost &cost,
               UnitClock &clock) {
    std::shared_ptr<Task> begun = machine.takeBegun();
    int64_t start = clock.now, landed = -1;
    clock.now += cost.issue;
    bool isAccess = begun || (isa<tile::TileDialect>(op->getDialect()) &&
                              !isMemoryEffectFree(op));
    if (isAccess) {
      Caches::Answer answer = request(process, start, cost.streamed);
      clock.now = std::max(clock.now, answer.accepted);
      landed = std::max(answer.arrival, clock.now);
    }
    if (begun) {
      landsAt[begun.get()] = landed;
      landings.insert({landed, begun});
    } else if (cost.latency > 0 || cost.issue > 0) {
      for (Value result : op->getResults())
        machine.setReadyAt(process, result,
                           std::max(clock.now, start + cost.latency));
    }
    run.busy[process.index] += cost.issue;
    run.cycles = std::max(run.cycles, clock.now);
    if (cost.issue == 0 || run.executions.size() >= kMostExecutions)
      return;
    TimedRun::Execution execution;
    StringRef name = sched::opName(op);
    execution.op =
        name.empty() ? op->getName().stripDialect().str() : name.str();
    execution.process = process.index;
    execution.issued = start;
    execution.issueEnd = clock.now;
    execution.asynchronous = begun != nullptr;
    execution.taken = start;
    execution.unitEnd = clock.now;
    execution.landed = landed;
    run.executions.push_back(std::move(execution));
  }

  Machine &machine;
  const Timing &timing;
  TimedRun &run;
  Caches caches;
  std::vector<UnitClock> clocks;
  DenseMap<Operation *, UnitCost> costs;
  std::multimap<int64_t, std::shared_ptr<Task>> landings;
  DenseMap<Task *, int64_t> landsAt;
  std::map<std::pair<Operation *, int64_t>, TimedRun::Turn> turns;
};

} // namespace

LogicalResult heddle::simulator::runOnUnits(Machine &machine,
                                            const Timing &timing,
                                            TimedRun &run) {
  return UnitPolicy(machine, timing, run).runAll();
}
