//===- Bounds.cpp - Lower bounds on II, with witnesses --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The recurrence bound is the largest ratio of delay to distance over the
// cycles of links, rounded up. It is found from below (Lawler 1976, with the
// ratio of each cycle found as the next guess): a cycle whose delays exceed its
// distances times the guess raises the guess to its own ratio; when there is
// none, no cycle has a larger one. All numbers are integers.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <algorithm>
#include <numeric>

using namespace heddle::schedule;

namespace {

Bound recurrenceBound(const Problem &problem) {
  std::vector<Joint> joints = jointsOf(problem);
  Bound bound;
  bound.kind = Bound::Recurrence;
  while (bound.ii != kNoInterval) {
    Cycle cycle = findViolated(joints, problem.operations.size(), bound.ii);
    if (cycle.empty())
      break;
    bound.ii = boundOf(delayOf(cycle), distanceOf(cycle));
    bound.links.clear();
    for (const Joint &joint : cycle)
      bound.links.push_back(joint.link);
  }
  return bound;
}

Bound unitBound(const Problem &problem, int unit) {
  Bound bound;
  bound.unit = unit;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (problem.operations[op].unit == unit) {
      bound.operations.push_back(static_cast<int>(op));
      bound.ii += problem.operations[op].reservation;
    }
  return bound;
}

/// What `first` shares a process with, over edges that cannot cross.
Bound processBound(const Problem &problem, int first) {
  Bound bound;
  bound.kind = Bound::Process;
  std::vector<bool> isIn(problem.operations.size(), false);
  isIn[first] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t i = 0; i < problem.dependences.size(); ++i) {
      const Dependence &edge = problem.dependences[i];
      if (!staysInProcess(problem, edge) || isIn[edge.from] == isIn[edge.to])
        continue;
      isIn[edge.from] = isIn[edge.to] = grows = true;
      bound.dependences.push_back(static_cast<int>(i));
    }
  }
  for (size_t op = 0; op < isIn.size(); ++op)
    if (isIn[op]) {
      bound.operations.push_back(static_cast<int>(op));
      bound.ii += problem.operations[op].issue;
    }
  return bound;
}

class Checker {
public:
  Checker(const Problem &problem, const Bound &bound)
      : problem(problem), bound(bound) {}

  std::string run() {
    switch (bound.kind) {
    case Bound::Unit:
      return unit();
    case Bound::Process:
      return process();
    case Bound::Recurrence:
      return recurrence();
    case Bound::Cases:
      return checkCases(problem, bound);
    }
    return "the bound has no witness";
  }

private:
  std::string claim(int64_t sum) const {
    if (sum == bound.ii)
      return "";
    return "the witness adds up to " + std::to_string(sum) +
           " cycles, and the bound claims " + std::to_string(bound.ii);
  }

  /// Each is an operation and none is there twice.
  std::string operationsAreDistinct() const {
    std::vector<int> sorted = bound.operations;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] < 0 ||
          sorted[i] >= static_cast<int>(problem.operations.size()) ||
          (i > 0 && sorted[i] == sorted[i - 1]))
        return "the witness names operation " + std::to_string(sorted[i]) +
               ", which does not exist or is named twice";
    return "";
  }

  std::string unit() const {
    if (std::string reason = operationsAreDistinct(); !reason.empty())
      return reason;
    int64_t sum = 0;
    for (int op : bound.operations) {
      if (problem.operations[op].unit != bound.unit)
        return "the witness counts '" + problem.operations[op].name +
               "', which is on another unit";
      sum += problem.operations[op].reservation;
    }
    return claim(sum);
  }

  std::string process() const {
    if (std::string reason = operationsAreDistinct(); !reason.empty())
      return reason;
    std::vector<int> group(problem.operations.size());
    std::iota(group.begin(), group.end(), 0);
    for (int index : bound.dependences) {
      if (index < 0 || index >= static_cast<int>(problem.dependences.size()) ||
          !staysInProcess(problem, problem.dependences[index]))
        return "the witness names dependence " + std::to_string(index) +
               ", which does not keep two operations in one process";
      const Dependence &edge = problem.dependences[index];
      int joined = group[edge.to];
      for (int &other : group)
        if (other == joined)
          other = group[edge.from];
    }
    int64_t sum = 0;
    for (int op : bound.operations) {
      if (group[op] != group[bound.operations.front()])
        return "the witness counts '" + problem.operations[op].name +
               "', which none of its dependences keeps in the process";
      sum += problem.operations[op].issue;
    }
    return claim(sum);
  }

  std::string recurrence() const {
    Cycle cycle;
    for (const Link &link : bound.links) {
      auto joint = jointOf(problem, link.rule, link.index);
      if (!joint || joint->link.delay != link.delay ||
          joint->link.distance != link.distance)
        return "step " + std::to_string(cycle.size()) +
               " of the recurrence is none of the problem's";
      cycle.push_back(*joint);
    }
    if (auto step = findBreak(cycle))
      return "step " + std::to_string(*step) +
             " of the recurrence does not start where the one before ends";
    return claim(boundOf(delayOf(cycle), distanceOf(cycle)));
  }

  const Problem &problem;
  const Bound &bound;
};

std::string describe(const Problem &problem, const Event &event) {
  return "'" + problem.operations[event.op].name +
         (event.isTakeUp ? "' is taken up" : "' is issued");
}

std::string count(int64_t number, const std::string &noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

} // namespace

Bound heddle::schedule::findBound(const Problem &problem) {
  Bound best;
  auto offer = [&](const Bound &bound) {
    if (bound.ii > best.ii)
      best = bound;
  };
  for (size_t unit = 0; unit < problem.units.size(); ++unit)
    offer(unitBound(problem, static_cast<int>(unit)));
  for (size_t op = 0; op < problem.operations.size(); ++op)
    offer(processBound(problem, static_cast<int>(op)));
  offer(recurrenceBound(problem));
  return best;
}

std::string heddle::schedule::checkBound(const Problem &problem,
                                         const Bound &bound) {
  return Checker(problem, bound).run();
}

std::string heddle::schedule::describe(const Problem &problem,
                                       const Bound &bound) {
  std::string cycles = count(bound.ii, "cycle");
  switch (bound.kind) {
  case Bound::Unit:
    if (problem.units.empty())
      return "nothing is busy";
    return "unit '" + problem.units[bound.unit].name + "' is busy " + cycles;
  case Bound::Process:
    return "one process issues '" +
           problem.operations[bound.operations.front()].name + "' and " +
           count(static_cast<int64_t>(bound.operations.size()) - 1, "other") +
           " for " + cycles;
  case Bound::Recurrence: {
    std::string text = "the recurrence";
    int64_t delay = 0, distance = 0;
    int shown = -1;
    for (const Link &link : bound.links) {
      delay += link.delay;
      distance += link.distance;
      int op = jointOf(problem, link.rule, link.index)->from.op;
      if (op != shown)
        text +=
            (shown < 0 ? " '" : " -> '") + problem.operations[op].name + "'";
      shown = op;
    }
    return text + " takes " + count(delay, "cycle") + " over " +
           count(distance, "iteration");
  }
  case Bound::Cases:
    return describeCases(problem, bound);
  }
  return "";
}

std::string heddle::schedule::describeStart(const Problem &problem,
                                            const Link &link) {
  auto joint = jointOf(problem, link.rule, link.index);
  return joint ? ::describe(problem, joint->from) : "";
}

std::string heddle::schedule::describeEnd(const Problem &problem,
                                          const Link &link) {
  auto joint = jointOf(problem, link.rule, link.index);
  return joint ? ::describe(problem, joint->to) : "";
}

std::string heddle::schedule::spelling(Link::Rule rule) {
  switch (rule) {
  case Link::Value:
    return "value";
  case Link::Accumulate:
    return "accumulate";
  case Link::Order:
    return "order";
  case Link::Queue:
    return "queue";
  case Link::Copy:
    return "copy";
  case Link::Slot:
    return "slot";
  case Link::Assumed:
    return "assumed";
  }
  return "";
}
