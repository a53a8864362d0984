//===- PendingCounts.cpp - How many later flights a wait may leave out -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingCounts.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

/// What was started, in order, as (op, iteration).
struct PendingCounts::Log {
  std::vector<std::pair<Operation *, int64_t>> started;

  int64_t startedAfter(const Facts &facts, Operation *op,
                       int64_t iteration) const {
    StringRef unit = sched::EntryOp(facts.entry(op)).getUnit();
    int64_t later = 0;
    for (auto &[other, when] : llvm::reverse(started)) {
      if (other == op && when == iteration)
        return later;
      later += sched::EntryOp(facts.entry(other)).getUnit() == unit;
    }
    return 0;
  }
};

PendingCounts::PendingCounts(const Facts &facts, const Timetable &table)
    : facts(facts), table(table) {
  for (int64_t trips = table.stages - 1; trips <= 3 * table.stages + 1; ++trips)
    runPipelined(trips);
  for (int64_t trips = 1; trips < table.stages - 1; ++trips)
    runShort(trips);
}

int64_t PendingCounts::at(Place place) const {
  auto it = counts.find(place);
  return it == counts.end() ? 0 : it->second;
}

void PendingCounts::runItem(Log &log, Place place, int64_t iteration) {
  const Item &item = table.items[place.item];
  if (item.kind == Item::Run && facts.isAsynchronous(item.op))
    log.started.push_back({item.op, iteration});
  if (item.kind != Item::Await)
    return;
  int64_t pending = log.startedAfter(facts, item.op, iteration);
  auto [it, isNew] = counts.try_emplace(place, pending);
  if (!isNew)
    it->second = std::min(it->second, pending);
}

void PendingCounts::runPipelined(int64_t trips) {
  Log log;
  int64_t last = table.stages - 1;
  for (int64_t step = 0; step < trips + last; ++step) {
    Place place{Place::Steady, 0, 0};
    if (step < last)
      place = {Place::Prologue, step, 0};
    else if (step >= trips)
      place = {Place::Epilogue, step - trips + 1, 0};
    for (unsigned i = 0; i < table.items.size(); ++i) {
      int64_t iteration = step - table.items[i].stage;
      if (iteration < 0 || iteration >= trips)
        continue;
      place.item = i;
      runItem(log, place, iteration);
    }
  }
  finish(log, trips);
}

void PendingCounts::runShort(int64_t trips) {
  Log log;
  for (int64_t step = 0; step < trips + table.stages - 1; ++step)
    for (unsigned i = 0; i < table.items.size(); ++i)
      if (int64_t iteration = step - table.items[i].stage;
          iteration >= 0 && iteration < trips)
        runItem(log, {Place::Short, step, i, trips}, iteration);
  finish(log, trips);
}

void PendingCounts::finish(Log &log, int64_t trips) {
  for (auto [i, item] : llvm::enumerate(table.items)) {
    if (trips == 0 || item.kind != Item::Run || !facts.isAsynchronous(item.op))
      continue;
    Place place{Place::After, 0, static_cast<unsigned>(i)};
    int64_t pending = log.startedAfter(facts, item.op, trips - 1);
    auto [it, isNew] = counts.try_emplace(place, pending);
    if (!isNew)
      it->second = std::min(it->second, pending);
  }
}
