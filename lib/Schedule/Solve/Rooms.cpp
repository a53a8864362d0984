//===- Rooms.cpp - What is counted, once times are known ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rooms.h"

#include <algorithm>

using namespace heddle::schedule;

using Times = std::vector<int64_t>;

static int64_t floorOf(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static int64_t ceilingOf(int64_t a, int64_t b) { return -floorOf(-a, b); }

Rooms::Rooms(const Rules &rules) : rules(rules), problem(rules.problem) {
  addProcesses();
  addRoom(problem.machine.columns,
          [&](int op) { return problem.operations[op].columns; });
}

/// Results of `amount` more than 0 share `size`.
template <class Amount> void Rooms::addRoom(int64_t size, Amount amount) {
  Room room{size, {}};
  for (int op = 0; op < int(problem.operations.size()); ++op) {
    if (amount(op) == 0)
      continue;
    if (problem.operations[op].persists)
      room.size -= amount(op);
    else
      room.values.push_back({op, amount(op)});
  }
  impossible |= room.size < 0 && size != room.size;
  // What takes most is first to be named where they crowd.
  std::stable_sort(
      room.values.begin(), room.values.end(),
      [](const auto &a, const auto &b) { return a.second > b.second; });
  if (!room.values.empty())
    rooms.push_back(std::move(room));
}

void Rooms::addProcesses() {
  const Roles &roles = rules.roles;
  for (size_t process = 0; process < roles.processes.size(); ++process) {
    int64_t have = roles.processes[process].registers;
    if (rules.goals.registers)
      have = have ? std::min(have, *rules.goals.registers)
                  : *rules.goals.registers;
    if (have > 0)
      addRoom(have - problem.machine.overheadRegisters, [&](int op) {
        return roles.process[op] == int(process)
                   ? problem.operations[op].registers
                   : 0;
      });
  }
}

int64_t Rooms::birthOf(int op, const Times &times) const {
  return times[rules.issueOf(op)] + rules.birthDelayOf(op);
}

int64_t Rooms::endOf(int op, const Times &times) const {
  int64_t end = birthOf(op, times);
  for (const Dependence &edge : problem.dependences)
    if (edge.from == op && !edge.orders)
      end =
          std::max(end, times[rules.endEventOf(edge)] + rules.endDelayOf(edge));
  return end;
}

/// At some birth more is alive than fits. A copy of a result is named by the
/// turn of which it is.
std::optional<Clause> Rooms::findCrowd(const Room &room,
                                       const Times &times) const {
  for (const auto &[born, size] : room.values) {
    int64_t birth = birthOf(born, times), sum = 0;
    std::vector<std::pair<int, int64_t>> alive; // operation, turn
    for (const auto &[op, amount] : room.values) {
      // Turns with birth + turn * II <= birth of `born` < end + turn * II.
      int64_t last = floorOf(birth - birthOf(op, times), rules.ii);
      int64_t first = floorOf(birth - endOf(op, times), rules.ii) + 1;
      for (int64_t turn = first; turn <= last && sum <= room.size; ++turn) {
        alive.push_back({op, turn});
        sum += amount;
      }
    }
    if (sum > room.size)
      return giveWay(born, alive);
  }
  return std::nullopt;
}

/// Not all that are `alive` are when `born` is: of one, all readers are done,
/// or it is not there yet.
Clause Rooms::giveWay(int born,
                      const std::vector<std::pair<int, int64_t>> &alive) const {
  Clause clause;
  int here = rules.issueOf(born);
  int64_t delay = rules.birthDelayOf(born);
  for (const auto &[op, turn] : alive) {
    Links ended;
    for (const Dependence &edge : problem.dependences)
      if (edge.from == op && !edge.orders)
        ended.push_back({rules.endEventOf(edge), here,
                         rules.endDelayOf(edge) + turn * rules.ii - delay});
    // A life of no length ends with its birth.
    ended.push_back({rules.issueOf(op), here,
                     rules.birthDelayOf(op) + turn * rules.ii - delay});
    clause.push_back(std::move(ended));
    if (op != born)
      clause.push_back(
          {{here, rules.issueOf(op),
            delay + 1 - rules.birthDelayOf(op) - turn * rules.ii}});
  }
  return clause;
}

int64_t Rooms::slotsFor(const Ring &ring, const Times &times) const {
  int64_t slots = 1;
  for (const Link &link : rules.slotLinks(ring, 0))
    slots = std::max(
        slots,
        ceilingOf(times[link.from] + link.weight - times[link.to], rules.ii));
  return slots;
}

std::optional<Clause> Rooms::findSharedMemory(const Times &times) const {
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
std::optional<Clause> Rooms::findOwnerChanges(const Times &times) const {
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

std::optional<Clause> Rooms::findBroken(const Times &times) const {
  if (rules.goals.ownerChanges)
    if (auto clause = findOwnerChanges(times))
      return clause;
  if (auto clause = findSharedMemory(times))
    return clause;
  for (const Room &room : rooms)
    if (auto clause = findCrowd(room, times))
      return clause;
  return std::nullopt;
}
