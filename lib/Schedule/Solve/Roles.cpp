//===- Roles.cpp - Who does what, and which loads share a ring ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roles.h"
#include "InStep.h"
#include "Riders.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace heddle::schedule;

namespace {

/// Operations whose classes were `one` and `other` are of one, the first.
void joinClasses(std::vector<int> &classes, int one, int other) {
  std::replace(classes.begin(), classes.end(), std::max(one, other),
               std::min(one, other));
}

std::vector<int> classesOfOne(const Problem &problem) {
  std::vector<int> classes(problem.operations.size());
  std::iota(classes.begin(), classes.end(), 0);
  return classes;
}

/// Who reads loads, in the sense in which they read together. Sub-tiles of one
/// operation are one reader. So are the products of an iteration that add to
/// one sum, since they follow one another anyway, and so is what makes operands
/// for them alone.
class Readers {
public:
  explicit Readers(const Problem &problem)
      : problem(problem), sums(problem.operations.size(), kNoSum) {
    // With one slot of all, no load would be under way while products read.
    int64_t bytes = 0;
    for (const Transfer &transfer : problem.transfers)
      bytes += transfer.bytes;
    if (2 * bytes > problem.machine.sharedBytes)
      return;
    std::vector<int> classes = classesOfOne(problem);
    for (const Dependence &edge : problem.dependences)
      if (edge.accumulates && edge.distance == 0)
        joinClasses(classes, classes[edge.from], classes[edge.to]);
    for (size_t op = 0; op < sums.size(); ++op)
      if (std::count(classes.begin(), classes.end(), classes[op]) > 1)
        sums[op] = leaderOf(problem, classes[op]);
  }

  std::set<int> of(int load) const {
    std::set<int> readers;
    for (const Dependence &edge : problem.dependences)
      if (edge.from == load)
        add(edge.to, readers);
    return readers;
  }

private:
  void add(int reader, std::set<int> &readers) const {
    std::set<int> fed;
    if (sums[reader] != kNoSum)
      readers.insert(sums[reader]);
    else if (feed(reader, fed))
      for (int sum : fed)
        readers.insert(int(problem.operations.size()) + sum);
    else
      readers.insert(leaderOf(problem, reader));
  }

  /// Adds the sums that get the operands that `op` makes within its iteration;
  /// false if its result goes anywhere else.
  bool feed(int op, std::set<int> &fed) const {
    std::vector<int> open{op};
    std::vector<bool> seen(problem.operations.size(), false);
    while (!open.empty()) {
      int made = open.back();
      open.pop_back();
      bool goes = false;
      for (const Dependence &edge : problem.dependences) {
        if (edge.from != made || edge.orders)
          continue;
        goes = true;
        if (edge.distance != 0)
          return false;
        if (sums[edge.to] != kNoSum)
          fed.insert(sums[edge.to]);
        else if (!seen[edge.to])
          open.push_back(edge.to);
        seen[edge.to] = true;
      }
      if (!goes)
        return false;
    }
    return true;
  }

  static constexpr int kNoSum = -1;
  const Problem &problem;
  /// By operation, the first of the products that add to the same sum; none
  /// where it is the only one.
  std::vector<int> sums;
};

/// A ring of sub-tiles is named without their numbers.
std::string sharedName(const Operation &operation) {
  std::string suffix = "." + std::to_string(operation.sub);
  return operation.name.ends_with(suffix)
             ? operation.name.substr(0, operation.name.size() - suffix.size())
             : operation.name;
}

} // namespace

/// Loads that are read together share a ring: one barrier pair a step is
/// cheaper than several. Others have rings of their own, so that a slot goes
/// back as soon as its own readers are done; so has what processes compute.
std::vector<Ring> heddle::schedule::chooseRings(const Problem &problem) {
  std::vector<Ring> rings;
  std::vector<std::set<int>> readers; // by ring
  Readers all(problem);
  for (const Transfer &transfer : problem.transfers) {
    const Operation &made = problem.operations[transfer.from];
    std::set<int> mine;
    if (made.variableLatency)
      mine = all.of(transfer.from);
    size_t ring = 0;
    while (ring < readers.size() &&
           std::none_of(
               mine.begin(), mine.end(),
               [&](int reader) { return readers[ring].contains(reader); }))
      ++ring;
    if (ring == readers.size()) {
      readers.emplace_back();
      rings.push_back(
          {made.variableLatency ? sharedName(made) : made.name, 1, {}});
    }
    readers[ring].insert(mine.begin(), mine.end());
    rings[ring].operations.push_back(transfer.from);
  }
  letSmallRide(problem, rings);
  if (rings.size() == 1)
    rings.front().name = "loads";
  return rings;
}

int64_t heddle::schedule::launchedRegisters(const Problem &problem,
                                            int64_t groups) {
  return problem.machine.registersPerLane / groups / 8 * 8 * groups;
}

int64_t heddle::schedule::evenShare(const Problem &problem,
                                    const Roles &roles) {
  std::vector<bool> holds(roles.processes.size(), false);
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (problem.operations[op].registers > 0)
      holds[roles.process[op]] = true;
  int64_t groups = 0, holders = 0, others = 0;
  for (size_t i = 0; i < roles.processes.size(); ++i) {
    int64_t mine = roles.processes[i].warps / 4;
    groups += mine;
    (holds[i] ? holders : others) += mine;
  }
  int64_t left = launchedRegisters(problem, groups) -
                 others * problem.machine.loaderRegisters;
  return std::min(problem.machine.maxRegisters,
                  holders ? left / holders / 8 * 8 : left);
}

Roles heddle::schedule::rolesFor(const Problem &problem, int compute) {
  Roles roles;
  bool hasLoads =
      std::any_of(problem.operations.begin(), problem.operations.end(),
                  [](const Operation &op) { return op.variableLatency; });
  int64_t left = launchedRegisters(problem, compute + (hasLoads ? 1 : 0));
  if (hasLoads) {
    roles.processes.push_back({"load", 4, problem.machine.loaderRegisters});
    left -= problem.machine.loaderRegisters;
  }
  int64_t registers =
      std::min(problem.machine.maxRegisters, left / compute) / 8 * 8;
  for (int i = 0; i < compute; ++i)
    roles.processes.push_back({"mma." + std::to_string(i), 4, registers});
  // Whoever is of no sub-tile goes where one does from which no process
  // boundary may part it.
  std::vector<int> classes = inseparableClasses(problem);
  std::vector<int> subs(classes.size(), -1);
  for (size_t op = 0; op < classes.size(); ++op)
    if (int sub = problem.operations[op].sub, &mine = subs[classes[op]];
        sub >= 0 && (mine < 0 || sub < mine))
      mine = sub;
  int first = hasLoads ? 1 : 0;
  for (size_t op = 0; op < classes.size(); ++op) {
    const Operation &mine = problem.operations[op];
    int sub = mine.sub >= 0 ? mine.sub : std::max(subs[classes[op]], 0);
    roles.process.push_back(mine.variableLatency ? 0 : first + sub % compute);
  }
  roles.rings = chooseRings(problem);
  return roles;
}

std::vector<int> heddle::schedule::inseparableClasses(const Problem &problem) {
  std::vector<int> classes = classesOfOne(problem);
  for (const Dependence &edge : problem.dependences) {
    bool mayPart =
        edge.accumulates ? false : edge.orders || mayCross(problem, edge.from);
    if (!mayPart)
      joinClasses(classes, classes[edge.from], classes[edge.to]);
  }
  return classes;
}

int64_t heddle::schedule::handedOverBytes(const Problem &problem, int op) {
  int64_t bytes = problem.operations[op].columns * problem.machine.columnBytes;
  for (const Transfer &transfer : problem.transfers)
    bytes += transfer.from == op ? transfer.bytes : 0;
  return bytes;
}

namespace {

/// Deals loads to at most `bins.size()` bins so that the fullest has the least.
class Dealer {
public:
  Dealer(std::vector<int64_t> loads, int count)
      : loads(std::move(loads)), bins(count, 0) {
    std::sort(this->loads.rbegin(), this->loads.rend());
    int64_t all = 0;
    for (int64_t load : this->loads) {
      all += load;
      least = std::max(least, load);
      best += load;
    }
    least = std::max(least, (all + count - 1) / count);
    deal(0);
  }
  int64_t fullest() const { return best; }

private:
  void deal(size_t next) {
    int64_t most = *std::max_element(bins.begin(), bins.end());
    if (most >= best || best == least)
      return;
    if (next == loads.size()) {
      best = most;
      return;
    }
    std::set<int64_t> tried;
    for (int64_t &bin : bins) {
      if (!tried.insert(bin).second)
        continue;
      bin += loads[next];
      deal(next + 1);
      bin -= loads[next];
    }
  }

  std::vector<int64_t> loads, bins;
  int64_t best = 0, least = 0;
};

} // namespace

int64_t heddle::schedule::issueBound(const Problem &problem, int compute) {
  std::vector<int> classes = inseparableClasses(problem);
  std::map<int, int64_t> busy;
  for (size_t i = 0; i < problem.operations.size(); ++i)
    if (!problem.operations[i].variableLatency)
      busy[classes[i]] += problem.operations[i].issue;
  std::vector<int64_t> loads;
  for (const auto &[mine, issue] : busy)
    loads.push_back(issue);
  return loads.empty() ? 0 : Dealer(loads, compute).fullest();
}

void heddle::schedule::fitRings(const Problem &problem, Solution &solution) {
  for (Ring &ring : solution.rings) {
    int64_t most = ring.depth;
    for (ring.depth = 1; ring.depth < most; ++ring.depth)
      if (verify(problem, solution).empty())
        break;
  }
}

void heddle::schedule::fillSharedMemory(const Problem &problem,
                                        std::vector<Ring> &rings) {
  int64_t used = 0;
  for (const Ring &ring : rings)
    used += ring.depth * slotBytes(problem, ring);
  auto grow = [&](Ring &ring) {
    int64_t more = slotBytes(problem, ring);
    if (ring.depth >= problem.machine.ringDepth ||
        used + more > problem.machine.sharedBytes)
      return;
    used += more;
    ++ring.depth;
  };
  int64_t round = 0;
  for (const Ring &ring : rings)
    round += slotBytes(problem, ring);
  auto isShallow = [&](const Ring &ring) {
    return ring.depth < problem.machine.ringDepth;
  };
  while (used + round <= problem.machine.sharedBytes &&
         std::any_of(rings.begin(), rings.end(), isShallow))
    for (Ring &ring : rings)
      grow(ring);
}
