//===- Unroll.cpp - What one process does, with all numbers known ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control flow of a process depends on arguments and on numbers that it reads,
// on nothing else, so it can be executed alone. Faults that one process makes
// by itself (a flight that is read too early, a slot that is not there) are
// actions, too: they count only if the process gets there.
//
//===----------------------------------------------------------------------===//

#include "Script.h"

#include <set>
#include <sstream>

using namespace heddle::adversary;

namespace {
constexpr int kMostActions = 400;
constexpr int64_t kMostSteps = 100000;
constexpr const char *kTooLong = "a process that is too long";
/// The first byte of a tile in a slot that is not there.
constexpr int64_t kNowhere = INT64_MIN;

class Unroller {
public:
  Unroller(const Kernel &kernel, int process, const Launch &launch,
           const std::vector<int64_t> &numbers)
      : kernel(kernel), process(kernel.processes[process]), launch(launch),
        numbers(numbers), values(kernel.values) {}

  Script run() {
    if (block(kernel.prologue) && block(process.body))
      stop(Action::End);
    return std::move(script);
  }

private:
  bool block(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements)
      if (!execute(statement))
        return false;
    return true;
  }
  bool execute(const Statement &s);
  bool executeFor(const Statement &s);
  bool executeWhile(const Statement &s);
  bool act(const Statement &s);
  bool multiply(const Statement &s, Action &action);
  bool multiplyWait(const Statement &s, Action &action);
  int64_t element(const Statement &s);
  void assign(const std::vector<int> &to, const std::vector<int> &from,
              size_t skip = 0) {
    std::vector<int64_t> taken;
    for (size_t i = skip; i < from.size(); ++i)
      taken.push_back(values[from[i]]);
    for (size_t i = 0; i < to.size() && i < taken.size(); ++i)
      values[to[i]] = taken[i];
  }
  /// The last action; always false.
  bool stop(Action::Kind kind, const char *fault = nullptr, int line = 0) {
    Action action;
    action.kind = kind;
    action.fault = fault;
    action.line = line;
    script.hasError |= kind == Action::Error;
    script.actions.push_back(action);
    return false;
  }

  /// A product's registers: who accumulated into them last.
  struct Flight {
    int registers = 0, version = 0, group = 0;
  };

  const Kernel &kernel;
  const ProcessInfo &process;
  const Launch &launch;
  const std::vector<int64_t> &numbers;
  std::vector<int64_t> values;
  Script script;
  size_t taken = 0; ///< numbers that were read
  int64_t steps = 0;
  std::vector<Flight> flights;
  std::vector<int> versions; ///< of registers
  int groups = 0, landed = 0;
};
} // namespace

/// Something that differs from place to place, and is small mostly.
static int64_t elementAt(int64_t place) {
  static const int64_t some[] = {2, 0, 1, 3, 1, 5, 0, 4};
  return some[uint64_t(place) % 8];
}

int64_t Unroller::element(const Statement &s) {
  int64_t place = 0;
  for (size_t axis = 0; axis < s.operands.size(); ++axis) {
    int64_t at = values[s.operands[axis]];
    int64_t extent = kernel.shapes[s.argument][axis];
    if (extent < 0)
      if (auto found = launch.extents.find({s.argument, int(axis)});
          found != launch.extents.end())
        extent = found->second;
    if (at < 0 || (extent >= 0 && at >= extent))
      return 0;
    place = place * 31 + at;
  }
  auto found = launch.elements.find(s.argument);
  return wrap(s.width, found == launch.elements.end() ? elementAt(place)
                                                      : found->second);
}

bool Unroller::execute(const Statement &s) {
  if (++steps > kMostSteps)
    return stop(Action::Unknown, kTooLong, s.line);
  auto operand = [&](size_t i) { return values[s.operands[i]]; };
  auto give = [&](int64_t number) {
    values[s.results[0]] = number;
    return true;
  };
  switch (s.kind) {
  case Statement::Constant:
    return give(s.number);
  case Statement::Extent:
    return give(launch.extents.at({s.argument, s.axis}));
  case Statement::Scalar: {
    auto found = launch.scalars.find(s.argument);
    return give(found == launch.scalars.end() ? 0 : found->second);
  }
  case Statement::Worker:
    return give(launch.worker);
  case Statement::Workers:
    return give(launch.workers);
  case Statement::Element:
    return give(element(s));
  case Statement::Compute: {
    auto result = compute(s.arith, s.width, operand(0),
                          s.operands.size() > 1 ? operand(1) : 0);
    return result ? give(*result) : stop(Action::Error, nullptr, s.line);
  }
  case Statement::Select:
    return give(operand(0) ? operand(1) : operand(2));
  case Statement::Copy:
    return give(operand(0));
  case Statement::Place: {
    if (s.ring < 0)
      return give(s.number);
    const RingInfo &ring = kernel.rings[s.ring];
    int64_t slot = operand(0);
    bool isThere = slot >= 0 && slot < ring.depth;
    return give(isThere ? ring.offset + slot * ring.slotBytes + s.number
                        : kNowhere);
  }
  case Statement::Opaque:
    return true;
  case Statement::Unknown:
    return stop(Action::Unknown, "a number that is not followed", s.line);
  case Statement::If:
    if (operand(0)) {
      if (!block(s.body))
        return false;
      assign(s.results, s.yields);
    } else {
      if (!block(s.other))
        return false;
      assign(s.results, s.otherYields);
    }
    return true;
  case Statement::For:
    return executeFor(s);
  case Statement::While:
    return executeWhile(s);
  case Statement::Act:
    return act(s);
  }
  return true;
}

/// The points are lower + k * step, as whole numbers.
bool Unroller::executeFor(const Statement &s) {
  auto bound = [&](size_t i) -> __int128 {
    int64_t number = values[s.operands[i]];
    return s.isUnsigned ? __int128(bitsOf(s.width, number)) : __int128(number);
  };
  __int128 point = bound(0), upper = bound(1), step = bound(2);
  std::vector<int> carried(s.arguments.begin() + 1, s.arguments.end());
  assign(carried, s.operands, 3);
  if (step <= 0 && point < upper)
    return stop(Action::Error, nullptr, s.line);
  for (; point < upper; point += step) {
    if (++steps > kMostSteps)
      return stop(Action::Unknown, kTooLong, s.line);
    values[s.arguments[0]] = wrap(s.width, int64_t(point));
    if (!block(s.body))
      return false;
    assign(carried, s.yields);
  }
  assign(s.results, carried);
  return true;
}

bool Unroller::executeWhile(const Statement &s) {
  assign(s.arguments, s.operands);
  std::set<std::vector<int64_t>> seen;
  size_t takenBefore = taken;
  while (true) {
    if (takenBefore != taken)
      seen.clear();
    takenBefore = taken;
    std::vector<int64_t> head;
    for (int argument : s.arguments)
      head.push_back(values[argument]);
    if (!seen.insert(head).second)
      return stop(Action::Endless, "a loop that never ends", s.line);
    if (++steps > kMostSteps)
      return stop(Action::Unknown, kTooLong, s.line);
    if (!block(s.body))
      return false;
    if (!values[s.yields[0]]) {
      assign(s.results, s.yields, 1);
      return true;
    }
    assign(s.otherArguments, s.yields, 1);
    if (!block(s.other))
      return false;
    assign(s.arguments, s.otherYields);
  }
}

bool Unroller::multiply(const Statement &s, Action &action) {
  ++groups;
  Flight flight;
  flight.group = groups;
  if (s.from >= 0 && values[s.from] > 0) {
    const Flight &before = flights[values[s.from] - 1];
    if (versions[before.registers] != before.version)
      return stop(Action::Fault,
                  "accumulates into a flight that went on already", s.line);
    flight.registers = before.registers;
    flight.version = ++versions[before.registers];
  } else {
    flight.registers = int(versions.size());
    versions.push_back(0);
  }
  flights.push_back(flight);
  values[s.flight] = int64_t(flights.size());
  return true;
}

bool Unroller::multiplyWait(const Statement &s, Action &action) {
  if (s.pending < 0)
    return stop(Action::Fault, "waits for fewer products than none", s.line);
  landed = std::max<int64_t>(landed, groups - s.pending);
  int64_t number = values[s.flight];
  if (number <= 0)
    return true;
  const Flight &flight = flights[number - 1];
  if (flight.group > landed)
    return stop(Action::Fault, "leaves the flight that it waits for in flight",
                s.line);
  if (s.isRead && versions[flight.registers] != flight.version)
    return stop(Action::Fault,
                "reads registers into which a later product accumulated",
                s.line);
  // Who reads a value takes the registers over: from now on it is the value
  // that goes on, not the flight.
  versions[flight.registers] += s.isRead;
  return true;
}

bool Unroller::act(const Statement &s) {
  if (int(script.actions.size()) >= kMostActions)
    return stop(Action::Unknown, kTooLong, s.line);
  Action action;
  action.kind = s.action;
  action.line = s.line;
  action.ring = s.ring;
  action.isEmptySide = s.isEmptySide;
  action.bytes = s.bytes;
  action.pending = s.pending;
  action.id = s.id;
  action.threads = s.threads;
  if (s.ring >= 0) {
    const RingInfo &ring = kernel.rings[s.ring];
    int64_t slot = values[s.operands[0]];
    if (slot < 0 || slot >= ring.depth)
      return stop(Action::Fault, "a slot that the ring does not have", s.line);
    action.barrier =
        ring.firstBarrier + int(s.isEmptySide ? ring.depth + slot : slot);
  }
  if (s.action == Action::Wait) {
    int64_t phase = values[s.operands[1]];
    if (phase != 0 && phase != 1)
      return stop(Action::Fault, "a phase that is no parity", s.line);
    action.phase = int(phase);
  }
  if (s.action == Action::Multiply && !multiply(s, action))
    return false;
  if (s.action == Action::MultiplyWait && !multiplyWait(s, action))
    return false;
  if (s.action == Action::StoreWait && s.pending < 0)
    return stop(Action::Fault, "waits for fewer stores than none", s.line);
  auto place = [&](const std::vector<int> &places,
                   const std::vector<int64_t> &bytes,
                   std::vector<Range> &into) {
    for (size_t i = 0; i < places.size(); ++i) {
      int64_t begin = values[places[i]];
      if (begin == kNowhere || begin < 0 ||
          begin + bytes[i] > kernel.sharedBytes)
        return false;
      into.push_back({begin, begin + bytes[i]});
    }
    return true;
  };
  if (!place(s.reads, s.readBytes, action.reads) ||
      !place(s.writes, s.writeBytes, action.writes))
    return stop(Action::Fault, "a tile in a slot that is not there", s.line);
  if (s.stored >= 0) {
    action.storesNumber = true;
    action.number = values[s.stored];
  }
  action.loadsNumber = s.loaded >= 0;
  script.actions.push_back(action);
  if (!action.loadsNumber)
    return true;
  if (taken == numbers.size()) {
    script.isOpen = true;
    return false;
  }
  values[s.loaded] = numbers[taken++];
  return true;
}

Script heddle::adversary::unroll(const Kernel &kernel, int process,
                                 const Launch &launch,
                                 const std::vector<int64_t> &numbers) {
  return Unroller(kernel, process, launch, numbers).run();
}

bool Launch::operator<(const Launch &other) const {
  return std::tie(extents, scalars, elements, worker, workers) <
         std::tie(other.extents, other.scalars, other.elements, other.worker,
                  other.workers);
}

std::string Launch::describe() const {
  std::ostringstream os;
  for (const auto &[place, extent] : extents)
    os << " dim(#" << place.first << ", " << place.second << ") = " << extent;
  for (const auto &[argument, number] : scalars)
    os << " #" << argument << " = " << number;
  for (const auto &[argument, number] : elements)
    os << " elements of #" << argument << " = " << number;
  if (workers != 1)
    os << " worker " << worker << " of " << workers;
  return os.str().empty() ? " (no arguments)" : os.str();
}
