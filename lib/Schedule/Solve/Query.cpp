//===- Query.cpp - One question about a schedule to the SMT solver --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block has an issue time q = II * stage + residue; what stands on an
// asynchronous unit has an execution time x beside it. Two things that exclude
// each other modulo II are a disjunction over differences of residues. A value
// that is not there at some cycle has a witness: the turn in which that cycle
// lies between its end and its next birth.
//
//===----------------------------------------------------------------------===//

#include "Query.h"

#include <algorithm>
#include <z3++.h>

using namespace heddle::schedule;

namespace {

/// Iterations that may be under way at once.
constexpr int64_t kStages = 6;
/// Results of no more registers than this are counted as if always held.
constexpr int64_t kSmallResult = 8;

class Encoding {
public:
  Encoding(const Query &query)
      : problem(query.problem), roles(query.roles), blocks(query.blocks),
        ii(query.ii), goals(query.goals), solver(context, "QF_LIA") {
    declare();
    addDependences();
    addIssue();
    addUnits();
    addQueues();
    addCopies();
    addRegisters();
    addRings();
    addGoals();
  }

  Reply solve(uint64_t steps) {
    z3::params params(context);
    params.set("rlimit", unsigned(std::min<uint64_t>(steps, UINT_MAX)));
    params.set("random_seed", 0u);
    solver.set(params);
    Reply reply;
    switch (solver.check()) {
    case z3::sat:
      reply.answer = Answer::Found;
      reply.solution = read(solver.get_model());
      break;
    case z3::unsat:
      reply.answer = Answer::Refuted;
      break;
    case z3::unknown:
      break;
    }
    reply.steps = count();
    return reply;
  }

private:
  struct Place {
    z3::expr issue, residue, stage;
    z3::expr execution;
  };

  z3::expr number(int64_t value) { return context.int_val(value); }
  z3::expr integer(const std::string &name) {
    return context.int_const(name.c_str());
  }
  void require(const z3::expr &condition) { solver.add(condition); }
  int operationCount() const { return int(problem.operations.size()); }
  const Operation &operation(int op) const { return problem.operations[op]; }
  const std::string &name(int op) const { return operation(op).name; }
  bool isAsynchronous(int op) const {
    return problem.units[operation(op).unit].asynchronous;
  }
  /// Loads start when they are issued; the timetable of the one process that
  /// issues them is loose enough.
  bool hasQueue(int op) const {
    return isAsynchronous(op) && !operation(op).variableLatency;
  }
  bool sameProcess(int a, int b) const {
    return roles.process[a] == roles.process[b];
  }

  void declare() {
    blockOf.assign(problem.operations.size(), 0);
    offset.assign(problem.operations.size(), 0);
    for (size_t i = 0; i < blocks.size(); ++i) {
      const Block &block = blocks[i];
      for (size_t j = 0; j < block.ops.size(); ++j) {
        blockOf[block.ops[j]] = int(i);
        offset[block.ops[j]] = block.offset[j];
      }
      const std::string &label = name(block.ops.front());
      z3::expr stage = integer("s." + label), residue = integer("r." + label);
      z3::expr issue = stage * number(ii) + residue;
      require(stage >= 0 && stage < number(kStages) && residue >= 0 &&
              residue < number(ii));
      z3::expr execution = issue;
      if (hasQueue(block.ops.front())) {
        execution = integer("x." + label);
        require(execution >= issue && execution <= issue + number(ii));
      }
      places.push_back({issue, residue, stage, execution});
    }
    // Any schedule may be moved by a constant.
    for (int op = 0; op < operationCount(); ++op)
      if (hasQueue(op)) {
        require(execution(op) == number(kStages / 2 * ii));
        return;
      }
  }

  z3::expr issue(int op) {
    return places[blockOf[op]].issue + number(offset[op]);
  }
  z3::expr execution(int op) {
    return places[blockOf[op]].execution + number(offset[op]);
  }

  void addDependences() {
    for (const Dependence &edge : problem.dependences) {
      if (blockOf[edge.from] == blockOf[edge.to] && edge.distance == 0)
        continue; // the offsets see to it
      bool crosses = !sameProcess(edge.from, edge.to);
      int64_t delay = requiredDelay(problem, edge, crosses);
      if (!edge.accumulates && !edge.orders && hasQueue(edge.from) &&
          !isAsynchronous(edge.to))
        delay += goals.slack;
      z3::expr read = edge.accumulates ? execution(edge.to) : issue(edge.to);
      require(read + number(edge.distance * ii) - execution(edge.from) >=
              number(delay));
    }
    for (const Ring &ring : roles.rings)
      for (int last : ring.operations)
        for (int op : ring.operations)
          for (const Dependence &edge : problem.dependences) {
            if (edge.from != op || edge.orders)
              continue;
            Dependence wait = edge;
            wait.from = last;
            int64_t delay =
                requiredDelay(problem, wait, !sameProcess(last, edge.to));
            require(issue(edge.to) + number(edge.distance * ii) -
                        execution(last) >=
                    number(delay));
          }
  }

  /// a ends before b begins, or the other way round, modulo II: `gap` is b's
  /// begin behind a's, in (-2 II, 2 II).
  void exclude(const z3::expr &gap, int64_t lengthA, int64_t lengthB,
               bool wraps) {
    z3::expr_vector cases(context);
    for (int64_t turn = wraps ? -1 : 0; turn <= (wraps ? 2 : 1); ++turn)
      cases.push_back(gap + number(turn * ii) >= number(lengthA) &&
                      gap + number(turn * ii) <= number(ii - lengthB));
    require(z3::mk_or(cases));
  }

  void addIssue() {
    for (const Block &block : blocks)
      if (block.issue > ii)
        require(context.bool_val(false));
    for (size_t a = 0; a < blocks.size(); ++a)
      for (size_t b = a + 1; b < blocks.size(); ++b)
        if (sameProcess(blocks[a].ops.front(), blocks[b].ops.front()))
          exclude(places[b].residue - places[a].residue, blocks[a].issue,
                  blocks[b].issue, false);
  }

  /// A stretch of a block's time on one synchronous unit.
  struct Segment {
    int block, unit;
    int64_t begin, end;
  };

  std::vector<Segment> segments() {
    std::vector<Segment> result;
    for (size_t i = 0; i < blocks.size(); ++i)
      for (size_t j = 0; j < blocks[i].ops.size(); ++j) {
        const Operation &op = operation(blocks[i].ops[j]);
        if (hasQueue(blocks[i].ops[j]) || op.reservation == 0)
          continue;
        int64_t begin = blocks[i].offset[j], end = begin + op.reservation;
        // What follows within a few cycles is as good as one piece.
        if (!result.empty() && result.back().block == int(i) &&
            result.back().unit == op.unit &&
            begin - result.back().end <= ii / 64)
          result.back().end = std::max(end, result.back().end);
        else
          result.push_back({int(i), op.unit, begin, end});
      }
    return result;
  }

  void addUnits() {
    for (const Operation &op : problem.operations)
      if (op.reservation > ii)
        require(context.bool_val(false));
    std::vector<Segment> all = segments();
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = i + 1; j < all.size(); ++j) {
        const Segment &a = all[i], &b = all[j];
        bool isOrdered =
            a.block == b.block || (sameProcess(blocks[a.block].ops.front(),
                                               blocks[b.block].ops.front()) &&
                                   !problem.units[a.unit].asynchronous);
        if (a.unit != b.unit || isOrdered)
          continue; // in one process the issue keeps them apart
        exclude(places[b.block].residue + number(b.begin) -
                    places[a.block].residue - number(a.begin),
                a.end - a.begin, b.end - b.begin, true);
      }
  }

  void addQueues() {
    for (int a = 0; a < operationCount(); ++a)
      for (int b = a + 1; b < operationCount(); ++b) {
        if (!hasQueue(a) || !hasQueue(b) ||
            operation(a).unit != operation(b).unit)
          continue;
        z3::expr turn = integer("turn." + name(a) + "." + name(b));
        z3::expr gap = execution(b) - execution(a) + turn * number(ii);
        require(gap >= number(operation(a).reservation) &&
                gap <= number(ii - operation(b).reservation));
        z3::expr issues = issue(b) - issue(a) + turn * number(ii);
        bool same = sameProcess(a, b);
        require(issues >= number(same ? operation(a).issue : 0) &&
                issues <= number(ii - (same ? operation(b).issue : 0)));
      }
  }

  z3::expr endOfReader(const Dependence &edge) {
    z3::expr begin =
        isAsynchronous(edge.to) ? execution(edge.to) : issue(edge.to);
    int64_t busy = isAsynchronous(edge.to) ? operation(edge.to).latency
                                           : operation(edge.to).issue;
    return begin + number(edge.distance * ii + busy);
  }

  /// An asynchronous unit writes registers that nobody can copy meanwhile.
  void addCopies() {
    for (const Dependence &edge : problem.dependences)
      if (!edge.accumulates && !edge.orders && isAsynchronous(edge.from) &&
          !goesThroughSlots(problem, edge.from))
        require(endOfReader(edge) - birth(edge.from) <= number(ii));
  }

  z3::expr birth(int op) {
    bool late = operation(op).inPlace && !isAsynchronous(op);
    return issue(op) + number(late ? operation(op).issue : 0);
  }

  /// Values whose registers are counted over time; the others', always.
  struct Value {
    int op;
    z3::expr birth, end;
  };

  void addRegisters() {
    for (size_t process = 0; process < roles.processes.size(); ++process) {
      int64_t have = roles.processes[process].registers;
      if (have == 0)
        continue; // not limited
      addPressure(
          [&](int op) {
            return roles.process[op] == int(process) ? operation(op).registers
                                                     : 0;
          },
          have - problem.machine.overheadRegisters, kSmallResult);
    }
    addPressure([&](int op) { return operation(op).columns; },
                problem.machine.columns, 0);
  }

  /// Of what is counted over time, one copy at most lives at a time.
  template <class Amount>
  void addPressure(Amount amount, int64_t have, int64_t small) {
    int64_t always = 0, all = 0;
    std::vector<Value> values;
    for (int op = 0; op < operationCount(); ++op) {
      all += amount(op);
      if (operation(op).persists || amount(op) <= small)
        always += amount(op);
      else
        values.push_back({op, birth(op), birth(op)});
    }
    if (all <= have) {
      keepSingle(values);
      return;
    }
    for (Value &value : values) {
      value.end = integer("e." + name(value.op));
      require(value.end >= value.birth &&
              value.end - value.birth <= number(ii));
      for (const Dependence &edge : problem.dependences)
        if (edge.from == value.op && !edge.orders)
          require(value.end >= endOfReader(edge));
    }
    require(number(always) <= number(have));
    for (const Value &born : values) {
      z3::expr sum = number(always + amount(born.op));
      for (const Value &other : values) {
        if (other.op == born.op)
          continue;
        std::string label = name(other.op) + "." + name(born.op);
        z3::expr isGone = context.bool_const(("gone." + label).c_str());
        z3::expr turn = integer("gone.turn." + label);
        z3::expr cycle = born.birth + turn * number(ii);
        require(z3::implies(isGone, cycle >= other.end &&
                                        cycle < other.birth + number(ii)));
        sum = sum + z3::ite(isGone, number(0), number(amount(other.op)));
      }
      require(sum <= number(have));
    }
  }

  /// With one copy each, all of them fit.
  void keepSingle(const std::vector<Value> &values) {
    for (const Value &value : values)
      for (const Dependence &edge : problem.dependences)
        if (edge.from == value.op && !edge.orders)
          require(endOfReader(edge) - value.birth <= number(ii));
  }

  void addRings() {
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

  void addGoals() {
    for (int op = 0; op < operationCount(); ++op)
      if (hasQueue(op) && goals.slack)
        require(execution(op) - issue(op) >= number(goals.slack));
    if (goals.longest)
      for (size_t a = 0; a < blocks.size(); ++a)
        for (size_t b = 0; b < blocks.size(); ++b)
          if (!operation(blocks[a].ops.front()).variableLatency)
            require(places[b].issue - places[a].issue <=
                    number(*goals.longest));
  }

  int64_t valueOf(const z3::model &model, const z3::expr &expression) {
    return model.eval(expression, true).get_numeral_int64();
  }

  Solution read(const z3::model &model) {
    Solution solution;
    solution.ii = ii;
    solution.process = roles.process;
    solution.processes = roles.processes;
    solution.rings = roles.rings;
    int64_t first = INT64_MAX;
    for (int op = 0; op < operationCount(); ++op) {
      solution.start.push_back(valueOf(model, issue(op)));
      solution.execution.push_back(valueOf(model, execution(op)));
      first = std::min(first, solution.start.back());
    }
    // Whole turns only: where a turn begins says what belongs to one step.
    first -= first % ii;
    for (int op = 0; op < operationCount(); ++op) {
      solution.start[op] -= first;
      solution.execution[op] -= first;
    }
    for (size_t i = 0; i < depths.size(); ++i)
      solution.rings[i].depth = valueOf(model, depths[i]);
    return solution;
  }

  uint64_t count() {
    z3::stats statistics = solver.statistics();
    for (unsigned i = 0; i < statistics.size(); ++i)
      if (statistics.key(i) == "rlimit count")
        return statistics.is_uint(i) ? statistics.uint_value(i) : 0;
    return 0;
  }

  const Problem &problem;
  const Roles &roles;
  const std::vector<Block> &blocks;
  int64_t ii;
  Goals goals;
  z3::context context;
  z3::solver solver;
  std::vector<int> blockOf;
  std::vector<int64_t> offset;
  std::vector<Place> places;
  std::vector<z3::expr> depths;
};

} // namespace

Reply heddle::schedule::ask(const Query &query, uint64_t steps) {
  return Encoding(query).solve(steps);
}
