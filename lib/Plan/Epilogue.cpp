//===- Epilogue.cpp - Which results may wait for the next instance --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Plan/Epilogue.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>

using namespace heddle::plan;

void DeferredEpilogue::addLoop(const schedule::Problem &problem,
                               const schedule::Solution &solution) {
  for (size_t i = 0; i < solution.processes.size(); ++i) {
    const std::string &name = solution.processes[i].name;
    int64_t &most = held[name];
    most = std::max(most, peakRegisters(problem, solution, int(i)));
    int64_t computing = 0;
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      const schedule::Operation &operation = problem.operations[op];
      bool isProduct = problem.units[operation.unit].asynchronous &&
                       !operation.variableLatency;
      if (solution.process[op] == int(i) && !isProduct)
        computing += operation.issue;
    }
    if (double(computing) > deferring * double(solution.ii))
      busy.insert(name);
  }
}

bool DeferredEpilogue::take(const schedule::Process &process,
                            int64_t registers) {
  if (busy.count(process.name))
    return false;
  int64_t &taken = held[process.name];
  if (process.registers - taken - overhead < registers)
    return false;
  taken += registers;
  return true;
}
