//===- CheckEvents.cpp - Did code generation keep the protocol? -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts compare as multisets. Order compares as languages: each graph is an
// automaton over its events, and the one of the text must accept nothing that
// the one of the module does not. The automaton of the module is made
// deterministic on the way, only as far as the text leads. A set of states that
// contains one from which everything was accepted accepts everything too, so
// only the smallest sets are followed (De Wulf, Doyen, Henzinger, Raskin 2006:
// antichains); long prologues would give exponentially many otherwise.
//
//===----------------------------------------------------------------------===//

#include "CheckEvents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace heddle {

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

using Counts =
    std::map<std::string, std::pair<unsigned, unsigned>>; // before, after

static Counts count(const EventGraph &before, const EventGraph &after) {
  Counts counts;
  for (const EventBlock &block : before)
    for (const std::string &event : block.events)
      ++counts[event].first;
  for (const EventBlock &block : after)
    for (const std::string &event : block.events)
      ++counts[event].second;
  counts.erase(kReturnEvent);
  return counts;
}

static std::string describe(const std::pair<unsigned, unsigned> &counts) {
  return std::to_string(counts.first) + " before optimisation, " +
         std::to_string(counts.second) + " in the PTX";
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {
using States = std::vector<unsigned>; // sorted

/// A state stands before one event.
struct Automaton {
  std::vector<const std::string *> event;
  std::vector<States> next;
  States start;

  explicit Automaton(const EventGraph &graph);
};
} // namespace

/// The first events that can come at or after the start of each block.
static States findFirst(const EventGraph &graph,
                        const std::vector<unsigned> &offsets,
                        const std::vector<unsigned> &blocks) {
  std::set<unsigned> seen(blocks.begin(), blocks.end()), found;
  std::vector<unsigned> work(seen.begin(), seen.end());
  while (!work.empty()) {
    unsigned block = work.back();
    work.pop_back();
    if (!graph[block].events.empty()) {
      found.insert(offsets[block]);
      continue;
    }
    for (unsigned successor : graph[block].successors)
      if (seen.insert(successor).second)
        work.push_back(successor);
  }
  return States(found.begin(), found.end());
}

Automaton::Automaton(const EventGraph &graph) {
  std::vector<unsigned> offsets;
  for (const EventBlock &block : graph) {
    offsets.push_back(event.size());
    for (const std::string &text : block.events)
      event.push_back(&text);
  }
  for (const EventBlock &block : graph) {
    for (size_t i = 1; i < block.events.size(); ++i)
      next.push_back({unsigned(next.size()) + 1});
    if (!block.events.empty())
      next.push_back(findFirst(graph, offsets, block.successors));
  }
  start = findFirst(graph, offsets, {0});
}

namespace {
/// For each state of the text, the smallest sets that it was visited with.
class Visited {
public:
  explicit Visited(size_t states) : smallest(states) {}

  /// False if a subset of `allowed` was visited with this state.
  bool insert(unsigned state, const States &allowed) {
    std::vector<States> &sets = smallest[state];
    for (const States &other : sets)
      if (std::includes(allowed.begin(), allowed.end(), other.begin(),
                        other.end()))
        return false;
    llvm::erase_if(sets, [&](const States &other) {
      return std::includes(other.begin(), other.end(), allowed.begin(),
                           allowed.end());
    });
    sets.push_back(allowed);
    return true;
  }
  /// False if a smaller set came in the meantime.
  bool isSmallest(unsigned state, const States &allowed) const {
    return llvm::is_contained(smallest[state], allowed);
  }

private:
  std::vector<std::vector<States>> smallest;
};

/// The text stands before `state`, the module before one of `allowed`.
struct Point {
  unsigned state = 0;
  States allowed;
  const std::string *previous = nullptr;
};
} // namespace

static std::string describeMove(llvm::StringRef entry, const Automaton &before,
                                const std::string &event, const Point &point,
                                const Counts &counts) {
  std::string text = "bug in heddle: code generation moved an event of '" +
                     entry.str() + "': '" + event + "' can come " +
                     (point.previous ? "right after '" + *point.previous + "'"
                                     : std::string("first"));
  auto found = counts.find(event);
  text += " in the PTX only (" +
          (found == counts.end() ? "" : describe(found->second) + "; ");
  std::set<std::string> expected;
  for (unsigned state : point.allowed)
    expected.insert(*before.event[state]);
  text += expected.empty() ? "no event is expected there" : "expected there: ";
  const char *separator = "'";
  for (const std::string &name : expected) {
    text += separator + name + "'";
    separator = " or '";
  }
  return text + ")";
}

/// A kernel needs a few for each of its events.
static constexpr int64_t kMostPoints = 100'000;

static std::string compareOrder(llvm::StringRef entry,
                                const EventGraph &beforeGraph,
                                const EventGraph &afterGraph,
                                const Counts &counts) {
  Automaton before(beforeGraph), after(afterGraph);
  Visited visited(after.event.size());
  std::deque<Point> work; // first in, first out: the first difference found has
                          // the shortest path
  auto visit = [&](const States &states, const States &allowed,
                   const std::string *previous) {
    for (unsigned state : states)
      if (visited.insert(state, allowed))
        work.push_back({state, allowed, previous});
  };
  visit(after.start, before.start, nullptr);
  int64_t followed = 0;
  for (; !work.empty(); work.pop_front()) {
    if (++followed > kMostPoints)
      return "bug in heddle: the order of the events of '" + entry.str() +
             "' cannot be compared with that before code generation in " +
             std::to_string(kMostPoints) + " steps";
    const Point &point = work.front();
    if (!visited.isSmallest(point.state, point.allowed))
      continue;
    const std::string &event = *after.event[point.state];
    States following;
    bool possible = false;
    for (unsigned state : point.allowed)
      if (*before.event[state] == event) {
        possible = true;
        llvm::append_range(following, before.next[state]);
      }
    if (!possible)
      return describeMove(entry, before, event, point, counts);
    llvm::sort(following);
    following.erase(llvm::unique(following), following.end());
    visit(after.next[point.state], following, &event);
  }
  return "";
}

std::string compareEvents(llvm::StringRef entry, const EventGraph &before,
                          const EventGraph &after, const EventGraph *possible) {
  Counts counts = count(before, after);
  Counts fewest = possible ? count(*possible, after) : counts;
  for (const auto &[event, both] : counts)
    if (both.second > both.first || both.second < fewest[event].first)
      return "bug in heddle: code generation changed the events of '" +
             entry.str() + "': '" + event +
             "' occurs differently often: " + describe(both);
  return compareOrder(entry, before, after, counts);
}

} // namespace heddle
