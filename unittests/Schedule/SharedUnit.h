//===- SharedUnit.h - Two processes that share a unit -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules of two processes that share an asynchronous unit, made to measure:
// as many products as a test asks for, or two staggered sub-tiles that keep the
// unit busy. The policy of lib/Plan and what solvers do with sub-tiles are
// tested on them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_SCHEDULE_SHAREDUNIT_H
#define HEDDLE_UNITTESTS_SCHEDULE_SHAREDUNIT_H

#include "SampleMachine.h"

#include "heddle/Schedule/Problem.h"

#include <string>
#include <utility>

namespace heddle::schedule {

/// `count` products a process of 100 cycles each, two processes.
inline std::pair<Problem, Solution> sharedUnit(int count, int64_t ii) {
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "loop";
  problem.units = {{"alu", false}, {"tensor", true}};
  Solution solution;
  solution.ii = ii;
  solution.processes = {{"mma.0", 4, 0}, {"mma.1", 4, 0}};
  for (int process = 0; process < 2; ++process)
    for (int i = 0; i < count; ++i) {
      problem.operations.push_back(
          {"p" + std::to_string(process) + std::to_string(i), 1, 100, 120, 10});
      solution.start.push_back((process * count + i) * 100);
      solution.process.push_back(process);
    }
  return {problem, solution};
}

/// Two sub-tiles, half an interval of 400 cycles apart, that keep the unit busy
/// but for what `ii` is longer.
inline std::pair<Problem, Solution> staggered(int64_t ii = 400) {
  auto [problem, solution] = sharedUnit(2, ii);
  problem.subTiles = 2;
  for (int op = 0; op < 4; ++op) {
    problem.operations[op].name =
        "p" + std::to_string(op % 2) + "." + std::to_string(op / 2);
    problem.operations[op].sub = op / 2;
    problem.operations[op].leader = op / 2 ? op % 2 : -1;
    solution.start[op] = op % 2 * 100 + op / 2 * ii / 2;
  }
  return {problem, solution};
}

} // namespace heddle::schedule

#endif // HEDDLE_UNITTESTS_SCHEDULE_SHAREDUNIT_H
