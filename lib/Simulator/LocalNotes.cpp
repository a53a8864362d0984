//===- LocalNotes.cpp - What processes on units did when ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalNotes.h"

#include "llvm/ADT/STLExtras.h"

using namespace heddle;
using namespace heddle::simulator;

static constexpr size_t kNone = std::numeric_limits<size_t>::max();

LocalNotes::LocalNotes(Machine &machine, TimedRun &run)
    : machine(machine), run(run), latest(machine.getProcesses().size(), kNone) {
  run.starved.assign(latest.size(), 0);
  run.blocked.assign(latest.size(), 0);
}

void LocalNotes::waited(const Process &process, Ring &ring, bool forRoom,
                        int64_t from, int64_t to) {
  if (to <= from)
    return;
  (forRoom ? run.blocked : run.starved)[process.index] += to - from;
  run.waits.push_back({process.index, from, to,
                       (forRoom ? "room in " : "") + ring.name().str()});
}

void LocalNotes::worked(const Process &process, int64_t from, int64_t to) {
  size_t &last = latest[process.index];
  // What follows without a gap is one stretch of work.
  if (last != kNone && run.executions[last].issueEnd == from) {
    run.executions[last].issueEnd = to;
    return;
  }
  TimedRun::Execution execution;
  execution.op = "busy";
  execution.process = process.index;
  execution.number = last == kNone ? 0 : run.executions[last].number + 1;
  execution.issued = from;
  execution.issueEnd = to;
  last = run.executions.size();
  run.executions.push_back(std::move(execution));
}

static int64_t &at(std::vector<int64_t> &cycles, int64_t turn) {
  if (int64_t(cycles.size()) <= turn)
    cycles.resize(size_t(turn) + 1);
  return cycles[size_t(turn)];
}

void LocalNotes::acquired(Ring &ring, int64_t turn, int64_t cycle) {
  at(slots[&ring].taken, turn) = cycle;
}

void LocalNotes::released(Ring &ring, int64_t turn, int64_t cycle) {
  int64_t &given = at(slots[&ring].given, turn);
  given = std::max(given, cycle);
}

void LocalNotes::finish() {
  for (auto &[value, ring] : machine.getRings()) {
    TimedRun::RingUse use;
    use.ring = ring->name().str();
    if (ring->producer)
      use.producer = ring->producer->index;
    for (const Process *consumer : ring->consumers)
      use.consumers.push_back(consumer->index);
    use.slots = ring->depth();
    Slots &noted = slots[ring.get()];
    use.turns = int64_t(noted.taken.size());
    llvm::sort(noted.taken);
    llvm::sort(noted.given);
    size_t given = 0;
    for (size_t taken = 0; taken < noted.taken.size(); ++taken) {
      while (given < noted.given.size() &&
             noted.given[given] <= noted.taken[taken])
        ++given;
      use.most = std::max(use.most, int64_t(taken + 1) - int64_t(given));
    }
    run.rings.push_back(std::move(use));
  }
}
