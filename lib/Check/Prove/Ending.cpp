//===- Ending.cpp - Deadlocks, and what must be so in the end ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two moments without a next event: no process can go on, or all have ended.
// The first gives a deadlock, with the reason of each blocked process. The
// second checks that no access is in flight, that no phase is part full, and
// that both sides of each ring took equally many turns.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>

namespace heddle::check {

/// Why a process is blocked, and what that says about the protocol.
Property Machine::describeBlock(int process, std::string &what, int &ring) {
  const Event &event = *at(process).event;
  if (event.kind == Event::Sync) {
    const Meeting &meeting = state.meetings[event.id];
    what = "waits at named barrier " + std::to_string(event.id) + ", where " +
           std::to_string(meeting.arrived) + " of " +
           std::to_string(meeting.threads) + " threads come";
    return Property::Barriers;
  }
  Step ignored = Step::Ran;
  int index = barrierOf(process, event.ring, event.side, event.slot, ignored)
                  .value_or(0);
  const Barrier &barrier = state.barriers[index];
  const Ring &declared = program.protocol.rings[event.ring];
  int64_t counted =
      event.side == Side::Full ? declared.fullArrivals : declared.emptyArrivals;
  ring = event.ring;
  what = "waits for ever for " + describeBarrier(index);
  if (barrier.pending == 0) {
    what += ", which expects " + std::to_string(barrier.bytes) +
            " B more than its copies deliver";
    return Property::Bytes;
  }
  if (barrier.pending < counted) {
    what += ", which " + std::to_string(counted - barrier.pending) + " of " +
            std::to_string(counted) + " arrivals reached";
    return Property::Arrivals;
  }
  what += ", which nobody will arrive at";
  return Property::Deadlock;
}

/// Everybody who has not ended is blocked. The message begins with one who
/// waits for something that was begun, if there is one.
Step Machine::failDeadlocked() {
  struct Blocked {
    int process, ring = -1;
    Property property;
    std::string what;
  };
  std::vector<Blocked> blocked;
  for (int p = 0; p < bits.processes; ++p)
    if (!hasEnded(p)) {
      Blocked &entry = blocked.emplace_back();
      entry.process = p;
      entry.property = describeBlock(p, entry.what, entry.ring);
    }
  std::stable_partition(blocked.begin(), blocked.end(), [](const Blocked &one) {
    return one.property != Property::Deadlock;
  });
  const Blocked &first = blocked.front();
  Step result = fail(first.property, first.process, first.what, first.ring);
  for (const Blocked &other : blocked)
    if (&other != &first)
      found.message +=
          "; '" + processAt(other.process).name + "' " + other.what;
  return result;
}

Step Machine::checkEnd() {
  found.isInTheEnd = true;
  for (const Record &record : state.records)
    if (record.isAccess() && !record.isDone)
      return fail(Property::Order, record.owner,
                  "ends while its " +
                      (record.event ? record.event->text : "access") +
                      (record.place ? " at " + *record.place : std::string()) +
                      " may still use shared memory",
                  record.ring);
  for (size_t r = 0; r < program.protocol.rings.size(); ++r) {
    const Ring &ring = program.protocol.rings[r];
    auto failAt = [&](int barrier, Property property, std::string what) {
      fail(property, 0, "", int(r));
      found.process.clear();
      found.message = "in the end " + describeBarrier(barrier) + " " + what;
      found.place = ring.place;
      return Step::Failed;
    };
    for (int64_t slot = 0; slot < ring.depth; ++slot) {
      int full = barrierIndex(program.protocol, int(r), Side::Full, slot);
      int empty = barrierIndex(program.protocol, int(r), Side::Empty, slot);
      for (int index : {full, empty}) {
        const Barrier &barrier = state.barriers[index];
        int64_t counted =
            index == full ? ring.fullArrivals : ring.emptyArrivals;
        if (barrier.bytes != 0)
          return failAt(index, Property::Bytes,
                        "still expects " + std::to_string(barrier.bytes) +
                            " B");
        if (barrier.pending != counted)
          return failAt(index, Property::Arrivals,
                        "has " + std::to_string(counted - barrier.pending) +
                            " of " + std::to_string(counted) +
                            " arrivals of a phase");
      }
      const Barrier &produced = state.barriers[full];
      if (produced.parity != state.barriers[empty].parity)
        return failAt(empty, Property::Turns,
                      "does not have a release for each turn");
      for (int p = 0; p < bits.processes; ++p)
        if (program.processes[p].waits[0][r] && produced.completions > 0 &&
            produced.behind[p] != 0)
          return failAt(full, Property::Turns,
                        "has a turn that process '" + processAt(p).name +
                            "' did not wait for");
    }
  }
  return Step::Ran;
}

} // namespace heddle::check
