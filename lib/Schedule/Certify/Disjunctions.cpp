//===- Disjunctions.cpp - What holds, whoever goes first ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Disjunctions.h"

#include <algorithm>
#include <numeric>

using namespace heddle::schedule;

DisjunctionRules::DisjunctionRules(const Problem &problem)
    : problem(problem), classOf(problem.operations.size()),
      held(problem.operations.size(), 0) {
  std::iota(classOf.begin(), classOf.end(), 0);
  for (const Dependence &edge : problem.dependences) {
    if (!staysInProcess(problem, edge))
      continue;
    int joined = classOf[edge.to];
    for (int &other : classOf)
      if (other == joined)
        other = classOf[edge.from];
  }
  for (size_t op = 0; op < classOf.size(); ++op)
    if (problem.operations[op].persists)
      held[classOf[op]] += problem.operations[op].registers;
}

bool DisjunctionRules::isAsynchronous(int op) const {
  return problem.units[problem.operations[op].unit].asynchronous;
}

bool DisjunctionRules::holds(const Disjunction &disjunction) const {
  int count = static_cast<int>(problem.operations.size());
  if (std::min(disjunction.first, disjunction.second) < 0 ||
      std::max(disjunction.first, disjunction.second) >= count ||
      disjunction.first == disjunction.second)
    return false;
  const Operation &first = problem.operations[disjunction.first],
                  &second = problem.operations[disjunction.second];
  bool share = classOf[disjunction.first] == classOf[disjunction.second];
  switch (disjunction.rule) {
  // What takes no time fits anywhere.
  case Disjunction::Unit:
    return first.unit == second.unit && first.reservation > 0 &&
           second.reservation > 0;
  case Disjunction::Process:
    return share && first.issue > 0 && second.issue > 0;
  case Disjunction::Registers:
    return share && excludeInRegisters(disjunction.first, disjunction.second);
  case Disjunction::Slots:
    return takesSlots(problem, disjunction.first) &&
           takesSlots(problem, disjunction.second) && disjunction.turn > 0;
  }
  return false;
}

bool DisjunctionRules::excludeInRegisters(int first, int second) const {
  int64_t need = held[classOf[first]] + problem.machine.overheadRegisters;
  for (int op : {first, second}) {
    if (problem.operations[op].persists || !surelyLives(op))
      return false;
    need += problem.operations[op].registers;
  }
  return need > problem.machine.maxRegisters;
}

/// Is the result there for a cycle at least, whenever its readers read it? A
/// life that is empty excludes nothing.
bool DisjunctionRules::surelyLives(int op) const {
  const Operation &made = problem.operations[op];
  int64_t ready = isAsynchronous(op) || !made.inPlace
                      ? made.latency
                      : made.latency - made.issue;
  return std::any_of(problem.dependences.begin(), problem.dependences.end(),
                     [&](const Dependence &edge) {
                       if (edge.from != op || edge.orders || edge.accumulates)
                         return false;
                       const Operation &reader = problem.operations[edge.to];
                       return ready + (isAsynchronous(edge.to) ? reader.latency
                                                               : reader.issue) >
                              0;
                     });
}

std::vector<Disjunction> DisjunctionRules::all() const {
  std::vector<Disjunction> result;
  int count = static_cast<int>(problem.operations.size());
  for (auto rule :
       {Disjunction::Unit, Disjunction::Process, Disjunction::Registers})
    for (int first = 0; first < count; ++first)
      for (int second = first + 1; second < count; ++second)
        if (Disjunction disjunction{rule, first, second, 0}; holds(disjunction))
          result.push_back(disjunction);
  for (int first = 0; first < count; ++first)
    for (int second = first + 1; second < count; ++second)
      if (takesSlots(problem, first) && takesSlots(problem, second))
        for (int64_t slots = 1; slots < slotsFor(problem, first); ++slots)
          result.push_back({Disjunction::Slots, first, second, slots});
  return result;
}

/// Behind its issue.
int64_t DisjunctionRules::birthOf(int op) const {
  const Operation &made = problem.operations[op];
  return made.inPlace && !isAsynchronous(op) ? made.issue : 0;
}

std::vector<Joint> DisjunctionRules::deathBeforeBirth(int dying, int born,
                                                      int64_t turn) const {
  std::vector<Joint> joints;
  for (const Dependence &edge : problem.dependences) {
    if (edge.from != dying || edge.orders)
      continue;
    const Operation &reader = problem.operations[edge.to];
    bool queues = isAsynchronous(edge.to);
    Link link{Link::Assumed, 0,
              (queues ? reader.latency : reader.issue) - birthOf(born),
              turn - edge.distance};
    joints.push_back({link, {edge.to, queues}, {born, false}});
  }
  return joints;
}

/// A slot of `op` is released before it is filled again.
std::vector<Joint> DisjunctionRules::comesRound(int op, int64_t slots) const {
  std::vector<Joint> joints;
  for (const Dependence &edge : problem.dependences) {
    if (edge.from != op || edge.orders)
      continue;
    Link link{Link::Assumed, 0,
              problem.operations[edge.to].latency +
                  problem.machine.handOverCycles,
              slots - edge.distance};
    joints.push_back({link, {edge.to, isAsynchronous(edge.to)}, {op, false}});
  }
  return joints;
}

std::vector<Joint> DisjunctionRules::linksOf(const Disjunction &disjunction,
                                             bool firstLeads) const {
  int leads = disjunction.first, follows = disjunction.second;
  int64_t turn = disjunction.turn;
  if (!firstLeads) {
    std::swap(leads, follows);
    turn = -turn;
  }
  const Operation &leader = problem.operations[leads];
  std::vector<Joint> joints;
  switch (disjunction.rule) {
  case Disjunction::Unit: {
    bool queues = isAsynchronous(leads);
    joints.push_back({{Link::Assumed, 0, leader.reservation, turn},
                      {leads, queues},
                      {follows, queues}});
    if (queues)
      joints.push_back(
          {{Link::Assumed, 0, 0, turn}, {leads, false}, {follows, false}});
    break;
  }
  case Disjunction::Process:
    joints.push_back({{Link::Assumed, 0, leader.issue, turn},
                      {leads, false},
                      {follows, false}});
    break;
  case Disjunction::Registers:
    joints = deathBeforeBirth(leads, follows, turn);
    break;
  case Disjunction::Slots:
    joints =
        firstLeads
            ? comesRound(disjunction.first, disjunction.turn)
            : comesRound(disjunction.second,
                         slotsFor(problem, disjunction.second,
                                  disjunction.first, disjunction.turn + 1));
    break;
  }
  for (size_t i = 0; i < joints.size(); ++i)
    joints[i].link.part = static_cast<int>(i);
  return joints;
}

std::vector<Joint> DisjunctionRules::anchor(Disjunction disjunction) const {
  disjunction.turn = 0;
  std::vector<Joint> joints = linksOf(disjunction, true);
  disjunction.turn = -1;
  for (Joint &joint : linksOf(disjunction, false)) {
    joint.link.part = static_cast<int>(joints.size());
    joints.push_back(joint);
  }
  return joints;
}

std::string DisjunctionRules::describe(const Disjunction &disjunction) const {
  if (disjunction.rule == Disjunction::Slots)
    return "'" + problem.operations[disjunction.first].name +
           "' with at most " + std::to_string(disjunction.turn) +
           " slots, or '" + problem.operations[disjunction.second].name +
           "' with at most what is left beside one more, " +
           std::to_string(slotsFor(problem, disjunction.second,
                                   disjunction.first, disjunction.turn + 1));
  std::string text = "'" + problem.operations[disjunction.first].name +
                     "' before or after '" +
                     problem.operations[disjunction.second].name + "'";
  if (int64_t apart = std::abs(disjunction.turn))
    text += " of " + std::to_string(apart) + " iteration" +
            (apart == 1 ? "" : "s") +
            (disjunction.turn > 0 ? " later" : " before");
  switch (disjunction.rule) {
  case Disjunction::Unit:
    return text + " on unit '" +
           problem.units[problem.operations[disjunction.first].unit].name + "'";
  case Disjunction::Process:
    return text + " in their process";
  case Disjunction::Registers:
    return text + " in the registers of their process";
  case Disjunction::Slots:
    break;
  }
  return text;
}

int64_t DisjunctionRules::shortestInterval() const {
  int64_t longest = 1;
  for (const Operation &op : problem.operations)
    longest = std::max({longest, op.reservation, op.issue});
  return longest;
}
