//===- CumulativeResources.cpp - What is counted, once times are known ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CumulativeResources.h"

#include <algorithm>

using namespace heddle::schedule;

using Times = std::vector<int64_t>;

static int64_t floorOf(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static int64_t ceilingOf(int64_t a, int64_t b) { return -floorOf(-a, b); }

CumulativeResources::CumulativeResources(const Rules &rules)
    : rules(rules), problem(rules.problem) {
  addProcesses();
  columns = makeResource(problem.machine.columns, [&](int op) {
    return problem.operations[op].columns;
  });
}

/// Results of `amount` more than 0 share `size`.
template <class Amount>
CumulativeResources::Resource CumulativeResources::makeResource(int64_t size,
                                                                Amount amount) {
  Resource resource{size, 0, {}};
  for (int op = 0; op < int(problem.operations.size()); ++op) {
    if (amount(op) == 0)
      continue;
    if (problem.operations[op].persists)
      resource.always += amount(op);
    else
      resource.values.push_back({op, amount(op)});
  }
  resource.size -= resource.always;
  impossible |= resource.size < 0 && resource.always > 0;
  // What takes most is first to be named where there is too much.
  std::stable_sort(
      resource.values.begin(), resource.values.end(),
      [](const auto &a, const auto &b) { return a.second > b.second; });
  return resource;
}

void CumulativeResources::addProcesses() {
  const Roles &roles = rules.roles;
  for (size_t process = 0; process < roles.processes.size(); ++process) {
    int64_t have = roles.sharesRegisters ? problem.machine.maxRegisters
                                         : roles.processes[process].registers;
    if (rules.goals.registers)
      have = have ? std::min(have, *rules.goals.registers)
                  : *rules.goals.registers;
    int64_t size = have ? have - problem.machine.overheadRegisters
                        : INT64_MAX / 2; // not limited
    processes.push_back(makeResource(size, [&](int op) {
      return roles.process[op] == int(process)
                 ? problem.operations[op].registers
                 : 0;
    }));
  }
}

int64_t CumulativeResources::birthOf(int op, const Times &times) const {
  return times[rules.issueOf(op)] + rules.birthDelayOf(op);
}

int64_t CumulativeResources::endOf(int op, const Times &times) const {
  int64_t end = birthOf(op, times);
  for (const Dependence &edge : problem.dependences)
    if (edge.from == op && !edge.orders)
      end =
          std::max(end, times[rules.endEventOf(edge)] + rules.endDelayOf(edge));
  return end;
}

/// What is alive when `born` is, until there is more than `enough`. A copy of a
/// result is named by the turn of which it is.
CumulativeResources::Load
CumulativeResources::loadAt(const Resource &resource, int born, int64_t enough,
                            const Times &times) const {
  Load load;
  load.born = born;
  int64_t birth = birthOf(born, times);
  for (const auto &[op, amount] : resource.values) {
    // Turns with birth + turn * II <= birth of `born` < end + turn * II.
    int64_t last = floorOf(birth - birthOf(op, times), rules.ii);
    int64_t first = floorOf(birth - endOf(op, times), rules.ii) + 1;
    for (int64_t turn = first; turn <= last && load.amount <= enough; ++turn) {
      load.alive.push_back({op, turn});
      load.amount += amount;
    }
  }
  return load;
}

CumulativeResources::Load
CumulativeResources::largestLoad(const Resource &resource,
                                 const Times &times) const {
  Load largest;
  for (const auto &[born, size] : resource.values) {
    Load load = loadAt(resource, born, INT64_MAX, times);
    if (load.amount > largest.amount)
      largest = std::move(load);
  }
  return largest;
}

/// At some birth more is alive than fits.
std::optional<Clause>
CumulativeResources::findOverload(const Resource &resource,
                                  const Times &times) const {
  for (const auto &[born, size] : resource.values) {
    Load load = loadAt(resource, born, resource.size, times);
    if (load.amount <= resource.size)
      continue;
    Clause clause;
    giveWay(born, load.alive, clause);
    return clause;
  }
  return std::nullopt;
}

/// Not all that are `alive` are when `born` is: of one, all readers are done,
/// or it is not there yet.
void CumulativeResources::giveWay(int born, const Copies &alive,
                                  Clause &clause) const {
  int here = rules.issueOf(born);
  int64_t delay = rules.birthDelayOf(born);
  for (const auto &[op, turn] : alive) {
    Links ended;
    for (const Dependence &edge : problem.dependences)
      if (edge.from == op && !edge.orders)
        ended.push_back({rules.endEventOf(edge), here,
                         rules.endDelayOf(edge) + turn * rules.ii - delay});
    // A life of no length ends with its birth.
    int64_t begin = rules.birthDelayOf(op) + turn * rules.ii;
    ended.push_back({rules.issueOf(op), here, begin - delay});
    clause.push_back(std::move(ended));
    if (op != born)
      clause.push_back({{here, rules.issueOf(op), delay + 1 - begin}});
  }
}

static int64_t inEights(int64_t registers) { return (registers + 7) / 8 * 8; }

int64_t CumulativeResources::registersFor(int process,
                                          const Times &times) const {
  const Resource &resource = processes[process];
  int64_t held = resource.always + largestLoad(resource, times).amount;
  return std::max(problem.machine.loaderRegisters,
                  held ? inEights(held + problem.machine.overheadRegisters)
                       : 0);
}

/// What processes need is more than they have together: one holds less.
std::optional<Clause> CumulativeResources::findFile(const Times &times) const {
  const Roles &roles = rules.roles;
  int64_t all = 0, groups = 0;
  for (size_t i = 0; i < processes.size(); ++i) {
    groups += roles.processes[i].warps / 4;
    all += registersFor(int(i), times) * (roles.processes[i].warps / 4);
  }
  int64_t have = rules.isComplete ? problem.machine.registersPerLane
                                  : launchedRegisters(problem, groups);
  if (all <= have)
    return std::nullopt;
  Clause clause;
  for (const Resource &resource : processes)
    if (Load load = largestLoad(resource, times); load.born >= 0)
      giveWay(load.born, load.alive, clause);
  return clause;
}

int64_t CumulativeResources::slotsFor(const Ring &ring,
                                      const Times &times) const {
  int64_t slots = 1;
  for (const Arc &link : rules.slotLinks(ring, 0))
    slots = std::max(
        slots,
        ceilingOf(times[link.from] + link.weight - times[link.to], rules.ii));
  return slots;
}

std::optional<Clause>
CumulativeResources::findSharedMemory(const Times &times) const {
  int64_t bytes = 0;
  Clause clause;
  for (const Ring &ring : rules.roles.rings) {
    int64_t slots = slotsFor(ring, times);
    bytes += slots * slotBytes(problem, ring);
    if (slots > 1)
      clause.push_back(rules.slotLinks(ring, slots - 1));
  }
  if (bytes <= problem.machine.sharedBytes)
    return std::nullopt;
  return clause;
}

/// Whatever the order on a unit is, one of those that stand behind another now
/// goes in front of it.
std::optional<Clause>
CumulativeResources::findOwnerChanges(const Times &times) const {
  int64_t changes = 0;
  Clause clause;
  for (int unit = 0; unit < int(problem.units.size()); ++unit) {
    std::vector<std::pair<int64_t, int>> order; // residue, operation
    for (int op = 0; op < int(problem.operations.size()); ++op) {
      const Operation &operation = problem.operations[op];
      if (operation.unit == unit && rules.hasQueue(op) &&
          !operation.variableLatency && operation.reservation > 0)
        order.push_back(
            {times[rules.takeUpOf(op)] -
                 floorOf(times[rules.takeUpOf(op)], rules.ii) * rules.ii,
             op});
    }
    std::sort(order.begin(), order.end());
    for (size_t i = 0; i < order.size() && order.size() > 1; ++i) {
      int before = order[i].second,
          after = order[(i + 1) % order.size()].second;
      changes += rules.roles.process[before] != rules.roles.process[after];
      int here = rules.takeUpOf(before), next = rules.takeUpOf(after);
      int64_t turn = ceilingOf(times[here] - times[next], rules.ii);
      clause.push_back(
          {{next, here,
            problem.operations[after].reservation + turn * rules.ii}});
    }
  }
  if (!rules.goals.ownerChanges || changes <= *rules.goals.ownerChanges)
    return std::nullopt;
  return clause;
}

std::optional<Clause>
CumulativeResources::findBroken(const Times &times) const {
  if (rules.goals.ownerChanges)
    if (auto clause = findOwnerChanges(times))
      return clause;
  if (auto clause = findSharedMemory(times))
    return clause;
  for (const Resource &resource : processes)
    if (auto clause = findOverload(resource, times))
      return clause;
  if (auto clause = findOverload(columns, times))
    return clause;
  if (rules.roles.sharesRegisters)
    return findFile(times);
  return std::nullopt;
}
