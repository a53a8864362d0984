//===- Barriers.cpp - mbarriers and named barriers --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait names only a parity. That it means the same phase in every order of
// steps follows from three conditions, checked where they arise: who waits for
// phase k knows that k - 1 completed; k + 1 completes only behind that wait;
// who arrives for a phase knows that the one before completed.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>

namespace heddle::check {

int barrierCount(const Protocol &protocol) {
  int count = 0;
  for (const Ring &ring : protocol.rings)
    count += 2 * int(ring.depth);
  return count;
}

int barrierIndex(const Protocol &protocol, int ring, Side side, int64_t slot) {
  int index = 0;
  for (int i = 0; i < ring; ++i)
    index += 2 * int(protocol.rings[i].depth);
  return index + (side == Side::Empty ? int(protocol.rings[ring].depth) : 0) +
         int(slot);
}

const Ring &Machine::ringOf(int barrier) const {
  size_t ring = 0;
  while (barrier >= 2 * program.protocol.rings[ring].depth)
    barrier -= 2 * int(program.protocol.rings[ring++].depth);
  return program.protocol.rings[ring];
}

static std::string describe(const Ring &ring, Side side, int64_t slot) {
  return std::string(side == Side::Full ? "full" : "empty") + " of slot " +
         std::to_string(slot) + " of ring '" + ring.name + "'";
}

std::string Machine::describeBarrier(int barrier) const {
  const Ring &ring = ringOf(barrier);
  int ringIndex = int(&ring - program.protocol.rings.data());
  int local =
      barrier - barrierIndex(program.protocol, ringIndex, Side::Full, 0);
  bool isEmpty = local >= ring.depth;
  return describe(ring, isEmpty ? Side::Empty : Side::Full,
                  isEmpty ? local - ring.depth : local);
}

static std::string countOf(int64_t number, const std::string &noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::optional<int> Machine::barrierOf(int process, int ring, Side side,
                                      Value slot, Step &failure) {
  Datum index = evaluate(process, slot);
  const Ring &declared = program.protocol.rings[ring];
  if (index.kind != Datum::Number) {
    failure = giveUp(process, "uses a slot of ring '" + declared.name +
                                  "' whose index is no counter that starts "
                                  "from a constant");
    return std::nullopt;
  }
  if (index.number < 0 || index.number >= declared.depth) {
    failure = fail(Property::Turns, process,
                   "uses slot " + std::to_string(index.number) + " of ring '" +
                       declared.name + "', which has " +
                       countOf(declared.depth, "slot"),
                   ring);
    return std::nullopt;
  }
  return barrierIndex(program.protocol, ring, side, index.number);
}

//===----------------------------------------------------------------------===//
// Who knows what
//===----------------------------------------------------------------------===//

/// Did each thread of the owner do its part when it comes past here?
static bool isOwn(const Record &record, int process) {
  return record.owner == process && record.isDone &&
         (record.kind == Record::Read || record.kind == Record::Write ||
          record.kind == Record::Multiply || record.kind == Record::Waited);
}

/// What the threads that arrive are ordered behind: all threads, each of which
/// did its part of what the process did, or the first alone.
void Machine::publish(int process, int bit, bool byFirst) {
  int first = bits.first(process);
  for (Record &record : state.records) {
    bool isMine = !byFirst && record.owner == process;
    if (record.known[first] || (isMine && isOwn(record, process)))
      record.known.set(bit);
    if (record.fenced[first] || (isMine && record.isFenced))
      record.fenced.set(bit);
  }
}

/// What an arrival that the memory system makes is behind: the process's own
/// copies so far, and that phases completed or were waited for, since it came
/// to issue those copies. That its threads' reads have ended, or what they
/// wrote or know of others' writes, is handed on by arrivals of threads alone.
void Machine::publishCopies(int process, int barrier) {
  for (Record &record : state.records) {
    if (record.kind == Record::CopyWrite && record.owner == process &&
        !record.isDone && record.barrier < 0)
      record.barrier = barrier;
    bool isMoment =
        record.kind == Record::Completed || record.kind == Record::Waited;
    if (isMoment && (record.known[bits.all(process)] || isOwn(record, process)))
      record.known.set(bits.arriving(barrier));
  }
}

void Machine::learn(int process, int bit) {
  for (Record &record : state.records)
    for (int mine : {bits.all(process), bits.first(process)}) {
      if (record.known[bit])
        record.known.set(mine);
      if (record.fenced[bit])
        record.fenced.set(mine);
    }
}

/// Does it know that the phase completed? Age 0 is the last.
bool Machine::hasSeenPhase(int process, int barrier, int age) const {
  for (const Record &record : state.records)
    if (record.kind == Record::Completed && record.barrier == barrier &&
        record.age == age)
      return record.known[bits.all(process)];
  return true; // there was none
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

Step Machine::wait(int process, const Event &event) {
  Step failure = Step::Failed;
  auto index = barrierOf(process, event.ring, event.side, event.slot, failure);
  if (!index)
    return failure;
  const Ring &ring = program.protocol.rings[event.ring];
  Datum phase = evaluate(process, event.phase);
  if (phase.kind != Datum::Number)
    return giveUp(process, "waits for a phase of ring '" + ring.name +
                               "' that is no counter from a constant");
  if (phase.number != 0 && phase.number != 1)
    return fail(Property::Phases, process,
                "waits for phase " + std::to_string(phase.number) +
                    "; a parity is 0 or 1",
                event.ring);
  Running &running = state.processes[process];
  if (event.side == Side::Full &&
      program.processes[process].releases[event.ring] &&
      running.held[event.ring] >= ring.depth)
    return fail(Property::Held, process,
                "waits for a slot of ring '" + ring.name + "' while it holds " +
                    countOf(running.held[event.ring], "slot") + " of " +
                    std::to_string(ring.depth),
                event.ring);
  const Barrier &barrier = state.barriers[*index];
  int completions = barrier.completions, behind = barrier.behind[process];
  bool isNew = behind == Barrier::kNever;
  if (phase.number != barrier.parity)
    return passWait(process, *index, event, isNew);
  if (isNew ? completions >= 1 : behind >= 1)
    return fail(Property::Turns, process,
                "waits for " + describeBarrier(*index) +
                    " with a phase that is one turn ahead of it",
                event.ring);
  if (!hasSeenPhase(process, *index, 0))
    return fail(Property::Phases, process,
                "waits for " + describeBarrier(*index) +
                    " without knowing that the phase before completed: the "
                    "parity may mean either",
                event.ring);
  return Step::Blocked;
}

Step Machine::passWait(int process, int index, const Event &event, bool isNew) {
  Barrier &barrier = state.barriers[index];
  if (isNew ? barrier.completions >= 2 : barrier.behind[process] == 0)
    return fail(Property::Turns, process,
                "waits for " + describeBarrier(index) +
                    (isNew ? " after it missed a turn"
                           : " with the phase that it waited for last: slot "
                             "or phase did not advance"),
                event.ring);
  if (!hasSeenPhase(process, index, 1))
    return fail(Property::Phases, process,
                "waits for " + describeBarrier(index) +
                    " without knowing that the phase before completed: the "
                    "parity may mean either",
                event.ring);
  learn(process, bits.completed(index));
  barrier.behind[process] = 0;
  Record record;
  record.kind = Record::Waited;
  record.owner = process;
  record.barrier = index;
  if (processAt(process).elected)
    record.known.set(bits.all(process)).set(bits.first(process));
  state.records.push_back(std::move(record));
  if (event.side == Side::Full &&
      program.processes[process].releases[event.ring])
    ++state.processes[process].held[event.ring];
  note(process, [&] { return "waits for " + describeBarrier(index); });
  ++state.processes[process].pc;
  return Step::Ran;
}

Step Machine::completePhase(int process, int index) {
  Barrier &barrier = state.barriers[index];
  const Ring &ring = ringOf(index);
  int ringIndex = int(&ring - program.protocol.rings.data());
  bool isEmpty =
      index >= barrierIndex(program.protocol, ringIndex, Side::Empty, 0);
  for (size_t q = 0; q < state.processes.size(); ++q) {
    int &behind = barrier.behind[q];
    bool isLate = behind == 1;
    if (behind == Barrier::kNever)
      isLate = barrier.completions >= 1 && (barrier.waiters >> q & 1);
    if (behind == 0)
      for (const Record &record : state.records)
        isLate |= record.kind == Record::Waited && record.barrier == index &&
                  record.owner == int(q) && !record.known[bits.arriving(index)];
    if (isLate)
      return fail(Property::Phases, process,
                  "completes a phase of " + describeBarrier(index) +
                      " that process '" + processAt(int(q)).name +
                      "' need not have waited for the one before: its wait "
                      "would miss two phases",
                  ringIndex);
    if (behind != Barrier::kNever)
      ++behind;
  }
  std::erase_if(state.records, [&](const Record &record) {
    return record.barrier == index &&
           (record.kind == Record::Waited ||
            (record.kind == Record::Completed && record.age == 1));
  });
  int arriving = bits.arriving(index), completed = bits.completed(index);
  for (Record &record : state.records) {
    record.known[completed] = record.known[arriving];
    record.known.reset(arriving);
    record.fenced[completed] = record.fenced[arriving];
    record.fenced.reset(arriving);
    if (record.kind == Record::Completed && record.barrier == index)
      record.age = 1;
    if (record.isAsyncWrite() && record.barrier == index) {
      record.isDone = true;
      record.barrier = -1;
      record.known.set(completed);
    }
  }
  Record last;
  last.kind = Record::Completed;
  last.barrier = index;
  last.known.set(completed);
  state.records.push_back(std::move(last));
  barrier.parity ^= 1;
  barrier.completions = std::min(barrier.completions + 1, 2);
  barrier.pending = isEmpty ? ring.emptyArrivals : ring.fullArrivals;
  // Whoever stands at a wait for it goes on now, before it can complete again.
  for (size_t q = 0; q < state.processes.size(); ++q) {
    if (int(q) == process || at(int(q)).kind != Instruction::Happen)
      continue;
    const Event &next = *at(int(q)).event;
    if (next.kind != Event::Wait || next.ring != ringIndex ||
        (next.side == Side::Empty) != isEmpty)
      continue;
    Datum slot = evaluate(int(q), next.slot);
    if (slot.kind == Datum::Number && slot.number >= 0 &&
        slot.number < ring.depth &&
        barrierIndex(program.protocol, ringIndex, next.side, slot.number) ==
            index)
      if (wait(int(q), next) == Step::Failed)
        return Step::Failed;
  }
  return Step::Ran;
}

Step Machine::arrive(int process, const Event &event, int64_t arrivals,
                     int64_t expected) {
  Step failure = Step::Failed;
  auto index = barrierOf(process, event.ring, event.side, event.slot, failure);
  if (!index)
    return failure;
  Barrier &barrier = state.barriers[*index];
  if (!hasSeenPhase(process, *index, 0))
    return fail(Property::Phases, process,
                "arrives at " + describeBarrier(*index) +
                    " without knowing that its last phase completed: the "
                    "arrival may count for either",
                event.ring);
  if (barrier.pending < arrivals)
    return fail(Property::Arrivals, process,
                "arrives " + countOf(arrivals, "time") + " at " +
                    describeBarrier(*index) + ", which counts only " +
                    std::to_string(barrier.pending) + " more in this phase",
                event.ring);
  Running &running = state.processes[process];
  if (event.side == Side::Empty &&
      program.processes[process].waits[0][event.ring] &&
      --running.held[event.ring] < 0)
    return fail(Property::Turns, process,
                "releases a slot of ring '" +
                    program.protocol.rings[event.ring].name +
                    "' that it did not wait for",
                event.ring);
  if (event.kind == Event::ArriveCopies)
    publishCopies(process, *index);
  else
    publish(process, bits.arriving(*index), event.kind == Event::Expect);
  barrier.pending -= arrivals;
  barrier.bytes += expected;
  note(process, [&] {
    return (event.kind == Event::Expect
                ? "announces " + std::to_string(expected) + " B at "
                : "arrives at ") +
           describeBarrier(*index);
  });
  if (barrier.pending == 0 && barrier.bytes < 0)
    return fail(Property::Bytes, process,
                "lets " + describeBarrier(*index) + " expect " +
                    countOf(-barrier.bytes, "byte") +
                    " less than its copies deliver",
                event.ring);
  Step result = Step::Ran;
  if (barrier.pending == 0 && barrier.bytes == 0)
    result = completePhase(process, *index);
  if (result != Step::Failed)
    ++running.pc;
  return result;
}

/// Bytes of a copy arrive.
Step Machine::deliver(int process, int index, int64_t bytes,
                      const Event &event) {
  Barrier &barrier = state.barriers[index];
  barrier.bytes -= bytes;
  if (barrier.pending > 0 || barrier.bytes > 0)
    return Step::Ran;
  if (barrier.bytes < 0)
    return fail(Property::Bytes, process,
                "delivers " + countOf(-barrier.bytes, "byte") + " more than " +
                    describeBarrier(index) + " expects",
                event.ring);
  return completePhase(process, index);
}

//===----------------------------------------------------------------------===//
// Named barriers
//===----------------------------------------------------------------------===//

static std::string nameOf(const Event &sync) {
  return "named barrier " + std::to_string(sync.id);
}

Step Machine::sync(int process, const Event &event) {
  Running &running = state.processes[process];
  if (running.isAtMeeting)
    return Step::Blocked;
  if (processAt(process).elected)
    return fail(Property::Barriers, process,
                "uses " + nameOf(event) + " with one thread only");
  if (event.id < 1 || event.id >= int64_t(state.meetings.size()))
    return fail(Property::Barriers, process,
                "uses " + nameOf(event) + "; processes have 1 to " +
                    std::to_string(state.meetings.size() - 1));
  Meeting &meeting = state.meetings[event.id];
  if (meeting.participants && meeting.threads != event.threads)
    return fail(Property::Barriers, process,
                "counts " + std::to_string(event.threads) + " threads at " +
                    nameOf(event) + ", where others wait for " +
                    std::to_string(meeting.threads));
  for (const Record &record : state.records)
    if (record.kind == Record::Met && record.barrier == event.id &&
        !record.known[bits.all(process)])
      return fail(Property::Barriers, process,
                  "uses " + nameOf(event) +
                      ", where other threads may still meet");
  meeting.threads = event.threads;
  meeting.arrived += processAt(process).threads();
  meeting.participants |= 1u << process;
  note(process, [&] { return "comes to " + nameOf(event); });
  if (meeting.arrived > meeting.threads)
    return fail(Property::Barriers, process,
                "comes to " + nameOf(event) + " as thread " +
                    std::to_string(meeting.arrived) + " of " +
                    std::to_string(meeting.threads));
  if (meeting.arrived < meeting.threads) {
    running.isAtMeeting = true;
    return Step::Ran;
  }
  // All know what any of them knows.
  std::erase_if(state.records, [&](const Record &record) {
    return record.kind == Record::Met && record.barrier == event.id;
  });
  Record met;
  met.kind = Record::Met;
  met.barrier = int(event.id);
  state.records.push_back(std::move(met));
  Knowers everybody;
  for (int q = 0; q < bits.processes; ++q)
    if (meeting.participants >> q & 1)
      everybody.set(bits.all(q)).set(bits.first(q));
  for (Record &record : state.records) {
    bool known = record.kind == Record::Met && record.barrier == event.id;
    bool fenced = false;
    for (int q = 0; q < bits.processes; ++q)
      if (meeting.participants >> q & 1) {
        known |= isOwn(record, q);
        fenced |= record.owner == q && record.isFenced;
      }
    known |= (record.known & everybody).any();
    fenced |= (record.fenced & everybody).any();
    if (known)
      record.known |= everybody;
    if (fenced)
      record.fenced |= everybody;
  }
  for (int q = 0; q < bits.processes; ++q)
    if (meeting.participants >> q & 1) {
      state.processes[q].isAtMeeting = false;
      ++state.processes[q].pc;
    }
  meeting = {};
  return Step::Ran;
}

} // namespace heddle::check
