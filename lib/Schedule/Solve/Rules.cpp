//===- Rules.cpp - What a query asks of times, as links -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "InStep.h"
#include "Symmetry.h"

#include <algorithm>
#include <numeric>

using namespace heddle::schedule;

Rules::Rules(const Query &query)
    : problem(query.problem), roles(query.roles), goals(query.goals),
      ii(query.ii), isComplete(query.mode == Mode::Complete) {
  addEvents();
  addDependences();
  addCopies();
  addRings();
  addGoals();
  int count = int(problem.operations.size());
  for (int a = 0; a < count; ++a) {
    const Operation &op = problem.operations[a];
    isImpossible |= op.issue > ii || op.reservation > ii;
    for (int b = a + 1; b < count; ++b)
      addDisjunction(a, b);
  }
  addAnchors(findSymmetric(query));
  int64_t longest = 0;
  for (const Arc &link : links)
    longest = std::max(longest, link.weight);
  apart = eventCount * (ii + longest);
}

void Rules::addEvents() {
  for (int op = 0; op < int(problem.operations.size()); ++op) {
    issues.push_back(eventCount++);
    takeUps.push_back(hasQueue(op) ? eventCount++ : issues.back());
    if (hasQueue(op))
      links.push_back({issues.back(), takeUps.back(), 0});
  }
}

int Rules::endEventOf(const Dependence &edge) const {
  return isAsynchronous(edge.to) ? takeUpOf(edge.to) : issueOf(edge.to);
}

int64_t Rules::endDelayOf(const Dependence &edge) const {
  const Operation &reader = problem.operations[edge.to];
  return edge.distance * ii +
         (isAsynchronous(edge.to) ? reader.latency : reader.issue);
}

int64_t Rules::birthDelayOf(int op) const {
  const Operation &made = problem.operations[op];
  return made.inPlace && !isAsynchronous(op) ? made.issue : 0;
}

/// Of `from`, whose result `edge` reads: that of the edge itself, or one that
/// shares the slot.
void Rules::addDelay(const Dependence &edge, int from, int read) {
  Dependence wait = edge;
  wait.from = from;
  bool waitsForQueue = !edge.accumulates && !edge.orders && hasQueue(from) &&
                       !isAsynchronous(edge.to);
  links.push_back({takeUpOf(from), read,
                   requiredDelay(problem, wait, !sharesProcess(from, edge.to)) +
                       (waitsForQueue ? goals.slack : 0) - edge.distance * ii});
}

void Rules::addDependences() {
  for (const Dependence &edge : problem.dependences) {
    bool crosses = !sharesProcess(edge.from, edge.to);
    isImpossible |=
        crosses &&
        (edge.accumulates || (!edge.orders && !mayCross(problem, edge.from)));
    addDelay(edge, edge.from,
             edge.accumulates ? takeUpOf(edge.to) : issueOf(edge.to));
  }
  for (const Ring &ring : roles.rings)
    for (int last : ring.operations)
      for (int op : ring.operations)
        for (const Dependence &edge : problem.dependences)
          if (edge.from == op && !edge.orders &&
              (op != last || edge.accumulates))
            addDelay(edge, last, issueOf(edge.to));
}

/// An asynchronous unit writes registers that nobody can copy meanwhile.
void Rules::addCopies() {
  for (const Dependence &edge : problem.dependences)
    if (!edge.accumulates && !edge.orders && isAsynchronous(edge.from) &&
        !goesThroughSlots(problem, edge.from))
      links.push_back(
          {endEventOf(edge), issueOf(edge.from), endDelayOf(edge) - ii});
}

Links Rules::slotLinks(const Ring &ring, int64_t depth) const {
  Links found;
  for (int op : ring.operations)
    for (int first : ring.operations)
      for (const Dependence &edge : problem.dependences)
        if (edge.from == op)
          found.push_back({takeUpOf(edge.to), issueOf(first),
                           problem.operations[edge.to].latency +
                               problem.machine.handOverCycles +
                               (edge.distance - depth) * ii});
  return found;
}

int64_t Rules::mostSlots(const Ring &ring) const {
  int64_t left = problem.machine.sharedBytes, mine = slotBytes(problem, ring);
  for (const Ring &other : roles.rings)
    left -= slotBytes(problem, other);
  if (left < 0)
    return 0;
  return std::min(problem.machine.ringDepth,
                  mine > 0 ? left / mine + 1 : problem.machine.ringDepth);
}

void Rules::addRings() {
  for (const Ring &ring : roles.rings) {
    int64_t most = mostSlots(ring);
    isImpossible |= most < 1;
    Links more = slotLinks(ring, most);
    links.insert(links.end(), more.begin(), more.end());
  }
}

/// What sub-tiles have in common follows at the same distance, II divided among
/// them. Half of the events are left to place, and code generation can make one
/// text of two processes. Loads are another process's, and no part of the step.
void Rules::addSteps() {
  auto bind = [&](int from, int to, int64_t distance) {
    links.push_back({from, to, distance});
    links.push_back({to, from, -distance});
  };
  for (int op = 0; op < int(problem.operations.size()); ++op) {
    const Operation &operation = problem.operations[op];
    if (operation.leader < 0 || operation.variableLatency)
      continue;
    int64_t distance = stepOf(problem, ii, operation.sub);
    bind(issueOf(operation.leader), issueOf(op), distance);
    if (hasQueue(op))
      bind(takeUpOf(operation.leader), takeUpOf(op), distance);
  }
}

void Rules::addGoals() {
  int count = int(problem.operations.size());
  for (int op = 0; op < count; ++op)
    if (hasQueue(op) && goals.slack && !problem.operations[op].variableLatency)
      links.push_back({issueOf(op), takeUpOf(op), goals.slack});
  auto timeOf = [&](Event event, int op) -> std::pair<int, int64_t> {
    if (event == Event::Issued)
      return {issueOf(op), 0};
    return {takeUpOf(op),
            event == Event::Done ? problem.operations[op].latency : 0};
  };
  for (const Relation &relation : goals.relations) {
    auto [from, fromDelay] = timeOf(relation.fromEvent, relation.from);
    auto [to, toDelay] = timeOf(relation.toEvent, relation.to);
    links.push_back(
        {from, to,
         fromDelay + relation.delay - toDelay - relation.distance * ii});
  }
  if (goals.inStep)
    addSteps();
  for (int a = 0; goals.longest && a < count; ++a)
    for (int b = 0; b < count; ++b)
      if (!problem.operations[a].variableLatency)
        links.push_back({issueOf(b), issueOf(a), -*goals.longest});
}

/// One unit serves both, or one process issues both. A unit with a queue takes
/// operations up in the order of their issue, over all processes; a table could
/// not say who is first of two that are issued at once.
void Rules::addDisjunction(int a, int b) {
  const Operation &first = problem.operations[a],
                  &second = problem.operations[b];
  bool isTogether = sharesProcess(a, b);
  int64_t issueA = isTogether ? first.issue : 0,
          issueB = isTogether ? second.issue : 0;
  Exclusion both;
  auto add = [&](int from, int to, int64_t lengthFrom, int64_t lengthTo) {
    both.first.push_back({from, to, lengthFrom});
    both.second.push_back({to, from, lengthTo});
  };
  if (first.unit == second.unit && (hasQueue(a) || hasQueue(b))) {
    int64_t apart = isComplete ? 0 : 1;
    add(takeUpOf(a), takeUpOf(b), first.reservation, second.reservation);
    add(issueOf(a), issueOf(b), std::max(apart, issueA),
        std::max(apart, issueB));
  } else if (first.unit == second.unit) {
    issueA = std::max(issueA, first.reservation);
    issueB = std::max(issueB, second.reservation);
  }
  if (both.first.empty() && issueA + issueB > 0)
    add(issueOf(a), issueOf(b), issueA, issueB);
  if (!both.first.empty())
    disjunctions.push_back(std::move(both));
}

/// What no link joins may be shifted by whole turns against the rest: only
/// residues matter between them. So the longest operation of each part follows
/// the first one's within a turn. Within a part, of a symmetric pair one goes
/// first. Quick questions also leave out what has symmetric pairs more than a
/// turn apart, as slots of loads would let them be; of their places in the
/// circle of a turn, the widest gap may be the last.
void Rules::addAnchors(const std::vector<std::pair<int, int>> &symmetric) {
  int count = int(problem.operations.size());
  std::vector<int> partOf(eventCount);
  std::iota(partOf.begin(), partOf.end(), 0);
  for (const Arc &link : links) {
    int joined = partOf[link.to], part = partOf[link.from];
    std::replace(partOf.begin(), partOf.end(), joined, part);
  }
  for (const auto &[first, second] : symmetric)
    if (partOf[issueOf(first)] == partOf[issueOf(second)])
      links.push_back({issueOf(first), issueOf(second), 0});
  if (!isComplete && !symmetric.empty()) {
    int64_t others = int64_t(symmetric.size()), all = others + 1;
    links.push_back({issueOf(symmetric.back().second),
                     issueOf(symmetric.front().first), -others * ii / all});
  }
  std::vector<int> longest(eventCount, -1); // of a part
  auto length = [&](int op) {
    const Operation &operation = problem.operations[op];
    return std::max(operation.reservation, operation.issue);
  };
  for (int op = 0; op < count; ++op) {
    int &known = longest[partOf[issueOf(op)]];
    if (known < 0 || length(op) > length(known))
      known = op;
  }
  int anchor = -1;
  for (int op : longest) {
    if (op < 0)
      continue;
    if (anchor >= 0) {
      links.push_back({takeUpOf(anchor), takeUpOf(op), 0});
      links.push_back({takeUpOf(op), takeUpOf(anchor), 1 - ii});
    }
    anchor = anchor < 0 ? op : anchor;
  }
}
