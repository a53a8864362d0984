//===- Memory.cpp - Accesses of shared memory and fences --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events that touch shared memory: accesses of threads, TMA copies, products,
// and the fences and waits between them. Each access is checked against the
// records of those that overlap it: for order, for a proxy fence, for bytes
// that nothing wrote. Its own record replaces those that it covers, which keeps
// a state finite.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>

namespace heddle::check {

/// Groups older than any wait can name, of at most 63, are all alike.
static constexpr int kOldest = 64;

static void getOlder(State &state, int process, Record::Kind kind) {
  for (Record &record : state.records)
    if (record.kind == kind && record.owner == process && !record.isDone &&
        record.age < kOldest)
      ++record.age;
}

/// What was in flight for `pending` groups or more has ended. Of several ended
/// reads of the same bytes the last stands for all: who knows of it knows of
/// those before.
static void retire(State &state, int process, Record::Kind kind,
                   int64_t pending, const Knowers &knowers = {}) {
  auto isOf = [&](const Record &record) {
    return record.kind == kind && record.owner == process;
  };
  auto ends = [&](const Record &record) {
    return isOf(record) && !record.isDone && record.age >= pending;
  };
  std::vector<std::pair<int64_t, int64_t>> ended;
  for (const Record &record : state.records)
    if (ends(record))
      ended.push_back({record.begin, record.end});
  std::erase_if(state.records, [&](const Record &record) {
    return isOf(record) && record.isDone &&
           std::count(ended.begin(), ended.end(),
                      std::pair(record.begin, record.end));
  });
  for (Record &record : state.records)
    if (ends(record)) {
      record.isDone = true;
      record.age = 0;
      record.known |= knowers;
    }
}

/// Through the async proxy.
static bool isAsync(Record::Kind kind) {
  return kind == Record::Multiply || kind == Record::StoreRead ||
         kind == Record::LoadWrite;
}

/// Does it end at once, for the threads that do it?
static bool endsAtOnce(Record::Kind kind) {
  return !isAsync(kind) && kind != Record::CopyWrite;
}

static const char *doing(Record::Kind kind) {
  switch (kind) {
  case Record::Read:
    return "reads";
  case Record::Multiply:
    return "multiplies from";
  case Record::StoreRead:
    return "stores by TMA from";
  case Record::LoadWrite:
    return "loads by TMA into";
  case Record::CopyWrite:
    return "copies into";
  default:
    return "writes";
  }
}

static std::string describe(const Protocol &protocol, const Region &region,
                            int64_t begin, int64_t end) {
  std::string bytes =
      "bytes " + std::to_string(begin) + " to " + std::to_string(end);
  if (region.ring < 0)
    return "buffer '" + region.name + "' (" + bytes + ")";
  const Ring &ring = protocol.rings[region.ring];
  int64_t slot = ring.slotBytes
                     ? (begin - region.offset - ring.offset) / ring.slotBytes
                     : 0;
  return "slot " + std::to_string(slot) + " of ring '" + ring.name + "' (" +
         bytes + ")";
}

bool Machine::rangeOf(int process, const Region &region, int64_t &begin,
                      int64_t &end, Step &failure) {
  begin = region.offset;
  if (region.ring >= 0) {
    auto index =
        barrierOf(process, region.ring, Side::Full, region.slot, failure);
    if (!index)
      return false;
    const Ring &ring = program.protocol.rings[region.ring];
    int64_t slot =
        *index - barrierIndex(program.protocol, region.ring, Side::Full, 0);
    if (region.offset + region.bytes > ring.slotBytes) {
      failure =
          fail(Property::Places, process,
               "places a tile beyond the " + std::to_string(ring.slotBytes) +
                   " B of a slot of ring '" + ring.name + "'",
               region.ring);
      return false;
    }
    begin += ring.offset + slot * ring.slotBytes;
  }
  end = begin + region.bytes;
  if (begin < 0 || end > program.protocol.sharedBytes) {
    failure = fail(Property::Places, process,
                   "places a tile at bytes " + std::to_string(begin) + " to " +
                       std::to_string(end) + " of " +
                       std::to_string(program.protocol.sharedBytes),
                   region.ring);
    return false;
  }
  return true;
}

/// An access that an earlier one is not ordered before.
Step Machine::conflict(int process, const Record &before, Record::Kind kind,
                       const Event &event) {
  std::string who = before.owner < 0 ? "" : processAt(before.owner).name;
  std::string earlier = "process '" + who + "' " + doing(before.kind) +
                        " these bytes" +
                        (before.place ? " at " + *before.place : std::string());
  if (!before.isDone)
    earlier += ", and nothing waited for that to end";
  else
    earlier += ", and nothing orders that before";
  int ring = before.ring;
  return fail(Property::Order, process,
              std::string(doing(kind)) + " shared memory (" + event.text +
                  ") while " + earlier,
              ring);
}

/// The first byte from `begin` on that no interval covers; `end` if all are.
static int64_t firstGap(std::vector<std::pair<int64_t, int64_t>> intervals,
                        int64_t begin, int64_t end) {
  std::sort(intervals.begin(), intervals.end());
  for (auto [from, to] : intervals) {
    if (from > begin)
      break;
    begin = std::max(begin, to);
  }
  return std::min(begin, end);
}

Step Machine::touch(int process, const Region &region, Record::Kind kind,
                    const Event &event, int barrier) {
  Step failure = Step::Failed;
  int64_t begin = 0, end = 0;
  if (!rangeOf(process, region, begin, end, failure))
    return failure;
  bool byFirst = kind == Record::StoreRead || kind == Record::LoadWrite;
  int bit = byFirst ? firstBit(process) : bits.all(process);
  Record next;
  next.kind = kind;
  next.owner = process;
  next.begin = begin;
  next.end = end;
  next.ring = region.ring;
  next.event = &event;
  next.place = &at(process).place;
  next.isDone = endsAtOnce(kind);
  next.barrier = barrier;
  next.writer = next.isWrite() ? program.broadcasts.indexOf(event) : -1;
  if (next.writer >= 0)
    next.iteration = pathOf(process, state.processes[process].frames.size());
  if (next.isDone && processAt(process).elected)
    next.known.set(bits.all(process)).set(bits.first(process));
  std::vector<std::pair<int64_t, int64_t>> written;
  for (const Record &record : state.records) {
    if (!record.isAccess() || record.begin >= end || record.end <= begin)
      continue;
    if (record.isWrite())
      written.push_back({record.begin, record.end});
    if (!record.isWrite() && !next.isWrite())
      continue;
    if (!record.isDone || !record.known[bit])
      return conflict(process, record, kind, event);
    bool needsFence = record.isGeneric() || record.kind == Record::Read;
    if (needsFence && isAsync(kind) && !record.fenced[bit])
      return fail(Property::Fences, process,
                  std::string(doing(kind)) + " " +
                      check::describe(program.protocol, region, begin, end) +
                      " through the async proxy (" + event.text +
                      "), but the threads that " +
                      (record.isGeneric() ? "wrote it" : "read it before") +
                      (record.place ? " at " + *record.place : std::string()) +
                      " have no fence_async in between",
                  region.ring);
  }
  if (!next.isWrite() || event.updates) {
    int64_t missing = firstGap(std::move(written), begin, end);
    if (missing < end)
      return fail(Property::Order, process,
                  std::string(event.updates ? "adds to" : doing(kind)) + " " +
                      check::describe(program.protocol, region, begin, end) +
                      " before anything was written " +
                      (missing == begin ? "there"
                                        : "at byte " + std::to_string(missing)),
                  region.ring);
  }
  // What is ordered behind `next` is ordered behind what it replaces.
  std::erase_if(state.records, [&](const Record &record) {
    if (!record.isAccess() || record.begin < begin || record.end > end)
      return false;
    // That threads write what these read, or let copies do so, is no fence of
    // these reads.
    if (record.kind == Record::Read && !record.isFenced && next.isGeneric())
      return false;
    return next.isWrite() || (record.kind == kind && record.owner == process &&
                              (next.isDone || !record.isDone));
  });
  note(process, [&] {
    return event.text + ": " + doing(kind) + " " +
           check::describe(program.protocol, region, begin, end);
  });
  state.records.push_back(std::move(next));
  return Step::Ran;
}

/// Is the iteration at `inner` one of those within that at `outer`?
static bool isWithin(const Path &inner, const Path &outer) {
  return inner.size() >= outer.size() &&
         std::equal(outer.begin(), outer.end(), inner.begin());
}

/// What control flow takes the number that was read for must stand there: the
/// one that its writer wrote in this iteration. Everything that wrote there is
/// ordered before this read, so it stands there in every order of steps.
Step Machine::take(int process, const Event &event) {
  const ProcessCode &code = program.processes[process];
  auto taken = code.taken.find(event.loaded);
  if (taken == code.taken.end())
    return Step::Ran;
  Step failure = Step::Failed;
  int64_t begin = 0, end = 0;
  if (!rangeOf(process, event.reads[0], begin, end, failure))
    return failure;
  Path here = pathOf(process, state.processes[process].frames.size());
  for (const Record &record : state.records)
    if (record.isWrite() && record.begin < end && record.end > begin &&
        (record.writer != taken->second || record.begin != begin ||
         record.end != end || !isWithin(here, record.iteration)))
      return giveUp(
          process,
          "lets a number decide on control flow that it reads from " +
              check::describe(program.protocol, event.reads[0], begin, end) +
              " and that was not written there in the same "
              "iteration, but earlier" +
              (record.place ? " at " + *record.place : ""));
  return Step::Ran;
}

Step Machine::access(int process, const Event &event) {
  if (processAt(process).elected)
    return fail(Property::Order, process,
                "runs on one thread, but its " + event.text + " needs all");
  for (const Region &region : event.reads)
    if (touch(process, region, Record::Read, event, -1) == Step::Failed)
      return Step::Failed;
  if (take(process, event) == Step::Failed)
    return Step::Failed;
  for (const Region &region : event.writes)
    if (touch(process, region, Record::Write, event, -1) == Step::Failed)
      return Step::Failed;
  ++state.processes[process].pc;
  return Step::Ran;
}

/// Each thread fences what it wrote and read, and those copies of others whose
/// end it knows of: of stores, the checker asks the writer's fence.
void Machine::fence(int process) {
  for (Record &record : state.records)
    if (record.kind == Record::CopyWrite && record.isDone) {
      for (int bit : {bits.all(process), bits.first(process)})
        if (record.known[bit])
          record.fenced.set(bit);
    } else if ((record.kind == Record::Write || record.kind == Record::Read) &&
               record.owner == process) {
      record.isFenced = true;
      if (processAt(process).elected)
        record.fenced.set(bits.all(process)).set(bits.first(process));
    }
  note(process, [] { return "fence_async"; });
  ++state.processes[process].pc;
}

/// A number that no flight of the process has.
int Machine::newFlight(int process) const {
  std::vector<int> used;
  for (const Datum &datum : state.processes[process].values)
    if (datum.kind == Datum::Flight)
      used.push_back(datum.flight);
  int number = 0;
  while (std::count(used.begin(), used.end(), number))
    ++number;
  return number;
}

/// All copies of a flight are the same registers, which are `use` from now on.
static void use(Running &running, const Datum &flight, Datum::Use use) {
  for (Datum &datum : running.values)
    if (datum.kind == Datum::Flight && datum.flight == flight.flight)
      datum.use = use;
}

/// A product goes on with the registers of a flight, which is that no more:
/// nothing may read it or go on with it a second time.
Step Machine::accumulate(int process, const Event &event) {
  if (event.accumulator == kNoValue)
    return Step::Ran;
  Running &running = state.processes[process];
  const Datum flight = running.values[event.accumulator];
  if (flight.kind != Datum::Flight)
    return giveUp(process, "accumulates into a flight that the checker lost");
  if (flight.use == Datum::Overwritten)
    return fail(Property::Flights, process,
                "accumulates into the registers of a product (" + event.text +
                    ") that are no longer its own: a later product already "
                    "accumulates into them, or their value was read");
  use(running, flight, Datum::Overwritten);
  return Step::Ran;
}

/// The registers of an operand are made anew for each iteration of the loop
/// that makes them, and belong to the product until a wait retires it.
Step Machine::readOperand(int process, const Event &event) {
  if (event.operand == kNoValue)
    return Step::Ran;
  auto &operands = state.processes[process].operands;
  Path here = pathOf(process, size_t(event.operandLoops));
  for (const auto &[operand, age] : operands)
    if (operand.first == event.operand && operand.second != here)
      return fail(Property::Flights, process,
                  "multiplies from registers (" + event.text +
                      ") that a product of an earlier iteration may still "
                      "read, since nothing waited for it to end");
  operands[{event.operand, std::move(here)}] = 0;
  return Step::Ran;
}

Step Machine::wgmma(int process, const Event &event) {
  if (processAt(process).elected)
    return fail(Property::Order, process,
                "runs on one thread, but its " + event.text + " needs all");
  for (auto &[operand, age] : state.processes[process].operands)
    age = std::min<int64_t>(age + 1, kOldest);
  if (readOperand(process, event) == Step::Failed)
    return Step::Failed;
  if (accumulate(process, event) == Step::Failed)
    return Step::Failed;
  Running &running = state.processes[process];
  getOlder(state, process, Record::Multiply);
  for (Datum &datum : running.values)
    if (datum.kind == Datum::Flight && datum.number < kOldest)
      ++datum.number;
  for (const Region &region : event.reads)
    if (touch(process, region, Record::Multiply, event, -1) == Step::Failed)
      return Step::Failed;
  if (event.reads.empty())
    note(process, [&] { return event.text; });
  running.values[event.flight] = {};
  running.values[event.flight] = {Datum::Flight, 0, newFlight(process)};
  ++running.pc;
  return Step::Ran;
}

Step Machine::wgmmaWait(int process, const Event &event) {
  Running &running = state.processes[process];
  if (event.pending < 0)
    return fail(Property::Flights, process,
                "waits until " + std::to_string(event.pending) +
                    " groups are in flight");
  Datum flight = event.flight == kNoValue ? Datum{Datum::Flight, Datum::kLanded}
                                          : running.values[event.flight];
  if (flight.kind != Datum::Flight)
    return giveUp(process, "waits for a flight that the checker lost");
  if (flight.number < event.pending)
    return fail(Property::Flights, process,
                "leaves the flight that it waits for in flight: pending " +
                    std::to_string(event.pending) + ", but only " +
                    std::to_string(flight.number) +
                    " groups were committed after it");
  if (event.isRead && flight.use == Datum::Overwritten)
    return fail(Property::Flights, process,
                "reads the value of a product whose registers are no longer "
                "its own: a later product already accumulates into them, or "
                "their value was read");
  retire(state, process, Record::Multiply, event.pending);
  std::erase_if(running.operands, [&](const auto &entry) {
    return entry.second >= event.pending;
  });
  for (Datum &datum : running.values)
    if (datum.kind == Datum::Flight && datum.number >= event.pending)
      datum.number = Datum::kLanded;
  if (event.isRead && event.flight != kNoValue)
    use(running, flight, Datum::Overwritten);
  note(process,
       [&] { return "wgmma_wait pending " + std::to_string(event.pending); });
  ++running.pc;
  return Step::Ran;
}

Step Machine::tmaLoad(int process, const Event &event) {
  Step failure = Step::Failed;
  auto index = barrierOf(process, event.ring, Side::Full, event.slot, failure);
  if (!index)
    return failure;
  if (!hasSeenPhase(process, *index, 0))
    return fail(Property::Phases, process,
                "loads for " + describeBarrier(*index) +
                    " without knowing that its last phase completed",
                event.ring);
  int64_t bytes = 0;
  for (const Region &region : event.writes) {
    if (touch(process, region, Record::LoadWrite, event, *index) ==
        Step::Failed)
      return Step::Failed;
    bytes += region.bytes;
  }
  if (deliver(process, *index, bytes, event) == Step::Failed)
    return Step::Failed;
  ++state.processes[process].pc;
  return Step::Ran;
}

/// The arrival that covers it says which barrier tells of its end.
Step Machine::copy(int process, const Event &event) {
  if (processAt(process).elected)
    return fail(Property::Order, process,
                "runs on one thread, but its " + event.text + " needs all");
  for (const Region &region : event.writes)
    if (touch(process, region, Record::CopyWrite, event, -1) == Step::Failed)
      return Step::Failed;
  ++state.processes[process].pc;
  return Step::Ran;
}

Step Machine::tmaStore(int process, const Event &event) {
  getOlder(state, process, Record::StoreRead);
  for (const Region &region : event.reads)
    if (touch(process, region, Record::StoreRead, event, -1) == Step::Failed)
      return Step::Failed;
  ++state.processes[process].pc;
  return Step::Ran;
}

Step Machine::tmaStoreWait(int process, const Event &event) {
  if (event.pending < 0)
    return fail(Property::Order, process,
                "waits until " + std::to_string(event.pending) +
                    " stores read shared memory");
  Knowers first; // it alone knows that its stores are done
  first.set(firstBit(process)).set(bits.first(process));
  retire(state, process, Record::StoreRead, event.pending, first);
  note(process,
       [&] { return "tma_store_wait " + std::to_string(event.pending); });
  ++state.processes[process].pc;
  return Step::Ran;
}

Step Machine::happen(int process, const Event &event) {
  switch (event.kind) {
  case Event::Wait:
    return wait(process, event);
  case Event::Arrive:
    return arrive(process, event, warpArrivals(process), 0);
  case Event::ArriveCopies:
    return arrive(process, event, processAt(process).threads(), 0);
  case Event::Copy:
    return copy(process, event);
  case Event::Expect:
    return arrive(process, event, 1, event.bytes);
  case Event::TmaLoad:
    return tmaLoad(process, event);
  case Event::Wgmma:
    return wgmma(process, event);
  case Event::WgmmaWait:
    return wgmmaWait(process, event);
  case Event::Hold:
    ++state.processes[process].pc;
    return Step::Ran;
  case Event::Generic:
    return access(process, event);
  case Event::FenceAsync:
    fence(process);
    return Step::Ran;
  case Event::Sync:
    return sync(process, event);
  case Event::TmaStore:
    return tmaStore(process, event);
  case Event::TmaStoreWait:
    return tmaStoreWait(process, event);
  }
  return Step::Ran;
}

} // namespace heddle::check
