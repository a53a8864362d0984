//===- Cases.cpp - Checks bounds that hold whoever goes first -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Anchors. No link that a case uses joins two parts of the problem. So all
// times of a part can be shifted by whole intervals: links inside it hold as
// before, and so does each disjunction, which is said of all their
// iterations. (Lives in registers and turns of slots end with readers, so these
// belong to the part of what they read if that is asked for.) Of a
// disjunction between two parts, the one can so be brought behind the other and
// before its next. Then the two are one part.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace heddle::schedule;

/// So that sums of distances times an interval stay in range.
static constexpr size_t kMaxLinks = 1024;
static constexpr int64_t kMaxTurn = 1 << 12;

std::vector<Joint> heddle::schedule::linksOf(const DisjunctionRules &rules,
                                             const Assumption &assumption) {
  if (assumption.leader == Assumption::Anchored)
    return rules.anchor(assumption.disjunction);
  return rules.linksOf(assumption.disjunction,
                       assumption.leader == Assumption::First);
}

std::string heddle::schedule::walkCases(
    const Bound &bound,
    llvm::function_ref<std::string(size_t, const std::vector<Assumption> &)>
        visit) {
  std::vector<Assumption> path;
  for (const Disjunction &anchor : bound.anchors)
    path.push_back({anchor, Assumption::Anchored});
  bool isDone = false;
  for (size_t i = 0; i < bound.cases.size(); ++i) {
    if (isDone)
      return "no question leads to case " + std::to_string(i);
    if (std::string reason = visit(i, path); !reason.empty())
      return reason;
    if (bound.cases[i].links.empty()) {
      path.push_back({bound.cases[i].disjunction, Assumption::First});
      continue;
    }
    while (path.size() > bound.anchors.size() &&
           path.back().leader == Assumption::Second)
      path.pop_back();
    isDone = path.size() == bound.anchors.size();
    if (!isDone)
      path.back().leader = Assumption::Second;
  }
  return isDone ? "" : "a case is missing";
}

Cycle heddle::schedule::cycleOf(const Problem &problem,
                                const DisjunctionRules &rules,
                                const std::vector<Assumption> &assumptions,
                                const std::vector<Link> &links) {
  Cycle cycle;
  for (const Link &link : links) {
    std::optional<Joint> joint;
    if (link.rule != Link::Assumed) {
      joint = jointOf(problem, link.rule, link.index);
    } else if (link.index >= 0 &&
               link.index < static_cast<int>(assumptions.size())) {
      std::vector<Joint> parts = linksOf(rules, assumptions[link.index]);
      if (link.part >= 0 && link.part < static_cast<int>(parts.size())) {
        joint = parts[link.part];
        joint->link.index = link.index;
      }
    }
    if (!joint)
      break;
    cycle.push_back(*joint);
  }
  return cycle;
}

namespace {

class CaseChecker {
public:
  CaseChecker(const Problem &problem, const Bound &bound)
      : problem(problem), bound(bound), rules(problem),
        partOf(problem.operations.size()) {
    std::iota(partOf.begin(), partOf.end(), 0);
  }

  std::string run() {
    for (const Disjunction &anchor : bound.anchors)
      if (!isSound(anchor) || anchor.rule > Disjunction::Process)
        return "the anchors name operations that do not exclude each other";
    std::string reason = walkCases(bound, [&](size_t i, const auto &path) {
      return bound.cases[i].links.empty() ? question(i) : recurrence(i, path);
    });
    if (!reason.empty())
      return reason;
    if (reason = anchors(); !reason.empty())
      return reason;
    if (least != bound.ii)
      return "the witness adds up to " + std::to_string(least) +
             " cycles, and the bound claims " + std::to_string(bound.ii);
    return "";
  }

private:
  bool isSound(const Disjunction &disjunction) const {
    return rules.holds(disjunction) && std::abs(disjunction.turn) <= kMaxTurn;
  }

  std::string question(size_t i) {
    const Disjunction &disjunction = bound.cases[i].disjunction;
    if (!isSound(disjunction))
      return "case " + std::to_string(i) +
             " asks for the order of operations that do not exclude each other";
    if (disjunction.rule > Disjunction::Process)
      for (const Dependence &edge : problem.dependences)
        if (edge.from == disjunction.first || edge.from == disjunction.second)
          join(edge.from, edge.to);
    return "";
  }

  std::string recurrence(size_t i, const std::vector<Assumption> &path) {
    const std::vector<Link> &links = bound.cases[i].links;
    std::string place = " of case " + std::to_string(i);
    if (links.size() > kMaxLinks)
      return "the recurrence" + place + " has more than " +
             std::to_string(kMaxLinks) + " steps";
    Cycle cycle = cycleOf(problem, rules, path, links);
    if (cycle.size() < links.size())
      return "step " + std::to_string(cycle.size()) + place +
             " is none of the problem's and of what is assumed";
    if (auto step = findBreak(cycle))
      return "step " + std::to_string(*step) + place +
             " does not start where the one before ends";
    for (const Joint &joint : cycle)
      if (joint.link.rule != Link::Assumed)
        join(joint.from.op, joint.to.op);
    least = std::min(least, boundOf(delayOf(cycle), distanceOf(cycle),
                                    rules.shortestInterval()));
    return "";
  }

  void join(int a, int b) {
    int joined = partOf[b];
    for (int &other : partOf)
      if (other == joined)
        other = partOf[a];
  }

  std::string anchors() {
    for (const Disjunction &anchor : bound.anchors) {
      if (partOf[anchor.first] == partOf[anchor.second])
        return "'" + problem.operations[anchor.first].name + "' and '" +
               problem.operations[anchor.second].name +
               "' are anchored, but links join them already";
      join(anchor.first, anchor.second);
    }
    return "";
  }

  const Problem &problem;
  const Bound &bound;
  DisjunctionRules rules;
  std::vector<int> partOf; ///< operations joined by links
  int64_t least = kNoInterval;
};

std::string count(int64_t number, const std::string &noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// "on unit 'alu'".
std::string placeOf(const Problem &problem, const Disjunction &disjunction) {
  switch (disjunction.rule) {
  case Disjunction::Unit:
    return "on unit '" +
           problem.units[problem.operations[disjunction.first].unit].name + "'";
  case Disjunction::Process:
    return "in its process";
  case Disjunction::Registers:
    return "in its process's registers";
  case Disjunction::Slots:
    break;
  }
  return "in its slots";
}

/// "'a' ... 'b' (30) -> on unit 'alu' 'c' (20) -> on unit 'alu' 'a', 50 cycles
/// over 1 iteration": what the problem links is one step.
std::string describeCycle(const Problem &problem,
                          const std::vector<Assumption> &path, Cycle cycle) {
  auto isAssumed = [](const Joint &joint) {
    return joint.link.rule == Link::Assumed;
  };
  auto name = [&](int op) { return "'" + problem.operations[op].name + "'"; };
  auto last = std::find_if(cycle.rbegin(), cycle.rend(), isAssumed);
  std::rotate(cycle.begin(),
              last.base() == cycle.begin() ? cycle.end() : last.base(),
              cycle.end());
  int64_t delay = 0;
  int first = cycle.front().from.op;
  std::string text = name(first);
  for (size_t i = 0; i < cycle.size(); ++i) {
    delay += cycle[i].link.delay;
    if (!isAssumed(cycle[i]) && i + 1 < cycle.size())
      continue;
    int end = cycle[i].from.op;
    text += (end == first ? "" : " ... " + name(end)) + " (" +
            std::to_string(delay) + ") -> ";
    if (isAssumed(cycle[i]))
      text += placeOf(problem, path[cycle[i].link.index].disjunction) + " ";
    first = cycle[i].to.op;
    text += name(first);
    delay = 0;
  }
  return text + ", " + count(delayOf(cycle), "cycle") + " over " +
         count(distanceOf(cycle), "iteration");
}

} // namespace

std::string heddle::schedule::checkCases(const Problem &problem,
                                         const Bound &bound) {
  return CaseChecker(problem, bound).run();
}

std::vector<CaseText> heddle::schedule::textsOf(const Problem &problem,
                                                const Bound &bound) {
  DisjunctionRules rules(problem);
  std::vector<CaseText> texts;
  walkCases(bound, [&](size_t i, const std::vector<Assumption> &path) {
    const Case &node = bound.cases[i];
    int64_t depth = static_cast<int64_t>(path.size() - bound.anchors.size());
    texts.push_back({depth, node.links.empty()
                                ? rules.describe(node.disjunction)
                                : describeCycle(problem, path,
                                                cycleOf(problem, rules, path,
                                                        node.links))});
    return "";
  });
  return texts;
}

std::string heddle::schedule::describeCases(const Problem &problem,
                                            const Bound &bound) {
  DisjunctionRules rules(problem);
  std::string fastest;
  int64_t least = kNoInterval, leaves = 0;
  std::set<std::pair<int, int>> pairs;
  walkCases(bound, [&](size_t i, const std::vector<Assumption> &path) {
    const Case &node = bound.cases[i];
    if (node.links.empty()) {
      pairs.insert({node.disjunction.first, node.disjunction.second});
      return "";
    }
    ++leaves;
    Cycle cycle = cycleOf(problem, rules, path, node.links);
    int64_t here =
        boundOf(delayOf(cycle), distanceOf(cycle), rules.shortestInterval());
    if (here < least) {
      least = here;
      fastest = describeCycle(problem, path, cycle);
    }
    return "";
  });
  return "whichever goes first of " +
         count(static_cast<int64_t>(pairs.size()), "pair") +
         " that exclude each other, in " + count(leaves, "case") +
         "; the fastest is the recurrence " + fastest;
}
