//===- SearchCases.cpp - Finds cases none of which is fast enough ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound at one interval. Whoever must lead, because the other way
// round a cycle of links could not hold, is settled until nothing changes; then
// the pair is split that leaves either side the least room. Each leaf is a
// violated cycle, and says itself for which other intervals it holds.
//
// Everything assumed stands on one trail, in order, split or settled. A
// refutation knows which of its assumptions it used. So what was settled in
// vain is left out, and where a side of a split was refuted without the split,
// the other is not looked at.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "Distances.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace heddle::schedule;

namespace {

constexpr int64_t kFar = int64_t(1) << 40;

int64_t floorOf(int64_t a, int64_t b) { return a / b - (a % b < 0); }
int64_t ceilingOf(int64_t a, int64_t b) { return -floorOf(-a, b); }

/// A joint between events of the table, at turn 0.
struct Span {
  int from, to;
  int64_t delay, distance;
};

/// A disjunction with the spans of either order.
struct Pair {
  Disjunction disjunction;
  std::vector<Span> first, second;
  int64_t length; ///< of the shorter
};

/// A case, and where on the trail the order stands that it asks for.
struct Node {
  Case node;
  int place = -1;
};

/// A subtree, and what on the trail it rests on.
struct Refutation {
  std::vector<Node> cases;
  std::set<int> used;
};

class Searcher {
public:
  Searcher(const Problem &problem, int64_t ii, bool withSlots, int64_t &steps)
      : problem(problem), rules(problem), ii(ii), withSlots(withSlots),
        steps(steps) {
    findParts();
    findEvents();
  }

  CaseSearch run() {
    CaseSearch result;
    Distances distances(events);
    for (const Joint &joint : joints)
      if (!insert(distances, spanOf(joint), 0))
        return result; // a recurrence of its own, which findBound knows
    if (!anchor(distances))
      return result;
    std::optional<Refutation> refutation = refute(distances);
    result.outcome = outcome;
    if (!refutation)
      return result;
    result.outcome = CaseSearch::Found;
    result.bound = boundOf(*refutation);
    return result;
  }

private:
  // Links that no recurrence contains only order what is far apart: without
  // them there are more parts to anchor.
  void findParts() {
    size_t count = problem.operations.size();
    std::vector<Joint> all;
    for (const Joint &joint : jointsOf(problem))
      if (withSlots || joint.link.rule != Link::Slot)
        all.push_back(joint);
    std::vector<std::vector<bool>> leads(count, std::vector<bool>(count));
    for (const Joint &joint : all)
      leads[joint.from.op][joint.to.op] = true;
    for (size_t via = 0; via < count; ++via)
      for (size_t from = 0; from < count; ++from)
        for (size_t to = 0; leads[from][via] && to < count; ++to)
          leads[from][to] = leads[from][to] || leads[via][to];
    partOf.resize(count);
    std::iota(partOf.begin(), partOf.end(), 0);
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b < a; ++b)
        if (leads[a][b] && leads[b][a])
          join(static_cast<int>(a), static_cast<int>(b));
    for (const Disjunction &disjunction : rules.all()) {
      if (disjunction.rule == Disjunction::Slots && !withSlots)
        continue;
      pairs.push_back({disjunction, {}, {}, 0});
      if (disjunction.rule > Disjunction::Process)
        for (const Dependence &edge : problem.dependences)
          if (edge.from == disjunction.first || edge.from == disjunction.second)
            join(edge.from, edge.to);
    }
    for (const Joint &joint : all)
      if (partOf[joint.from.op] == partOf[joint.to.op])
        joints.push_back(joint);
  }

  void join(int a, int b) {
    int joined = partOf[b];
    for (int &other : partOf)
      if (other == joined)
        other = partOf[a];
  }

  void findEvents() {
    numberOf.assign(2 * problem.operations.size(), -1);
    for (const Joint &joint : joints)
      spanOf(joint);
    for (Pair &pair : pairs) {
      pair.first = spansOf(pair.disjunction, true);
      pair.second = spansOf(pair.disjunction, false);
      pair.length = std::min(pair.first[0].delay, pair.second[0].delay);
    }
  }

  std::vector<Span> spansOf(const Disjunction &disjunction, bool firstLeads) {
    std::vector<Span> spans;
    for (const Joint &joint : rules.linksOf(disjunction, firstLeads))
      spans.push_back(spanOf(joint));
    return spans;
  }

  Span spanOf(const Joint &joint) {
    auto number = [&](const Event &event) {
      int &known = numberOf[indexOf(event)];
      return known < 0 ? known = events++ : known;
    };
    int from = number(joint.from), to = number(joint.to);
    return {from, to, joint.link.delay, joint.link.distance};
  }

  int64_t delayOf(const Span &span, int64_t turn) const {
    return span.delay - (span.distance + turn) * ii;
  }

  /// False if it cannot hold.
  bool insert(Distances &distances, const Span &span, int64_t turn) {
    if (distances.excludes(span.from, span.to, delayOf(span, turn)))
      return false;
    steps -= distances.add(span.from, span.to, delayOf(span, turn));
    return true;
  }

  bool insert(Distances &distances, const Assumption &assumption) {
    for (const Joint &joint : linksOf(rules, assumption))
      if (!insert(distances, spanOf(joint), 0))
        return false;
    return true;
  }

  // The longest first: they leave the least choice.
  bool anchor(Distances &distances) {
    std::vector<const Pair *> longest;
    for (const Pair &pair : pairs)
      if (pair.disjunction.rule <= Disjunction::Process)
        longest.push_back(&pair);
    std::stable_sort(
        longest.begin(), longest.end(),
        [](const Pair *a, const Pair *b) { return a->length > b->length; });
    for (const Pair *pair : longest) {
      const Disjunction &disjunction = pair->disjunction;
      if (partOf[disjunction.first] == partOf[disjunction.second])
        continue;
      join(disjunction.first, disjunction.second);
      trail.push_back({disjunction, Assumption::Anchored});
      contraries.emplace_back();
      if (!insert(distances, trail.back()))
        return false;
    }
    anchors = trail.size();
    return true;
  }

  /// The turns at which either order is possible: the first is `from`, the last
  /// `to`. Before them `second` leads, behind them `first` does.
  struct Turns {
    int64_t from = -kFar, to = kFar;
    bool known() const { return from != -kFar && to != kFar; }
  };

  Turns turnsOf(const Distances &distances, const Pair &pair) const {
    Turns turns;
    for (const Span &span : pair.first) {
      int64_t back = distances(span.to, span.from);
      if (back != Distances::kUnrelated)
        turns.from = std::max(turns.from,
                              ceilingOf(back + span.delay, ii) - span.distance);
    }
    for (const Span &span : pair.second) {
      int64_t back = distances(span.to, span.from);
      if (back != Distances::kUnrelated)
        turns.to = std::min(turns.to,
                            span.distance - ceilingOf(back + span.delay, ii));
    }
    if (pair.disjunction.rule ==
        Disjunction::Slots) { // asked with each number itself
      turns.from = turns.from > 0 ? 1 : 0;
      turns.to = turns.to < 0 ? -1 : 0;
    }
    return turns;
  }

  bool isKnown(const Distances &distances, const std::vector<Span> &spans,
               int64_t turn) const {
    return std::all_of(spans.begin(), spans.end(), [&](const Span &span) {
      return distances(span.from, span.to) >= delayOf(span, turn);
    });
  }

  int top() const { return static_cast<int>(trail.size()); }

  Refutation leaf(const Assumption *also = nullptr) {
    std::vector<Joint> all = joints;
    auto append = [&](const Assumption &assumption, int index) {
      for (Joint joint : linksOf(rules, assumption)) {
        joint.link.index = index;
        all.push_back(joint);
      }
    };
    for (int i = 0; i < top(); ++i)
      append(trail[i], i);
    if (also)
      append(*also, top());
    Refutation result;
    result.cases.emplace_back();
    for (const Joint &joint :
         findViolated(all, problem.operations.size(), ii)) {
      result.cases[0].node.links.push_back(joint.link);
      if (joint.link.rule == Link::Assumed)
        result.used.insert(joint.link.index);
    }
    return result;
  }

  static Assumption opposite(const Assumption &assumption) {
    return {assumption.disjunction, assumption.leader == Assumption::First
                                        ? Assumption::Second
                                        : Assumption::First};
  }

  /// Of the refutations of both sides of what is assumed at place `index`.
  static Refutation combine(const Assumption &assumption, int index,
                            Refutation side, Refutation contrary) {
    if (!side.used.count(index))
      return side;
    if (!contrary.used.count(index))
      return contrary;
    if (assumption.leader == Assumption::Second)
      std::swap(side, contrary);
    Refutation result;
    result.cases.push_back({{assumption.disjunction, {}}, index});
    for (Refutation *part : {&side, &contrary}) {
      result.cases.insert(result.cases.end(), part->cases.begin(),
                          part->cases.end());
      result.used.insert(part->used.begin(), part->used.end());
    }
    result.used.erase(index);
    return result;
  }

  /// Adds it to the trail, and says if that is refuted at once.
  std::optional<Refutation> assume(Distances &distances,
                                   const Assumption &assumption,
                                   std::optional<Refutation> contrary = {}) {
    trail.push_back(assumption);
    contraries.push_back(std::move(contrary));
    if (insert(distances, assumption))
      return std::nullopt;
    return leaf();
  }

  /// Takes what was assumed since `frame` from the trail; a refutation rests on
  /// what is below it from then on.
  void unwind(int frame, std::optional<Refutation> &refutation) {
    while (top() > frame) {
      Assumption assumption = trail.back();
      std::optional<Refutation> contrary = std::move(contraries.back());
      trail.pop_back();
      contraries.pop_back();
      if (!refutation || !refutation->used.count(top()))
        continue;
      if (!contrary) {
        Assumption other = opposite(assumption);
        contrary = leaf(&other);
      }
      refutation = combine(assumption, top(), std::move(*refutation),
                           std::move(*contrary));
    }
  }

  /// A look at all pairs, in insertions that take as long.
  int64_t lookCost() const { return static_cast<int64_t>(pairs.size()) / 128; }

  /// Assumes what has to be.
  std::optional<Refutation> settle(Distances &distances) {
    for (bool changes = true; changes;) {
      changes = false;
      steps -= lookCost();
      for (const Pair &pair : pairs) {
        Turns turns = turnsOf(distances, pair);
        auto must = [&](int64_t turn, Assumption::Leader leader) {
          const auto &spans =
              leader == Assumption::First ? pair.first : pair.second;
          int64_t shift = leader == Assumption::First ? turn : -turn;
          if (isKnown(distances, spans, shift))
            return std::optional<Refutation>();
          changes = true;
          Disjunction disjunction = pair.disjunction;
          disjunction.turn += turn;
          return assume(distances, {disjunction, leader});
        };
        bool isFixed = pair.disjunction.rule == Disjunction::Slots;
        if (isFixed ? turns.from > 0 : turns.from != -kFar)
          if (auto found = must(turns.from - 1, Assumption::Second))
            return found;
        if (isFixed ? turns.to < 0 : turns.to != kFar)
          if (auto found = must(turns.to + 1, Assumption::First))
            return found;
      }
      if (steps < 0)
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// The order that leaves the least room either way.
  std::optional<Disjunction> choose(const Distances &distances) {
    steps -= lookCost();
    std::optional<Disjunction> best;
    int64_t bestRoom = INT64_MAX;
    for (const Pair &pair : pairs) {
      Turns turns = turnsOf(distances, pair);
      for (int64_t turn = turns.from; turns.known() && turn <= turns.to;
           ++turn) {
        if (isKnown(distances, pair.first, turn) ||
            isKnown(distances, pair.second, -turn))
          continue;
        int64_t room = std::max(roomOf(distances, pair.first, turn),
                                roomOf(distances, pair.second, -turn));
        if (room >= bestRoom)
          continue;
        bestRoom = room;
        best = pair.disjunction;
        best->turn += turn;
      }
    }
    return best;
  }

  int64_t roomOf(const Distances &distances, const std::vector<Span> &spans,
                 int64_t turn) const {
    int64_t room = INT64_MAX;
    for (const Span &span : spans) {
      int64_t back = distances(span.to, span.from);
      if (back != Distances::kUnrelated)
        room = std::min(room, -(back + delayOf(span, turn)));
    }
    return room;
  }

  /// What refutes everything that is assumed, or why there is nothing.
  std::optional<Refutation> refute(Distances distances) {
    int frame = top();
    std::optional<Refutation> found = settle(distances);
    while (!found) {
      if (steps < 0) {
        outcome = CaseSearch::Exhausted;
        break;
      }
      std::optional<Disjunction> disjunction = choose(distances);
      if (!disjunction) {
        outcome = CaseSearch::Open;
        break;
      }
      Assumption split{*disjunction, Assumption::First};
      std::optional<Refutation> side = refuteWith(distances, split);
      if (!side)
        break;
      if (!side->used.count(top())) {
        found = side;
        break;
      }
      found = assume(distances, opposite(split), std::move(side));
      if (!found)
        found = settle(distances);
    }
    unwind(frame, found);
    return found;
  }

  std::optional<Refutation> refuteWith(Distances distances,
                                       const Assumption &split) {
    std::optional<Refutation> found = assume(distances, split);
    if (!found)
      found = refute(distances);
    trail.pop_back();
    contraries.pop_back();
    return found;
  }

  /// Assumptions are counted along the path that leads to them, and not along
  /// the trail, on which more stood.
  Bound boundOf(const Refutation &refutation) const {
    Bound bound;
    bound.kind = Bound::Cases;
    std::vector<int> path; // places on the trail
    for (size_t i = 0; i < anchors; ++i)
      if (refutation.used.count(static_cast<int>(i))) {
        bound.anchors.push_back(trail[i].disjunction);
        path.push_back(static_cast<int>(i));
      }
    std::vector<bool> isSecond(path.size(), true);
    bound.ii = kNoInterval;
    for (const Node &node : refutation.cases) {
      Case &copy = bound.cases.emplace_back(node.node);
      if (copy.links.empty()) {
        path.push_back(node.place);
        isSecond.push_back(false);
        continue;
      }
      int64_t delay = 0, distance = 0;
      for (Link &link : copy.links) {
        delay += link.delay;
        distance += link.distance;
        if (link.rule == Link::Assumed)
          link.index = static_cast<int>(
              std::find(path.begin(), path.end(), link.index) - path.begin());
      }
      bound.ii = std::min(
          bound.ii,
          heddle::schedule::boundOf(delay, distance, rules.shortestInterval()));
      while (path.size() > bound.anchors.size() && isSecond.back()) {
        path.pop_back();
        isSecond.pop_back();
      }
      if (path.size() > bound.anchors.size())
        isSecond.back() = true;
    }
    return bound;
  }

  const Problem &problem;
  DisjunctionRules rules;
  int64_t ii;
  bool withSlots;
  int64_t &steps;
  std::vector<int> partOf;
  std::vector<Joint> joints;
  std::vector<Pair> pairs;
  std::vector<int> numberOf; ///< of an event in the table
  int events = 0;
  std::vector<Assumption> trail;
  std::vector<std::optional<Refutation>> contraries; ///< beside the trail
  size_t anchors = 0;
  CaseSearch::Outcome outcome = CaseSearch::Exhausted;
};

} // namespace

CaseSearch heddle::schedule::searchCases(const Problem &problem, int64_t ii,
                                         bool withSlots, int64_t &steps) {
  return Searcher(problem, ii - 1, withSlots, steps).run();
}

/// What is refuted at an interval is refuted at all shorter ones. So the first
/// question is for a cycle more than is known, and the next for all; then
/// halving finds the most. Where shares of the budget were too small, half of
/// what is left of it is the next. First without slots, which join all parts.
Bound heddle::schedule::strengthen(const Problem &problem, const Bound &bound,
                                   int64_t ii, int64_t steps) {
  Bound best = bound;
  for (bool withSlots : {false, true}) {
    // With slots, proofs are short or not found.
    int64_t left = withSlots ? steps / 8 : steps, open = ii;
    for (int64_t share = left / 8; left > 0 && best.ii < open;
         share = left / 2 + 1) {
      int64_t high = open, known = best.ii;
      auto proves = [&](int64_t goal) {
        int64_t some = std::min(share, left);
        left -= some;
        CaseSearch search = searchCases(problem, goal, withSlots, some);
        left += std::max<int64_t>(some, 0);
        if (search.outcome == CaseSearch::Found)
          best = std::move(search.bound);
        else
          high = goal - 1;
        if (search.outcome == CaseSearch::Open)
          open = std::min(open, high);
        return search.outcome == CaseSearch::Found;
      };
      bool isHard = !proves(best.ii + 1);
      for (int64_t goal = high; !isHard && best.ii < high && left > 0;
           goal = best.ii + (high - best.ii + 1) / 2)
        proves(goal);
      if (best.ii == known)
        break;
    }
  }
  return best;
}
