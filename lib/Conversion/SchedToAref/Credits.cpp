//===- Credits.cpp - Who may issue to a unit, and when --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modulo II, a unit's operations form a circle; the stretches of it that belong
// to one process are turns. With one turn a process, a credit goes round:
//
//   turn 0   acquire A ... publish A
//   turn 1   get A, acquire B ... publish B, release A
//   turn 2   get A, get B ... release B, release A
//
// so each waits for the one before it, and the first for the last one's release
// of iteration i - 1. Every process takes iteration i's turn exactly once,
// around one of its ops of iteration i (the anchor), whatever the trip count;
// turns without their anchor, in the peeled steps, go without credit. The
// anchors are chosen such that the turns of iteration i follow one another in
// the timetable: what a turn waits for lies before it there, so credits never
// deadlock a program that did not.
//
//===----------------------------------------------------------------------===//

#include "Credits.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

namespace {

/// What one process issues before another does.
struct Stretch {
  StringRef process;
  SmallVector<int64_t> starts; ///< of its ops in iteration 0, as they follow
};

class Circle {
public:
  Circle(const Facts &facts, StringRef unit, scf::ForOp loop, int64_t ii)
      : ii(ii) {
    struct Issue {
      int64_t start;
      StringRef process;
    };
    SmallVector<Issue> issues;
    for (Operation &op : *loop.getBody())
      if (sched::EntryOp entry = facts.entry(&op);
          entry && entry.getUnit() == unit)
        issues.push_back({int64_t(entry.getStart()), entry.getProcess()});
    llvm::stable_sort(issues, [&](const Issue &a, const Issue &b) {
      return std::pair(a.start % ii, a.start) <
             std::pair(b.start % ii, b.start);
    });
    for (const Issue &issue : issues) {
      if (stretches.empty() || stretches.back().process != issue.process)
        stretches.push_back({issue.process, {}});
      stretches.back().starts.push_back(issue.start);
    }
    // The circle closes: the last stretch may go on in the first.
    if (stretches.size() > 1 &&
        stretches.front().process == stretches.back().process) {
      llvm::append_range(stretches.back().starts, stretches.front().starts);
      stretches.erase(stretches.begin());
    }
  }

  bool hasOneTurnEach() const {
    llvm::SmallDenseSet<StringRef> processes;
    return llvm::all_of(stretches, [&](const Stretch &stretch) {
      return processes.insert(stretch.process).second;
    });
  }

  /// The turns of iteration 0, each after the one before, all within one
  /// interval, and as early as can be; empty if there are none.
  SmallVector<Section> turns() const {
    SmallVector<Section> best;
    for (size_t first = 0; first < stretches.size(); ++first)
      for (int64_t anchor : stretches[first].starts) {
        SmallVector<Section> found =
            turnsFrom(first, beginOf(stretches[first], anchor));
        if (!found.empty() &&
            (best.empty() || found.front().begin < best.front().begin))
          best = std::move(found);
      }
    return best;
  }

  SmallVector<Stretch> stretches;

private:
  int64_t after(int64_t from, int64_t to) const {
    return ((to - from) % ii + ii) % ii;
  }
  int64_t beginOf(const Stretch &stretch, int64_t anchor) const {
    return anchor - after(stretch.starts.front(), anchor);
  }

  SmallVector<Section> turnsFrom(size_t first, int64_t begin) const {
    SmallVector<Section> sections;
    for (size_t i = 0; i < stretches.size(); ++i) {
      auto section =
          sectionWithin(stretches[(first + i) % stretches.size()], begin);
      if (!section)
        return {};
      sections.push_back(*section);
    }
    return sections;
  }

  /// The turn of `stretch` that begins in [begin, begin + ii).
  std::optional<Section> sectionWithin(const Stretch &stretch,
                                       int64_t begin) const {
    for (int64_t anchor : stretch.starts) {
      int64_t own = beginOf(stretch, anchor);
      if (own >= begin && own < begin + ii)
        return Section{
            stretch.process, own,
            own + after(stretch.starts.front(), stretch.starts.back())};
    }
    return std::nullopt;
  }

  int64_t ii;
};

} // namespace

SmallVector<RingFacts> heddle::expander::orderingCredits(const Facts &facts,
                                                         sched::TableOp table,
                                                         scf::ForOp loop) {
  StringRef unit = *table.getOrders();
  Circle circle(facts, unit, loop, table.getIi());
  if (circle.stretches.size() < 2)
    return {};
  auto decline = [&](const Twine &reason) {
    report(loop, diag::not_ordered)
        << "unit '" << unit << "' of loop '" << table.getLoop()
        << "' serves its processes in the order in which they come: " << reason;
    return SmallVector<RingFacts>();
  };
  if (!circle.hasOneTurnEach())
    return decline("they change " + Twine(circle.stretches.size()) +
                   " times an iteration, and a credit goes round once");
  SmallVector<Section> turns = circle.turns();
  if (turns.empty())
    return decline("they are iterations apart");
  SmallVector<RingFacts> credits;
  for (size_t i = 0; i + 1 < turns.size(); ++i) {
    RingFacts credit;
    credit.name = ("order." + table.getLoop() +
                   (turns.size() > 2 ? "." + Twine(i) : Twine()))
                      .str();
    credit.producer = turns[i].process;
    credit.block = loop.getBody();
    credit.sections = {turns[i], turns[i + 1]};
    // The first of all waits for the last.
    if (i == 0 && turns.size() > 2)
      credit.sections.push_back(turns.back());
    credits.push_back(std::move(credit));
  }
  return credits;
}
