//===- EncodePlacement.cpp - Who shares a process -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where roles are free, each class of operations that cannot part is in exactly
// one process of a pool. Processes are interchangeable, so a class may be in
// one only if an earlier class is in the one before.
//
//===----------------------------------------------------------------------===//

#include "Encoding.h"

#include <algorithm>
#include <set>

using namespace heddle::schedule;

z3::expr Encoding::isIn(int op, int process) {
  if (!roles.areFree())
    return truth(roles.process[op] == process);
  if (roles.hasLoader && (process == 0 || operation(op).variableLatency))
    return truth(process == 0 && operation(op).variableLatency);
  return boolean("in." + name(classes[op]) + "." + std::to_string(process));
}

z3::expr Encoding::sharesProcess(int a, int b) {
  if (!roles.areFree())
    return truth(roles.process[a] == roles.process[b]);
  int first = std::min(classes[a], classes[b]),
      second = std::max(classes[a], classes[b]);
  if (roles.hasLoader &&
      (operation(a).variableLatency || operation(b).variableLatency))
    return truth(operation(a).variableLatency && operation(b).variableLatency);
  if (first == second)
    return truth(true);
  return shared.at({first, second});
}

z3::expr Encoding::registersOf(int process) {
  return integer("registers." + std::to_string(process)) * number(8);
}

void Encoding::placeFreely() {
  classes = inseparableClasses(problem);
  std::vector<int> movable;
  for (int op = 0; op < operationCount(); ++op)
    if (classes[op] == op &&
        !(roles.hasLoader && operation(op).variableLatency))
      movable.push_back(op);
  int base = roles.hasLoader ? 1 : 0, count = int(roles.processes.size());
  for (size_t i = 0; i < movable.size(); ++i) {
    int mine = movable[i];
    z3::expr_vector choices(context);
    for (int process = base; process < count; ++process)
      choices.push_back(isIn(mine, process));
    require(z3::mk_or(choices));
    require(z3::atmost(choices, 1));
    for (int process = base; process < count; ++process) {
      z3::expr_vector before(context);
      for (size_t j = 0; j < i && process > base; ++j)
        before.push_back(isIn(movable[j], process - 1));
      if (process > base)
        require(z3::implies(isIn(mine, process), z3::mk_or(before)));
    }
    for (size_t j = 0; j < i; ++j) {
      z3::expr share = boolean("share." + name(movable[j]) + "." + name(mine));
      shared.emplace(std::pair(movable[j], mine), share);
      for (int process = base; process < count; ++process) {
        z3::expr here = isIn(mine, process), there = isIn(movable[j], process);
        require(z3::implies(here && there, share));
        require(z3::implies(share && here, there));
      }
    }
  }
  // What a process issues fits into an iteration; the times say so, too.
  for (int process = base; process < count; ++process) {
    z3::expr busy = number(0);
    for (int mine : movable) {
      int64_t issue = 0;
      for (int op = 0; op < operationCount(); ++op)
        issue += classes[op] == mine ? operation(op).issue : 0;
      busy = busy + z3::ite(isIn(mine, process), number(issue), number(0));
    }
    require(busy <= number(ii));
  }
}
