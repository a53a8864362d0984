//===- Certify.h - Is a schedule legal, and is it the best? -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second opinion on what a solver says. It is written from the meaning in
// Problem.h alone: it shares no code with the solvers, with schedule::verify or
// with the bounds they use, and links none of it. Schedules are unrolled into
// cycles; bounds come with a witness that a person can add up; an interval that
// only search can exclude becomes a query for any SMT solver.
// docs/rationale/certify.md has the arguments.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_CERTIFY_H
#define HEDDLE_SCHEDULE_CERTIFY_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// Empty if `problem` names only what there is, and makes sense; else one
/// sentence. Everything below wants that.
std::string checkProblem(const Problem &problem);

/// Empty if the timetable of `solution` breaks no rule of `problem`, else one
/// sentence that names the operations, iterations and cycles where it does.
std::string certify(const Problem &problem, const Solution &solution);

/// A step of a recurrence: what it leads to happens at least `delay` cycles
/// after what it starts from, that of `distance` iterations before.
struct Link {
  enum Rule {
    Value,      ///< a reader is issued when the value is there
    Accumulate, ///< who adds to a result is taken up behind it
    Order,      ///< an ordering edge
    Queue,      ///< an operation is issued before it is taken up
    Copy,       ///< a result is read before the next one overwrites it
    Slot,       ///< a slot is released before it comes round
    Assumed,    ///< the case that is looked at assumes it
  };
  Rule rule = Value;
  int index = 0; ///< of the dependence; for Queue, of the operation
  int64_t delay = 0, distance = 0;
  int part = 0; ///< for Assumed: which of the links that assumption `index` is
};

/// Two operations that exclude each other. Whatever `turn` is, either `first`
/// leads, and `second` of `turn` iterations later follows it, or that leads and
/// `first` follows.
struct Disjunction {
  enum Rule {
    Unit,      ///< one unit serves both
    Process,   ///< one process issues both
    Registers, ///< one process cannot hold both results at a time
    Slots,     ///< `first` has `turn` slots at most, or `second` gets few
  };
  Rule rule = Unit;
  int first = 0, second = 0;
  int64_t turn = 0;
};

/// A node of a distinction of cases. If it has links, they are a recurrence of
/// what the problem says and of what is assumed here. If not, it says whose
/// order is looked at: the cases in which `first` leads follow it, and then
/// those in which `second` does.
struct Case {
  Disjunction disjunction;
  std::vector<Link> links;
};

/// A lower bound on II with what proves it.
struct Bound {
  enum Kind {
    Unit,       ///< `operations` keep `unit` busy so long
    Process,    ///< `operations` share a process because of `dependences`
    Recurrence, ///< `links` close a cycle: their delays over their distances
    Cases,      ///< whoever leads, some recurrence is at least as slow
  };
  Kind kind = Unit;
  int64_t ii = 0; ///< kNoInterval if no II is long enough
  int unit = 0;
  std::vector<int> operations, dependences;
  std::vector<Link> links;
  /// Parts of the problem that no link of the cases joins: in each pair,
  /// `second` follows `first` within an interval. They are the first
  /// assumptions, and the cases that lead to a recurrence the others.
  std::vector<Disjunction> anchors;
  std::vector<Case> cases;
};
inline constexpr int64_t kNoInterval = INT64_MAX;

/// The largest of the first three kinds; `problem` passes certify's rules on
/// problems.
Bound findBound(const Problem &problem);

/// A larger bound than `bound`, if cases give one within the budget, for a
/// problem that has a schedule at `ii`. The same on every machine.
Bound strengthen(const Problem &problem, const Bound &bound, int64_t ii,
                 int64_t steps = 200'000);

/// Empty if the witness adds up to the bound it claims, by what `problem` says
/// of its operations and dependences; else one sentence.
std::string checkBound(const Problem &problem, const Bound &bound);

/// "unit 'tensor' is busy 2048 cycles".
std::string describe(const Problem &problem, const Bound &bound);
/// What a step starts from and leads to, "'dot.0' is taken up".
std::string describeStart(const Problem &problem, const Link &link);
std::string describeEnd(const Problem &problem, const Link &link);
/// "value", "accumulate", ...
std::string spelling(Link::Rule rule);

/// An SMT-LIB 2 script (QF_LIA) that has a model if `problem` has a legal
/// schedule at `ii`: an answer "unsat" refutes `ii`. With `processes`, one for
/// each operation, only schedules of that division of labour are asked for.
/// Without `footprints` nothing is said of registers and columns, which is
/// answered sooner, and "unsat" refutes just the same.
std::string refutationQuery(const Problem &problem, int64_t ii,
                            const std::vector<int> &processes = {},
                            bool footprints = true);

enum class Answer { Sat, Unsat, Unknown };
/// Runs `program`, an SMT solver that takes a file, on `query`. If there is no
/// answer within `seconds`, or no such program, it is Unknown and `reason` says
/// why.
Answer ask(const std::string &program, const std::string &query,
           unsigned seconds, std::string &reason);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_CERTIFY_H
