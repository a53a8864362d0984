//===- Problem.cpp - Bounds and the verifier of solutions -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Problem.h"

#include <algorithm>
#include <map>
#include <optional>

using namespace heddle::schedule;

static std::string text(int64_t value) { return std::to_string(value); }

std::string Problem::check() const {
  int count = static_cast<int>(operations.size());
  for (const Operation &op : operations) {
    if (op.unit < 0 || op.unit >= static_cast<int>(units.size()))
      return "operation '" + op.name + "' names unit " + text(op.unit) +
             ", of which there are " + text(units.size());
    if (op.reservation < 0 || op.latency < 0 || op.issue < 0)
      return "operation '" + op.name + "' has a negative time";
    if (int64_t most = std::max({op.reservation, op.latency, op.issue});
        most > kMostCycles)
      return "operation '" + op.name + "' takes " + text(most) +
             " cycles; at most " + text(kMostCycles) + " are scheduled";
    if (op.registers < 0 || op.columns < 0)
      return "operation '" + op.name + "' has a negative footprint";
    if (op.sub >= subTiles)
      return "operation '" + op.name + "' works on sub-tile " + text(op.sub) +
             " of " + text(subTiles);
    if (op.leader >= 0 &&
        (op.leader >= count || op.sub < 1 || operations[op.leader].sub != 0))
      return "operation '" + op.name + "' does the same as operation " +
             text(op.leader) + ", which is none of sub-tile 0";
  }
  for (const Dependence &edge : dependences)
    if (edge.from < 0 || edge.from >= count || edge.to < 0 ||
        edge.to >= count || edge.distance < 0 || edge.delay < 0)
      return "a dependence names operation " +
             text(std::max(edge.from, edge.to)) + " or distance " +
             text(edge.distance);
    else if (edge.delay > kMostCycles || edge.distance > kMostCycles)
      return "a dependence has a delay of " + text(edge.delay) +
             " cycles over " + text(edge.distance) + " iterations; at most " +
             text(kMostCycles) + " are scheduled";
  for (const Transfer &transfer : transfers)
    if (transfer.from < 0 || transfer.from >= count || transfer.bytes < 0)
      return "a transfer names operation " + text(transfer.from);
    else if (transfer.alignment < 1)
      return "a transfer begins at a multiple of " + text(transfer.alignment);
  return "";
}

int64_t heddle::schedule::requiredDelay(const Problem &problem,
                                        const Dependence &edge, bool crosses) {
  const Operation &from = problem.operations[edge.from];
  if (edge.orders)
    return edge.delay;
  if (edge.accumulates)
    return from.reservation;
  return from.latency + (crosses ? problem.machine.handOverCycles : 0);
}

bool heddle::schedule::goesThroughSlots(const Problem &problem, int op) {
  return std::any_of(
      problem.transfers.begin(), problem.transfers.end(),
      [&](const Transfer &transfer) { return transfer.from == op; });
}

bool heddle::schedule::keepsLoadsApart(const Problem &problem,
                                       const Solution &solution) {
  std::optional<int> loader;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (problem.operations[op].variableLatency) {
      if (loader && *loader != solution.process[op])
        return false;
      loader = solution.process[op];
    }
  for (size_t op = 0; loader && op < problem.operations.size(); ++op)
    if (!problem.operations[op].variableLatency &&
        solution.process[op] == *loader)
      return false;
  return true;
}

int64_t heddle::schedule::slotBytes(const Problem &problem, const Ring &ring) {
  int64_t bytes = 0, alignment = 1;
  for (int op : ring.operations)
    for (const Transfer &transfer : problem.transfers)
      if (transfer.from == op) {
        bytes += transfer.bytes;
        alignment = std::max(alignment, transfer.alignment);
      }
  return (bytes + alignment - 1) / alignment * alignment;
}

bool heddle::schedule::mayCross(const Problem &problem, int op) {
  return problem.operations[op].columns > 0 || goesThroughSlots(problem, op);
}

int64_t heddle::schedule::resourceMinII(const Problem &problem) {
  std::vector<int64_t> work(problem.units.size(), 0);
  for (const Operation &op : problem.operations)
    work[op.unit] += op.reservation;
  return work.empty() ? 0 : *std::max_element(work.begin(), work.end());
}

/// With interval `ii`, is there a cycle whose delays exceed its distance?
static bool hasPositiveCycle(const Problem &problem, int64_t ii) {
  size_t count = problem.operations.size();
  std::vector<int64_t> earliest(count, 0);
  for (size_t round = 0; round <= count; ++round) {
    bool changed = false;
    for (const Dependence &edge : problem.dependences) {
      int64_t bound = earliest[edge.from] +
                      requiredDelay(problem, edge, false) - edge.distance * ii;
      if (bound > earliest[edge.to]) {
        earliest[edge.to] = bound;
        changed = true;
      }
    }
    if (!changed)
      return false;
  }
  return true;
}

int64_t heddle::schedule::recurrenceMinII(const Problem &problem) {
  int64_t low = 0, high = 1;
  for (const Operation &op : problem.operations)
    high += op.latency + op.reservation;
  if (hasPositiveCycle(problem, high))
    return high; // a cycle of distance 0: no interval helps
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (hasPositiveCycle(problem, middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int64_t heddle::schedule::minII(const Problem &problem) {
  return std::max<int64_t>(
      {1, resourceMinII(problem), recurrenceMinII(problem)});
}

namespace {

int64_t modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

/// When a result's registers or columns are taken, and given back.
struct Life {
  int64_t begin = 0, end = 0;
};

Life lifeOf(const Problem &problem, const Solution &solution, int op) {
  const Operation &made = problem.operations[op];
  bool late = made.inPlace && !problem.units[made.unit].asynchronous;
  Life life;
  life.begin = life.end = solution.start[op] + (late ? made.issue : 0);
  for (const Dependence &edge : problem.dependences) {
    if (edge.from != op || edge.orders)
      continue;
    const Operation &reader = problem.operations[edge.to];
    int64_t busy = problem.units[reader.unit].asynchronous
                       ? solution.latencyOf(problem, edge.to)
                       : reader.issue;
    life.end = std::max(life.end, solution.start[edge.to] +
                                      edge.distance * solution.ii + busy);
  }
  return life;
}

/// How many iterations' results of this life are there at `cycle`.
int64_t copiesAt(const Life &life, int64_t cycle, int64_t ii) {
  int64_t age = modulo(cycle - life.begin, ii);
  int64_t length = life.end - life.begin;
  return age < length ? (length - age + ii - 1) / ii : 0;
}

/// The most that `size` of the operations `counts` sum up to at any birth.
template <class Counts, class Size>
int64_t peak(const Problem &problem, const Solution &solution, Counts counts,
             Size size) {
  int count = static_cast<int>(problem.operations.size());
  int64_t always = 0, most = 0;
  std::vector<std::pair<Life, int64_t>> lives;
  for (int op = 0; op < count; ++op) {
    int64_t amount = counts(op) ? size(problem.operations[op]) : 0;
    if (problem.operations[op].persists)
      always += amount;
    else if (amount)
      lives.push_back({lifeOf(problem, solution, op), amount});
  }
  for (const auto &born : lives) {
    int64_t here = 0;
    for (const auto &[life, amount] : lives)
      here += amount * copiesAt(life, born.first.begin, solution.ii);
    most = std::max(most, here);
  }
  return always + most;
}

class Verifier {
public:
  Verifier(const Problem &problem, const Solution &solution)
      : problem(problem), solution(solution) {}

  std::string run() {
    for (auto step :
         {&Verifier::shape, &Verifier::loads, &Verifier::dependences,
          &Verifier::units, &Verifier::queues, &Verifier::inOrder,
          &Verifier::copies, &Verifier::registers, &Verifier::columns,
          &Verifier::rings})
      if (std::string reason = (this->*step)(); !reason.empty())
        return reason;
    return "";
  }

private:
  const std::string &name(int op) const { return problem.operations[op].name; }
  int count() const { return static_cast<int>(problem.operations.size()); }
  int64_t executionOf(int op) const { return solution.executionOf(op); }
  int64_t latencyOf(int op) const { return solution.latencyOf(problem, op); }
  bool isAsynchronous(int op) const {
    return problem.units[problem.operations[op].unit].asynchronous;
  }

  std::string shape() {
    size_t count = problem.operations.size();
    if (solution.start.size() != count || solution.process.size() != count)
      return "the solution places " + text(solution.start.size()) + " of " +
             text(count) + " operations";
    for (const auto *times : {&solution.execution, &solution.latency})
      if (!times->empty() && times->size() != count)
        return "the solution times " + text(times->size()) + " of " +
               text(count) + " operations";
    if (solution.ii < 1)
      return "the initiation interval is " + text(solution.ii);
    for (size_t op = 0; op < count; ++op) {
      if (solution.start[op] < 0)
        return "'" + name(op) + "' starts at cycle " + text(solution.start[op]);
      if (solution.process[op] < 0 ||
          solution.process[op] >= static_cast<int>(solution.processes.size()))
        return "'" + name(op) + "' is in no process";
      int64_t waits = executionOf(op) - solution.start[op];
      if (waits < 0 || (waits > 0 && !isAsynchronous(op)))
        return "'" + name(op) + "' is issued at cycle " +
               text(solution.start[op]) + " and executed at cycle " +
               text(executionOf(op));
      if (latencyOf(op) < waits + problem.operations[op].latency)
        return "'" + name(op) + "' is waited for after " + text(latencyOf(op)) +
               " cycles, and takes " +
               text(waits + problem.operations[op].latency);
    }
    return "";
  }

  std::string loads() {
    if (problem.loadsApart && !keepsLoadsApart(problem, solution))
      return "what has variable latency is not in one process of its own";
    return "";
  }

  std::string dependences() {
    for (const Dependence &edge : problem.dependences) {
      bool crosses = solution.process[edge.from] != solution.process[edge.to];
      if (edge.accumulates && crosses)
        return "'" + name(edge.to) + "' accumulates onto '" + name(edge.from) +
               "' in another process";
      if (crosses && !edge.orders && !mayCross(problem, edge.from))
        return "'" + name(edge.to) + "' reads registers of '" +
               name(edge.from) + "' in another process";
      int64_t delay = requiredDelay(problem, edge, crosses);
      int64_t read =
          edge.accumulates ? executionOf(edge.to) : solution.start[edge.to];
      int64_t have =
          read + edge.distance * solution.ii - executionOf(edge.from);
      if (have < delay)
        return "dependence '" + name(edge.from) + "' -> '" + name(edge.to) +
               "' (distance " + text(edge.distance) + ") needs " + text(delay) +
               " cycles and has " + text(have);
    }
    return "";
  }

  /// Do two stretches of time overlap modulo II?
  bool overlap(int64_t a, int64_t lengthA, int64_t b, int64_t lengthB) const {
    int64_t gap = modulo(b - a, solution.ii);
    return gap < lengthA || solution.ii - gap < lengthB;
  }

  std::string units() {
    for (int a = 0; a < count(); ++a) {
      const Operation &first = problem.operations[a];
      if (first.reservation > solution.ii)
        return "'" + first.name + "' keeps its unit " +
               text(first.reservation) +
               " cycles, longer than II = " + text(solution.ii);
      for (int b = a + 1; b < count(); ++b)
        if (first.unit == problem.operations[b].unit &&
            overlap(executionOf(a), first.reservation, executionOf(b),
                    problem.operations[b].reservation))
          return "'" + first.name + "' and '" + name(b) + "' are on unit '" +
                 problem.units[first.unit].name + "' at the same time";
    }
    return "";
  }

  /// An asynchronous unit takes operations up in the order of their issue.
  std::string queues() {
    for (int a = 0; a < count(); ++a)
      for (int b = 0; b < count(); ++b) {
        if (a == b ||
            problem.operations[a].unit != problem.operations[b].unit ||
            !isAsynchronous(a))
          continue;
        // The first b that is taken up after a.
        int64_t after = modulo(executionOf(b) - executionOf(a), solution.ii) -
                        executionOf(b) + solution.start[b];
        if (after + executionOf(a) < solution.start[a])
          return "'" + name(b) + "' is issued before '" + name(a) +
                 "' and taken up by unit '" +
                 problem.units[problem.operations[a].unit].name + "' after it";
      }
    return "";
  }

  std::string inOrder() {
    for (const Operation &op : problem.operations)
      if (op.issue > solution.ii)
        return "'" + op.name + "' takes " + text(op.issue) +
               " cycles to issue, longer than II = " + text(solution.ii);
    for (int a = 0; a < count(); ++a)
      for (int b = a + 1; b < count(); ++b)
        if (solution.process[a] == solution.process[b] &&
            overlap(solution.start[a], problem.operations[a].issue,
                    solution.start[b], problem.operations[b].issue))
          return "process '" + solution.processes[solution.process[a]].name +
                 "' issues '" + name(a) + "' and '" + name(b) +
                 "' at the same time";
    return "";
  }

  std::string copies() {
    for (const Dependence &edge : problem.dependences) {
      const Operation &from = problem.operations[edge.from];
      if (edge.accumulates || edge.orders || !isAsynchronous(edge.from) ||
          goesThroughSlots(problem, edge.from))
        continue;
      const Operation &reader = problem.operations[edge.to];
      int64_t end =
          solution.start[edge.to] + edge.distance * solution.ii +
          (isAsynchronous(edge.to) ? latencyOf(edge.to) : reader.issue);
      if (end > solution.start[edge.from] + solution.ii)
        return "'" + name(edge.to) + "' reads the registers of '" + from.name +
               "' until cycle " + text(end) + ", but the next '" + from.name +
               "' writes them from cycle " +
               text(solution.start[edge.from] + solution.ii);
    }
    return "";
  }

  /// A process that states no registers is not limited here.
  std::string registers() {
    int64_t all = 0;
    for (size_t i = 0; i < solution.processes.size(); ++i) {
      const Process &process = solution.processes[i];
      if (process.registers == 0)
        continue;
      if (process.registers > problem.machine.maxRegisters)
        return "process '" + process.name + "' has " + text(process.registers) +
               " registers a thread and may have " +
               text(problem.machine.maxRegisters);
      all += process.registers * process.warps / 4;
      int64_t peak = peakRegisters(problem, solution, static_cast<int>(i));
      if (peak > 0 &&
          peak + problem.machine.overheadRegisters > process.registers)
        return "the results in process '" + process.name + "' hold " +
               text(peak) + " registers a thread, and with " +
               text(problem.machine.overheadRegisters) +
               " more that is above its " + text(process.registers);
    }
    if (all > problem.machine.registersPerLane)
      return "the processes have " + text(all) + " registers a lane of " +
             text(problem.machine.registersPerLane);
    return "";
  }

  std::string columns() {
    int64_t most = peak(
        problem, solution, [](int) { return true; },
        [](const Operation &op) { return op.columns; });
    if (most > problem.machine.columns)
      return "results take " + text(most) + " columns of tensor memory of " +
             text(problem.machine.columns);
    return "";
  }

  /// A reader of one part of a slot waits for all of it.
  std::string waitsForSlots(const Ring &ring) const {
    for (int last : ring.operations)
      for (int op : ring.operations)
        for (const Dependence &edge : problem.dependences) {
          if (edge.from != op || edge.orders)
            continue;
          Dependence wait = edge;
          wait.from = last;
          bool crosses = solution.process[last] != solution.process[edge.to];
          int64_t delay = requiredDelay(problem, wait, crosses);
          int64_t have = solution.start[edge.to] + edge.distance * solution.ii -
                         executionOf(last);
          if (have < delay)
            return "'" + name(edge.to) + "' reads a slot of ring '" +
                   ring.name + "', which '" + name(last) +
                   "' fills too; it needs " + text(delay) +
                   " cycles after that and has " + text(have);
        }
    return "";
  }

  /// From the first acquire of a slot to its last release, on the timetable.
  std::string rings() {
    int64_t bytes = 0;
    for (const Ring &ring : solution.rings) {
      int64_t begin = INT64_MAX, end = 0;
      if (ring.depth < 1 || ring.depth > problem.machine.ringDepth)
        return "ring '" + ring.name + "' has " + text(ring.depth) +
               " slots and may have 1 to " + text(problem.machine.ringDepth);
      for (int op : ring.operations)
        if (op < 0 || op >= count())
          return "ring '" + ring.name + "' carries operation " + text(op) +
                 " of " + text(count());
      if (std::string reason = waitsForSlots(ring); !reason.empty())
        return reason;
      for (int op : ring.operations) {
        begin = std::min(begin, solution.start[op]);
        for (const Dependence &edge : problem.dependences)
          if (edge.from == op) {
            end = std::max(
                end, solution.start[edge.to] + edge.distance * solution.ii +
                         latencyOf(edge.to) + problem.machine.handOverCycles);
          }
      }
      bytes += slotBytes(problem, ring) * ring.depth;
      if (end > begin && end - begin > ring.depth * solution.ii)
        return "a slot of ring '" + ring.name + "' is in use " +
               text(end - begin) + " cycles, but comes round after " +
               text(ring.depth) + " x " + text(solution.ii);
    }
    if (bytes > problem.machine.sharedBytes)
      return "the rings need " + text(bytes) +
             " B of shared memory and there are " +
             text(problem.machine.sharedBytes) + " B";
    return "";
  }

  const Problem &problem;
  const Solution &solution;
};

} // namespace

int64_t heddle::schedule::peakRegisters(const Problem &problem,
                                        const Solution &solution, int process) {
  return peak(
      problem, solution,
      [&](int op) { return solution.process[op] == process; },
      [](const Operation &op) { return op.registers; });
}

std::string heddle::schedule::verify(const Problem &problem,
                                     const Solution &solution) {
  return Verifier(problem, solution).run();
}
