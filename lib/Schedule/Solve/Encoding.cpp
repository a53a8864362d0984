//===- Encoding.cpp - A query in the SMT solver's terms: times ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Encoding.h"

#include <algorithm>

using namespace heddle::schedule;

/// Iterations that may be under way at once.
static constexpr int64_t kStages = 6;

Encoding::Encoding(const Query &query)
    : problem(query.problem), roles(query.roles), blocks(query.blocks),
      ii(query.ii), goals(query.goals),
      isComplete(query.mode == Mode::Complete),
      isRegular(query.mode == Mode::Regular), solver(context, "QF_LIA") {
  declareTimes();
  if (roles.areFree())
    placeFreely();
  addDependences();
  addIssue();
  addUnits();
  addQueues();
  addCopies();
  addRegisters();
  addColumns();
  addRings();
  addGoals();
}

void Encoding::requireIf(const z3::expr &premise, const z3::expr &condition) {
  if (premise.is_true())
    require(condition);
  else if (!premise.is_false())
    require(z3::implies(premise, condition));
}

Encoding::Time Encoding::declareTime(const std::string &label) {
  z3::expr stage = integer("s." + label), residue = integer("r." + label);
  if (!isComplete)
    require(stage >= number(-kStages / 2) && stage < number(kStages / 2));
  require(residue >= 0 && residue < number(ii));
  return {stage * number(ii) + residue, stage, residue};
}

/// As long after `time` as all of this sub-tile is after the first one's.
Encoding::Time Encoding::declareLater(const Time &time, int sub,
                                      const std::string &label) {
  z3::expr shift = integer("shift." + std::to_string(sub));
  z3::expr wraps = boolean("wraps." + label);
  z3::expr turn = z3::ite(wraps, number(1), number(0));
  require(shift >= 0 && shift < number(ii));
  z3::expr residue =
      time.residue + shift - z3::ite(wraps, number(ii), number(0));
  require(residue >= 0 && residue < number(ii));
  return {time.cycle + shift, time.stage + turn, residue};
}

/// The block that does for sub-tile 0 what `block` does for another; -1 if
/// there is none.
int Encoding::firstSubTilesBlock(const Block &block) const {
  auto isTwin = [&](int op, int other) {
    std::string mine = "." + std::to_string(operation(op).sub);
    std::string base = name(op).substr(0, name(op).size() - mine.size());
    return name(op) == base + mine && name(other) == base + ".0";
  };
  if (!isRegular || operation(block.ops.front()).sub <= 0)
    return -1;
  for (size_t i = 0; i < issues.size(); ++i)
    if (std::equal(block.ops.begin(), block.ops.end(), blocks[i].ops.begin(),
                   blocks[i].ops.end(), isTwin) &&
        block.offset == blocks[i].offset)
      return int(i);
  return -1;
}

void Encoding::declareTimes() {
  blockOf.assign(problem.operations.size(), 0);
  offset.assign(problem.operations.size(), 0);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block &block = blocks[i];
    for (size_t j = 0; j < block.ops.size(); ++j) {
      blockOf[block.ops[j]] = int(i);
      offset[block.ops[j]] = block.offset[j];
    }
    int op = block.ops.front(), twin = firstSubTilesBlock(block);
    const std::string &label = name(op);
    if (twin >= 0) {
      int sub = operation(op).sub;
      issues.push_back(declareLater(issues[twin], sub, label));
      executions.push_back(
          hasQueue(op) ? declareLater(executions[twin], sub, "x." + label)
                       : issues.back());
      continue;
    }
    issues.push_back(declareTime(label));
    executions.push_back(issues.back());
    if (hasQueue(op)) {
      executions.back() = declareTime("x." + label);
      require(executions.back().cycle >= issues.back().cycle);
      if (!isComplete)
        require(executions.back().cycle <= issues.back().cycle + number(ii));
    }
  }
  // Any schedule may be moved by a constant.
  int anchor = 0;
  while (anchor < operationCount() && !hasQueue(anchor))
    ++anchor;
  if (operationCount() > 0) {
    const Time &time =
        executions[blockOf[anchor < operationCount() ? anchor : 0]];
    require(time.stage == 0 && time.residue == 0);
  }
}

/// Of `from`, whose result `edge` reads: that of the edge itself, or one that
/// shares the slot.
void Encoding::requireDelay(const Dependence &edge, int from,
                            const z3::expr &read) {
  Dependence wait = edge;
  wait.from = from;
  int64_t together = requiredDelay(problem, wait, false);
  int64_t apart = requiredDelay(problem, wait, true);
  z3::expr have = read + number(edge.distance * ii) - execution(from);
  int64_t late = !edge.accumulates && !edge.orders && hasQueue(from) &&
                         !isAsynchronous(edge.to)
                     ? goals.slack
                     : 0;
  require(have >= number(together + late));
  if (apart > together)
    requireIf(!sharesProcess(from, edge.to), have >= number(apart + late));
}

void Encoding::addDependences() {
  for (const Dependence &edge : problem.dependences) {
    bool isInBlock =
        blockOf[edge.from] == blockOf[edge.to] && edge.distance == 0;
    if (!isInBlock || isComplete) // else the offsets see to it
      requireDelay(edge, edge.from,
                   edge.accumulates ? execution(edge.to) : issue(edge.to));
  }
  for (const Ring &ring : roles.rings)
    for (int last : ring.operations)
      for (int op : ring.operations)
        for (const Dependence &edge : problem.dependences)
          if (edge.from == op && !edge.orders &&
              (op != last || edge.accumulates))
            requireDelay(edge, last, issue(edge.to));
}

/// True if what `label` names has the smaller residue first.
z3::expr Encoding::isBefore(const std::string &label) {
  return boolean("before." + label);
}

/// Two stretches of time do not overlap modulo II: `gap` is the second's
/// residue less the first's, in (-II, II), and `order` says which is smaller.
void Encoding::exclude(const z3::expr &premise, const z3::expr &order,
                       const z3::expr &gap, int64_t lengthA, int64_t lengthB) {
  requireIf(premise, z3::implies(order, gap >= number(lengthA) &&
                                            gap <= number(ii - lengthB)));
  requireIf(premise, z3::implies(!order, gap <= number(-lengthB) &&
                                             gap >= number(lengthA - ii)));
}

/// The same for stretches that begin some cycles behind a residue, with `gap`
/// in (-2 II, 2 II).
void Encoding::excludeWrapped(const z3::expr &premise, const z3::expr &gap,
                              int64_t lengthA, int64_t lengthB) {
  z3::expr_vector cases(context);
  for (int64_t turn = -1; turn <= 2; ++turn)
    cases.push_back(gap + number(turn * ii) >= number(lengthA) &&
                    gap + number(turn * ii) <= number(ii - lengthB));
  requireIf(premise, z3::mk_or(cases));
}

void Encoding::addIssue() {
  for (const Block &block : blocks)
    if (block.issue > ii)
      require(truth(false));
  for (size_t a = 0; a < blocks.size(); ++a)
    for (size_t b = a + 1; b < blocks.size(); ++b) {
      int first = blocks[a].ops.front(), second = blocks[b].ops.front();
      exclude(sharesProcess(first, second),
              isBefore(name(first) + "." + name(second)),
              issues[b].residue - issues[a].residue, blocks[a].issue,
              blocks[b].issue);
    }
}

namespace {

/// A stretch of a block's time on one unit.
struct Segment {
  int block, unit;
  int64_t begin, end;
};

} // namespace

void Encoding::addUnits() {
  for (const Operation &op : problem.operations)
    if (op.reservation > ii)
      require(truth(false));
  std::vector<Segment> all;
  for (size_t i = 0; i < blocks.size(); ++i)
    for (size_t j = 0; j < blocks[i].ops.size(); ++j) {
      const Operation &op = operation(blocks[i].ops[j]);
      if (hasQueue(blocks[i].ops[j]) || op.reservation == 0)
        continue;
      int64_t begin = blocks[i].offset[j], end = begin + op.reservation;
      // What follows within a few cycles is as good as one piece.
      if (!all.empty() && all.back().block == int(i) &&
          all.back().unit == op.unit && begin - all.back().end <= ii / 64)
        all.back().end = std::max(end, all.back().end);
      else
        all.push_back({int(i), op.unit, begin, end});
    }
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = i + 1; j < all.size(); ++j) {
      const Segment &a = all[i], &b = all[j];
      int first = blocks[a.block].ops.front(),
          second = blocks[b.block].ops.front();
      if (a.unit != b.unit || a.block == b.block)
        continue;
      z3::expr gap = issues[b.block].residue - issues[a.block].residue;
      // In one process the issue keeps apart what is no longer than it.
      bool isKeptApart = !problem.units[a.unit].asynchronous && !isComplete &&
                         sharesProcess(first, second).is_true();
      if (isKeptApart)
        continue;
      if (a.begin == 0 && b.begin == 0)
        exclude(truth(true), isBefore(name(first) + "." + name(second)), gap,
                a.end, b.end);
      else
        excludeWrapped(truth(true), gap + number(b.begin - a.begin),
                       a.end - a.begin, b.end - b.begin);
    }
}

void Encoding::addQueues() {
  for (int a = 0; a < operationCount(); ++a)
    for (int b = a + 1; b < operationCount(); ++b) {
      if (!hasQueue(a) || !hasQueue(b) ||
          operation(a).unit != operation(b).unit)
        continue;
      exclude(truth(true), isBefore("x." + name(a) + "." + name(b)),
              executions[blockOf[b]].residue - executions[blockOf[a]].residue,
              operation(a).reservation, operation(b).reservation);
      addTurn(a, b);
    }
}

/// b's turn behind a's and before a's next is issued between them, too.
void Encoding::addTurn(int a, int b) {
  const Time &first = executions[blockOf[a]], &second = executions[blockOf[b]];
  z3::expr order = isBefore("x." + name(a) + "." + name(b));
  z3::expr later =
      issue(b) - issue(a) + (first.stage - second.stage) * number(ii);
  auto within = [&](int64_t lengthA, int64_t lengthB) {
    return z3::ite(order,
                   later >= number(lengthA) && later <= number(ii - lengthB),
                   later >= number(lengthA - ii) && later <= number(-lengthB));
  };
  // A table does not say who is first of two that are issued at once.
  int64_t apart = isComplete ? 0 : 1;
  require(within(apart, apart));
  requireIf(sharesProcess(a, b),
            within(operation(a).issue, operation(b).issue));
}

z3::expr Encoding::endOfReader(const Dependence &edge) {
  bool isQueued = isAsynchronous(edge.to);
  z3::expr begin = isQueued ? execution(edge.to) : issue(edge.to);
  int64_t busy =
      isQueued ? operation(edge.to).latency : operation(edge.to).issue;
  return begin + number(edge.distance * ii + busy);
}

z3::expr Encoding::birth(int op) {
  bool late = operation(op).inPlace && !isAsynchronous(op);
  return issue(op) + number(late ? operation(op).issue : 0);
}

/// An asynchronous unit writes registers that nobody can copy meanwhile.
void Encoding::addCopies() {
  for (const Dependence &edge : problem.dependences)
    if (!edge.accumulates && !edge.orders && isAsynchronous(edge.from) &&
        !goesThroughSlots(problem, edge.from))
      require(endOfReader(edge) - issue(edge.from) <= number(ii));
}
