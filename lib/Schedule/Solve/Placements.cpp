//===- Placements.cpp - Which process does what, where it is free ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that cannot part form a class, and classes are dealt out one after
// the other. Processes are interchangeable, so a class may open the next one
// only.
//
//===----------------------------------------------------------------------===//

#include "Placements.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>
#include <map>
#include <set>

using namespace heddle::schedule;

bool heddle::schedule::isPlacementFree(const Problem &problem) {
  std::vector<int> classes = inseparableClasses(problem);
  std::map<int, int> seen; // the class of each sub-tile
  for (size_t i = 0; i < problem.operations.size(); ++i) {
    const Operation &op = problem.operations[i];
    if (op.variableLatency)
      continue;
    auto [it, isNew] = seen.insert({op.sub, classes[i]});
    if (!isNew && it->second != classes[i])
      return true;
  }
  return hasWholeClass(problem);
}

bool heddle::schedule::hasWholeClass(const Problem &problem) {
  std::vector<int> classes = inseparableClasses(problem);
  std::set<int> whole, divided;
  for (size_t i = 0; i < problem.operations.size(); ++i)
    if (const Operation &op = problem.operations[i]; !op.variableLatency)
      (op.sub < 0 ? whole : divided).insert(classes[i]);
  return !divided.empty() &&
         std::any_of(whole.begin(), whole.end(),
                     [&](int mine) { return !divided.contains(mine); });
}

int heddle::schedule::countClasses(const Problem &problem) {
  std::vector<int> classes = inseparableClasses(problem);
  std::set<int> different;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (!problem.operations[op].variableLatency)
      different.insert(classes[op]);
  return int(different.size());
}

namespace {

class Placer {
public:
  Placer(const Problem &problem, int compute, int64_t ii)
      : problem(problem), compute(compute), ii(ii),
        classOf(inseparableClasses(problem)), busy(size_t(compute), 0),
        issue(problem.operations.size(), 0),
        processOf(problem.operations.size(), 0) {
    std::vector<bool> isKnown(problem.operations.size(), false);
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      if (problem.operations[op].variableLatency) {
        hasLoader = true;
        continue;
      }
      if (!isKnown[classOf[op]])
        order.push_back(classOf[op]);
      isKnown[classOf[op]] = true;
      issue[classOf[op]] += problem.operations[op].issue;
    }
  }

  Placements run() {
    deal(0, 0);
    std::stable_sort(
        found.begin(), found.end(),
        [](const auto &a, const auto &b) { return a.first < b.first; });
    Roles roles;
    roles.sharesRegisters = true;
    roles.rings = chooseRings(problem);
    if (hasLoader)
      roles.processes.push_back({"load", 4, 0});
    for (int i = 0; i < compute; ++i)
      roles.processes.push_back({"work." + std::to_string(i), 4, 0});
    placements.all.reserve(found.size());
    for (auto &[bytes, process] : found) {
      placements.all.push_back(roles);
      placements.all.back().process = std::move(process);
    }
    return std::move(placements);
  }

private:
  void deal(size_t next, int used) {
    int missing = compute - used;
    if (placements.isCut || int(order.size() - next) < missing)
      return;
    if (next == order.size())
      return add();
    int mine = order[next];
    for (int process = 0; process <= std::min(used, compute - 1); ++process) {
      if (busy[process] + issue[mine] > ii)
        continue;
      busy[process] += issue[mine];
      processOf[mine] = process;
      deal(next + 1, std::max(used, process + 1));
      busy[process] -= issue[mine];
    }
  }

  void add() {
    if (found.size() == kMost) {
      placements.isCut = true;
      return;
    }
    Solution placed;
    placed.process.resize(problem.operations.size());
    for (size_t op = 0; op < problem.operations.size(); ++op)
      if (!problem.operations[op].variableLatency)
        placed.process[op] = processOf[classOf[op]] + (hasLoader ? 1 : 0);
    found.push_back(
        {crossingBytes(problem, placed), std::move(placed.process)});
  }

  static constexpr size_t kMost = 5000;

  const Problem &problem;
  int compute;
  int64_t ii;
  std::vector<int> classOf;
  std::vector<int64_t> busy;  ///< cycles of issue, of each process
  std::vector<int> order;     ///< classes
  std::vector<int64_t> issue; ///< cycles, of each class
  std::vector<int> processOf; ///< of each class
  bool hasLoader = false;
  /// Bytes across, and the process of each operation.
  std::vector<std::pair<int64_t, std::vector<int>>> found;
  Placements placements;
};

} // namespace

Placements heddle::schedule::findPlacements(const Problem &problem, int compute,
                                            int64_t ii) {
  return Placer(problem, compute, ii).run();
}
