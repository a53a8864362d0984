//===- EncodeGoals.cpp - What a schedule must reach beside being legal ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Encoding.h"

using namespace heddle::schedule;

void Encoding::addGoals() {
  for (int op = 0; op < operationCount(); ++op)
    if (hasQueue(op) && goals.slack && !operation(op).variableLatency)
      require(execution(op) - issue(op) >= number(goals.slack));
  if (goals.bytes)
    addBytes(*goals.bytes);
  if (goals.ownerChanges)
    addOwnerChanges(*goals.ownerChanges);
  for (const Relation &relation : goals.relations)
    addRelation(relation);
  if (goals.longest)
    for (size_t a = 0; a < blocks.size(); ++a)
      for (size_t b = 0; b < blocks.size(); ++b)
        if (!operation(blocks[a].ops.front()).variableLatency)
          require(issues[b].cycle - issues[a].cycle <= number(*goals.longest));
}

void Encoding::addBytes(int64_t most) {
  z3::expr sum = number(0);
  for (int op = 0; op < operationCount(); ++op) {
    int64_t bytes = handedOverBytes(problem, op);
    if (bytes == 0 || operation(op).variableLatency)
      continue;
    z3::expr stays = truth(true);
    for (const Dependence &edge : problem.dependences)
      if (edge.from == op && !edge.orders)
        stays = stays && sharesProcess(op, edge.to);
    sum = sum + z3::ite(stays, number(0), number(bytes));
  }
  require(sum <= number(most));
}

/// Whoever is taken up behind an operation of another process is a change. One
/// stands behind the other if nobody stands between them, modulo II.
void Encoding::addOwnerChanges(int64_t most) {
  z3::expr changes = number(0);
  for (int unit = 0; unit < int(problem.units.size()); ++unit) {
    std::vector<int> ops;
    for (int op = 0; op < operationCount(); ++op)
      if (operation(op).unit == unit && hasQueue(op) &&
          !operation(op).variableLatency && operation(op).reservation > 0)
        ops.push_back(op);
    auto isFirst = [&](int a, int b) {
      return a < b ? isBefore("x." + name(a) + "." + name(b))
                   : !isBefore("x." + name(b) + "." + name(a));
    };
    for (int after : ops) {
      z3::expr_vector stays(context);
      for (int before : ops) {
        if (before == after || sharesProcess(before, after).is_false())
          continue;
        z3::expr isNext = sharesProcess(before, after);
        for (int other : ops) {
          if (other == before || other == after)
            continue;
          // Going round from `before`, `after` comes ahead of `other`.
          z3::expr x = isFirst(before, after), y = isFirst(after, other),
                   z = isFirst(other, before);
          isNext = isNext && ((x && y) || (y && z) || (z && x));
        }
        stays.push_back(isNext);
      }
      if (ops.size() > 1)
        changes = changes + z3::ite(z3::mk_or(stays), number(0), number(1));
    }
  }
  require(changes <= number(most));
}

z3::expr Encoding::timeOf(Event event, int op) {
  if (event == Event::Issued)
    return issue(op);
  return execution(op) +
         number(event == Event::Done ? operation(op).latency : 0);
}

void Encoding::addRelation(const Relation &relation) {
  require(timeOf(relation.fromEvent, relation.from) + number(relation.delay) <=
          timeOf(relation.toEvent, relation.to) +
              number(relation.distance * ii));
}
