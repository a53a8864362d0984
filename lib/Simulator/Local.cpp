//===- Local.cpp - Clocks of processes on units ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each process has a unit to itself and waits on rings only, no time
// depends on the order in which processes are executed: a step of a ring
// happens at the later of its process's clock and the moment at which the other
// side made it possible. So each process runs until it must wait, and clocks
// differ.
//
//===----------------------------------------------------------------------===//

#include "BesideClock.h"
#include "LocalNotes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

namespace {

/// When the turns of a ring became full and free, the latest `depth` at least.
struct RingTimes {
  std::deque<std::pair<int64_t, int64_t>> turns; ///< full, free
  int64_t first = 0;                             ///< number of turns.front()
  int64_t closed = 0;

  std::pair<int64_t, int64_t> &at(int64_t turn) {
    while (turn - first >= int64_t(turns.size()))
      turns.emplace_back(0, 0);
    return turns[size_t(turn - first)];
  }
};

class LocalPolicy {
public:
  LocalPolicy(Machine &machine, TimedRun &run, bool isNoted)
      : machine(machine), run(run), clocks(machine.getProcesses().size()),
        beside(clocks.size()) {
    run.busy.assign(clocks.size(), 0);
    for (const auto &process : machine.getProcesses())
      run.processes.push_back(process->name().str());
    if (isNoted)
      notes.emplace(machine, run);
  }

  LogicalResult runAll() {
    bool moved = true;
    while (moved) {
      moved = false;
      for (const auto &process : machine.getProcesses()) {
        Progress progress;
        while ((progress = step(*process)) == Progress::Ran)
          moved = true;
        if (progress == Progress::Failed)
          return failure();
      }
    }
    for (size_t index = 0; index < clocks.size(); ++index) {
      run.cycles = std::max(run.cycles, beside[index].last(clocks[index]));
      run.busy[index] = beside[index].busier(run.busy[index]);
    }
    if (notes)
      notes->finish();
    return machine.finish();
  }

private:
  Progress step(Process &process) {
    if (process.hasEnded())
      return Progress::Waits;
    Operation *op = process.nextOp();
    int64_t &clock = clocks[process.index];
    beside[process.index].look(process, op);
    Progress progress = machine.step(process);
    if (progress != Progress::Ran || !op)
      return progress;
    beside[process.index].follow(process, op, clock, run.busy[process.index]);
    // What memory holds is there at once: a copy takes what its `aref.issue`
    // says.
    if (std::shared_ptr<Task> begun = machine.takeBegun())
      if (failed(machine.land(begun)))
        return Progress::Failed;
    int64_t before = clock;
    if (isa<aref::ArefDialect>(op->getDialect()))
      handOver(op, clock);
    if (notes)
      note(process, op, before, clock);
    if (auto issue = op->getAttrOfType<IntegerAttr>(aref::kIssue)) {
      if (notes && issue.getInt())
        notes->worked(process, clock, clock + issue.getInt());
      clock += issue.getInt();
      run.busy[process.index] += issue.getInt();
    }
    return progress;
  }

  /// A step of a ring from one cycle to another.
  void note(const Process &process, Operation *op, int64_t from, int64_t to) {
    if (!isa<aref::AcquireOp, aref::GetOp, aref::MoreOp, aref::ReleaseOp>(op))
      return;
    auto [ring, number] = machine.getTouched();
    notes->waited(process, *ring, isa<aref::AcquireOp>(op), from, to);
    if (isa<aref::AcquireOp>(op))
      notes->acquired(*ring, number, to);
    else if (isa<aref::ReleaseOp>(op))
      notes->released(*ring, number, to);
  }

  void handOver(Operation *op, int64_t &clock) {
    auto [ring, number] = machine.getTouched();
    if (isa<aref::AcquireOp>(op)) {
      RingTimes &times = rings[ring];
      int64_t depth = ring->depth();
      if (number >= depth)
        clock = std::max(clock, times.at(number - depth).second);
      while (times.first + depth < number) {
        times.turns.pop_front();
        ++times.first;
      }
    } else if (isa<aref::PublishOp>(op)) {
      rings[ring].at(number).first = clock;
    } else if (isa<aref::GetOp>(op)) {
      clock = std::max(clock, rings[ring].at(number).first);
    } else if (isa<aref::ReleaseOp>(op)) {
      int64_t &free = rings[ring].at(number).second;
      free = std::max(free, clock);
    } else if (isa<aref::CloseOp>(op)) {
      rings[ring].closed = clock;
    } else if (auto more = dyn_cast<aref::MoreOp>(op)) {
      // To know that nothing comes, too, takes until it is so.
      bool isOver = ring->closed && number >= ring->acquired;
      clock = std::max(clock, isOver ? rings[ring].closed
                                     : rings[ring].at(number).first);
    }
  }

  Machine &machine;
  TimedRun &run;
  std::vector<int64_t> clocks;
  std::vector<BesideClock> beside;
  llvm::DenseMap<Ring *, RingTimes> rings;
  std::optional<LocalNotes> notes;
};

} // namespace

LogicalResult heddle::simulator::runLocal(Machine &machine, TimedRun &run,
                                          bool isNoted) {
  return LocalPolicy(machine, run, isNoted).runAll();
}
