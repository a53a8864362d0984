//===- Query.cpp - One question about a schedule to the SMT solver --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Encoding.h"

#include <algorithm>
#include <climits>

using namespace heddle::schedule;

Reply Encoding::solve(uint64_t limit) {
  z3::params params(context);
  params.set("rlimit", unsigned(std::min<uint64_t>(limit, UINT_MAX)));
  params.set("random_seed", 0u);
  solver.set(params);
  Reply reply;
  switch (solver.check()) {
  case z3::sat:
    reply.answer = Reach::Found;
    reply.solution = read(solver.get_model());
    break;
  case z3::unsat:
    reply.answer = Reach::Refuted;
    break;
  case z3::unknown:
    break;
  }
  reply.steps = steps();
  return reply;
}

Solution Encoding::read(const z3::model &model) {
  Solution solution;
  solution.ii = ii;
  solution.process = roles.process;
  solution.processes = roles.processes;
  solution.rings = roles.rings;
  int64_t first = INT64_MAX;
  for (int op = 0; op < operationCount(); ++op) {
    solution.start.push_back(valueOf(model, issue(op)));
    solution.execution.push_back(valueOf(model, execution(op)));
    first = std::min(first, solution.start.back());
  }
  // Whole turns only: where a turn begins says what belongs to one step.
  first -= (first % ii + ii) % ii;
  for (int op = 0; op < operationCount(); ++op) {
    solution.start[op] -= first;
    solution.execution[op] -= first;
  }
  for (size_t i = 0; i < depths.size(); ++i)
    solution.rings[i].depth = valueOf(model, depths[i]);
  for (int op = 0; roles.areFree() && op < operationCount(); ++op)
    for (int process = 0; process < int(roles.processes.size()); ++process) {
      z3::expr here = model.eval(isIn(op, process), true);
      if (here.is_true() && int(solution.process.size()) == op)
        solution.process.push_back(process);
    }
  for (size_t i = 0; roles.areFree() && i < roles.processes.size(); ++i)
    solution.processes[i].registers = valueOf(model, registersOf(int(i)));
  return solution;
}

uint64_t Encoding::steps() {
  z3::stats statistics = solver.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i)
    if (statistics.key(i) == "rlimit count")
      return statistics.is_uint(i) ? statistics.uint_value(i) : 0;
  return 0;
}

Reply heddle::schedule::ask(const Query &query, uint64_t steps) {
  return Encoding(query).solve(steps);
}

std::string heddle::schedule::toSmtLib(const Query &query) {
  return Encoding(query).text();
}
