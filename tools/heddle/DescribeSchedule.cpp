//===- DescribeSchedule.cpp - A solver's schedule in a few lines ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribeSchedule.h"

#include <algorithm>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using namespace heddle::schedule;

/// An operation at a cycle of the interval, in the stage of its iteration.
static std::string place(const Operation &op, int64_t cycle, int64_t ii) {
  return op.name + " " + std::to_string(cycle % ii) + "@" +
         std::to_string(cycle / ii);
}

/// `ops` by where `cycleOf` has them in the interval.
template <class Cycle>
static void printInOrder(const Problem &problem, const Solution &solution,
                         std::vector<int> ops, Cycle cycleOf, raw_ostream &os) {
  std::stable_sort(ops.begin(), ops.end(), [&](int a, int b) {
    return cycleOf(a) % solution.ii < cycleOf(b) % solution.ii;
  });
  int shorter = 0;
  const char *separator = " ";
  for (int op : ops) {
    bool isShort = !problem.units[problem.operations[op].unit].asynchronous &&
                   problem.operations[op].issue * 32 < solution.ii;
    shorter += isShort;
    if (isShort)
      continue;
    os << separator << place(problem.operations[op], cycleOf(op), solution.ii);
    separator = ", ";
  }
  if (shorter)
    os << separator << "and " << shorter << " shorter ones";
  os << "\n";
}

void heddle::tool::describeSchedule(const Problem &problem,
                                    const Solution &solution, int64_t slack,
                                    raw_ostream &os) {
  auto select = [&](auto isMeant) {
    std::vector<int> ops;
    for (int op = 0; op < int(problem.operations.size()); ++op)
      if (isMeant(op))
        ops.push_back(op);
    return ops;
  };
  for (int i = 0; i < int(solution.processes.size()); ++i) {
    const Process &process = solution.processes[i];
    os << "  process " << process.name << ", " << process.warps << " warps";
    if (int64_t held = peakRegisters(problem, solution, i))
      os << ", " << held + problem.machine.overheadRegisters << " of "
         << process.registers << " registers";
    os << ":";
    printInOrder(
        problem, solution,
        select([&](int op) { return solution.process[op] == i; }),
        [&](int op) { return solution.start[op]; }, os);
  }
  for (int i = 0; i < int(problem.units.size()); ++i) {
    if (!problem.units[i].asynchronous)
      continue;
    std::vector<int> ops =
        select([&](int op) { return problem.operations[op].unit == i; });
    if (ops.empty())
      continue;
    os << "  unit " << problem.units[i].name << ":";
    printInOrder(
        problem, solution, ops,
        [&](int op) { return solution.executionOf(op); }, os);
  }
  for (const Ring &ring : solution.rings)
    os << "  ring " << ring.name << ": " << ring.depth << " slots\n";
  os << "  slack at asynchronous units: " << slack << " cycles\n";
}
