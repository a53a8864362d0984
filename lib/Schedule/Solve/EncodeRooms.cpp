//===- EncodeRooms.cpp - Registers, columns and slots ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Encoding.h"

#include <algorithm>

using namespace heddle::schedule;

/// Results of no more registers than this are counted as if always held.
static constexpr int64_t kSmallResult = 8;

/// What is counted over time.
struct Encoding::Value {
  int op;
  z3::expr birth, end;
};

void Encoding::addRegisters() {
  if (roles.areFree())
    return addFreeRegisters();
  for (size_t process = 0; process < roles.processes.size(); ++process) {
    int64_t have = roles.processes[process].registers;
    if (goals.registers)
      have = have ? std::min(have, *goals.registers) : *goals.registers;
    if (have == 0)
      continue; // not limited
    int64_t room = have - problem.machine.overheadRegisters;
    addPressure(
        "gone.",
        [&](int op) {
          return roles.process[op] == int(process) ? operation(op).registers
                                                   : 0;
        },
        kSmallResult, room, [&](int, int) { return truth(true); },
        [&](int, const z3::expr &held) { require(held <= number(room)); });
  }
}

/// Each process gets what it needs; together they have the file.
void Encoding::addFreeRegisters() {
  z3::expr all = number(0);
  for (size_t process = 0; process < roles.processes.size(); ++process) {
    bool loads = roles.hasLoader && process == 0;
    z3::expr mine = registersOf(int(process));
    require(mine >= number(loads ? problem.machine.loaderRegisters : 0) &&
            mine <= number(problem.machine.maxRegisters));
    if (goals.registers)
      require(mine <= number(*goals.registers));
    all = all + mine * number(roles.processes[process].warps / 4);
    for (int op = 0; op < operationCount(); ++op)
      requireIf(isIn(op, int(process)),
                mine >= number(problem.machine.loaderRegisters));
  }
  require(all <= number(problem.machine.registersPerLane));
  addPressure(
      "gone.", [&](int op) { return operation(op).registers; }, kSmallResult,
      -1, [&](int a, int b) { return sharesProcess(a, b); },
      [&](int born, const z3::expr &held) {
        for (size_t process = 0; process < roles.processes.size(); ++process)
          requireIf(isIn(born, int(process)),
                    held + number(problem.machine.overheadRegisters) <=
                        registersOf(int(process)));
      });
}

void Encoding::addColumns() {
  addPressure(
      "gone.columns.", [&](int op) { return operation(op).columns; }, 0,
      problem.machine.columns, [&](int, int) { return truth(true); },
      [&](int, const z3::expr &held) {
        require(held <= number(problem.machine.columns));
      });
}

/// At each birth, `room` for what is held `together` with it. Of what is
/// counted over time, one copy at most lives at a time, unless nothing may be
/// left out. `have` is there in any case, or is -1.
void Encoding::addPressure(const std::string &kind, const Amount &amount,
                           int64_t small, int64_t have,
                           const Together &together, const Room &room) {
  int64_t all = 0;
  std::vector<int> always, ops;
  for (int op = 0; op < operationCount(); ++op) {
    if (amount(op) == 0)
      continue;
    all += amount(op);
    if (operation(op).persists || (amount(op) <= small && !isComplete))
      always.push_back(op);
    else
      ops.push_back(op);
  }
  if (all <= have && !isComplete)
    return keepSingle(ops);
  auto heldAlways = [&](int born) {
    z3::expr sum = number(0);
    for (int op : always)
      if (op != born)
        sum = sum + z3::ite(together(op, born), number(amount(op)), number(0));
    return sum;
  };
  for (int born : always)
    room(born, heldAlways(born) + number(amount(born)));
  std::vector<Value> values;
  for (int op : ops) {
    z3::expr end = integer("e." + kind + name(op));
    values.push_back({op, birth(op), end});
    require(end >= birth(op));
    if (!isComplete)
      require(end - birth(op) <= number(ii));
    for (const Dependence &edge : problem.dependences)
      if (edge.from == op && !edge.orders)
        require(end >= endOfReader(edge));
  }
  for (const Value &born : values) {
    z3::expr sum = heldAlways(born.op);
    if (!isComplete)
      sum = sum + number(amount(born.op));
    for (const Value &held : values) {
      z3::expr share = together(held.op, born.op);
      if (share.is_false() || (held.op == born.op && !isComplete))
        continue;
      std::string label = kind + name(held.op) + "." + name(born.op);
      z3::expr copies = copiesAtBirth(label, held, born, share);
      sum = sum + number(amount(held.op)) * copies;
    }
    room(born.op, sum);
  }
}

/// How many results of `held` are there when `born` is. `together` is false:
/// none.
z3::expr Encoding::copiesAtBirth(const std::string &label, const Value &held,
                                 const Value &born, const z3::expr &together) {
  z3::expr turn = integer("turn." + label);
  z3::expr cycle = born.birth + turn * number(ii);
  if (!isComplete) {
    // One copy, or none if the cycle lies between its end and its next birth.
    z3::expr isGone = boolean(label);
    require(z3::implies(isGone,
                        cycle >= held.end && cycle < held.birth + number(ii)));
    return z3::ite(isGone || !together, number(0), number(1));
  }
  // The birth falls into one turn of `held`; each copy lasts a turn more.
  z3::expr copies = integer("copies." + label);
  require(copies >= 0);
  requireIf(together, cycle >= held.birth && cycle < held.birth + number(ii) &&
                          held.end <= cycle + copies * number(ii));
  return copies;
}

/// With one copy each, all of them fit.
void Encoding::keepSingle(const std::vector<int> &ops) {
  for (int op : ops)
    for (const Dependence &edge : problem.dependences)
      if (edge.from == op && !edge.orders)
        require(endOfReader(edge) - birth(op) <= number(ii));
}

void Encoding::addRings() {
  z3::expr bytes = number(0);
  for (const Ring &ring : roles.rings) {
    z3::expr depth = integer("depth." + ring.name);
    require(depth >= 1 && depth <= number(problem.machine.ringDepth));
    for (int op : ring.operations)
      for (int first : ring.operations)
        for (const Dependence &edge : problem.dependences) {
          if (edge.from != op)
            continue;
          z3::expr end =
              execution(edge.to) +
              number(edge.distance * ii + operation(edge.to).latency +
                     problem.machine.handOverCycles);
          require(end - issue(first) <= depth * number(ii));
        }
    bytes = bytes + depth * number(slotBytes(problem, ring));
    depths.push_back(depth);
  }
  require(bytes <= number(problem.machine.sharedBytes));
}
