//===- Problem.cpp - Bounds and the verifier of solutions -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Problem.h"

#include <algorithm>
#include <map>

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
    if (op.sub >= subTiles)
      return "operation '" + op.name + "' works on sub-tile " + text(op.sub) +
             " of " + text(subTiles);
  }
  for (const Dependence &edge : dependences)
    if (edge.from < 0 || edge.from >= count || edge.to < 0 ||
        edge.to >= count || edge.distance < 0 || edge.delay < 0)
      return "a dependence names operation " +
             text(std::max(edge.from, edge.to)) + " or distance " +
             text(edge.distance);
  for (const Transfer &transfer : transfers)
    if (transfer.from < 0 || transfer.from >= count || transfer.bytes < 0)
      return "a transfer names operation " + text(transfer.from);
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

namespace {

int64_t modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

class Verifier {
public:
  Verifier(const Problem &problem, const Solution &solution)
      : problem(problem), solution(solution) {}

  std::string run() {
    for (auto step :
         {&Verifier::shape, &Verifier::dependences, &Verifier::units,
          &Verifier::inOrder, &Verifier::registers, &Verifier::rings})
      if (std::string reason = (this->*step)(); !reason.empty())
        return reason;
    return "";
  }

private:
  const std::string &name(int op) const { return problem.operations[op].name; }

  std::string shape() {
    size_t count = problem.operations.size();
    if (solution.start.size() != count || solution.process.size() != count)
      return "the solution places " + text(solution.start.size()) + " of " +
             text(count) + " operations";
    if (solution.ii < 1)
      return "the initiation interval is " + text(solution.ii);
    for (size_t op = 0; op < count; ++op) {
      if (solution.start[op] < 0)
        return "'" + name(op) + "' starts at cycle " + text(solution.start[op]);
      if (solution.process[op] < 0 ||
          solution.process[op] >= static_cast<int>(solution.processes.size()))
        return "'" + name(op) + "' is in no process";
    }
    return "";
  }

  std::string dependences() {
    for (const Dependence &edge : problem.dependences) {
      bool crosses = solution.process[edge.from] != solution.process[edge.to];
      if (edge.accumulates && crosses)
        return "'" + name(edge.to) + "' accumulates onto '" + name(edge.from) +
               "' in another process";
      int64_t delay = requiredDelay(problem, edge, crosses);
      int64_t have = solution.start[edge.to] + edge.distance * solution.ii -
                     solution.start[edge.from];
      if (have < delay)
        return "dependence '" + name(edge.from) + "' -> '" + name(edge.to) +
               "' (distance " + text(edge.distance) + ") needs " + text(delay) +
               " cycles and has " + text(have);
    }
    return "";
  }

  /// Two operations that must not overlap modulo II, with their lengths.
  bool overlap(int a, int64_t lengthA, int b, int64_t lengthB) const {
    int64_t gap = modulo(solution.start[b] - solution.start[a], solution.ii);
    return gap < lengthA || solution.ii - gap < lengthB;
  }

  std::string units() {
    for (size_t a = 0; a < problem.operations.size(); ++a) {
      const Operation &first = problem.operations[a];
      if (first.reservation > solution.ii)
        return "'" + first.name + "' keeps its unit " +
               text(first.reservation) +
               " cycles, longer than II = " + text(solution.ii);
      for (size_t b = a + 1; b < problem.operations.size(); ++b)
        if (first.unit == problem.operations[b].unit &&
            overlap(a, first.reservation, b, problem.operations[b].reservation))
          return "'" + first.name + "' and '" + name(b) + "' are on unit '" +
                 problem.units[first.unit].name + "' at the same time";
    }
    return "";
  }

  std::string inOrder() {
    for (size_t a = 0; a < problem.operations.size(); ++a)
      for (size_t b = a + 1; b < problem.operations.size(); ++b)
        if (solution.process[a] == solution.process[b] &&
            overlap(a, problem.operations[a].issue, b,
                    problem.operations[b].issue))
          return "process '" + solution.processes[solution.process[a]].name +
                 "' issues '" + name(a) + "' and '" + name(b) +
                 "' at the same time";
    return "";
  }

  /// Registers that an asynchronous unit writes cannot be copied while it does,
  /// so a result has one set of them: it is read before the next iteration's is
  /// made.
  std::string registers() {
    for (const Dependence &edge : problem.dependences) {
      const Operation &from = problem.operations[edge.from];
      if (edge.accumulates || edge.orders || !problem.units[from.unit].asynchronous ||
          isTransferred(edge.from))
        continue;
      int64_t end = solution.start[edge.to] + edge.distance * solution.ii +
                    problem.operations[edge.to].issue;
      if (end > solution.start[edge.from] + solution.ii)
        return "'" + name(edge.to) + "' reads the registers of '" + from.name +
               "' until cycle " + text(end) + ", but the next '" + from.name +
               "' writes them from cycle " +
               text(solution.start[edge.from] + solution.ii);
    }
    return "";
  }

  bool isTransferred(int op) const {
    return std::any_of(
        problem.transfers.begin(), problem.transfers.end(),
        [&](const Transfer &transfer) { return transfer.from == op; });
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
                         solution.start[last];
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
      if (std::string reason = waitsForSlots(ring); !reason.empty())
        return reason;
      for (int op : ring.operations) {
        begin = std::min(begin, solution.start[op]);
        for (const Dependence &edge : problem.dependences)
          if (edge.from == op) {
            const Operation &user = problem.operations[edge.to];
            end = std::max(end, solution.start[edge.to] +
                                    edge.distance * solution.ii + user.latency +
                                    problem.machine.handOverCycles);
          }
        for (const Transfer &transfer : problem.transfers)
          if (transfer.from == op)
            bytes += transfer.bytes * ring.depth;
      }
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

std::string heddle::schedule::verify(const Problem &problem,
                                     const Solution &solution) {
  return Verifier(problem, solution).run();
}
