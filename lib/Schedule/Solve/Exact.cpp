//===- Exact.cpp - The least interval that has a schedule -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upward from the lower bound of II in growing strides, fewest processes first,
// until there is a schedule, and downward from it by halving: first among those
// whose sub-tiles are in step, which leave half of the events to place or less,
// and then, if that does not reach the bound, among all. Each question is
// one division of labour, and is answered by deciding who goes first
// (OrderSearch.h). Where shares of the budget did not answer questions, they
// are asked again with larger ones. At the II found, one goal after the other
// (Improve.h). Quick questions leave some schedules out, so nothing that is
// said about the bound rests on them.
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "Improve.h"
#include "OrderSearch.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>
#include <set>

using namespace heddle::schedule;

namespace {

class Search {
public:
  Search(const Problem &problem, const Wish &wish, Budget budget)
      : problem(problem), wish(wish), left(budget.steps),
        kept(budget.steps / 5) {
    goals.relations = wish.relations;
    goals.inStep = wish.inStep;
  }

  Reached run() {
    // Classes of operations that cannot part, each in a process of its own.
    outcome.lowerBound = std::max(
        minII(problem), issueBound(problem, int(problem.operations.size())));
    if (wish.ii > 0)
      searchAt(wish.ii);
    else
      searchUpward();
    if (isWanted())
      finish();
    outcome.steps = spent;
    return outcome;
  }

private:
  void searchUpward() {
    refuted = outcome.lowerBound - 1;
    if (problem.subTiles > 1 && !wish.inStep) {
      goals.inStep = true;
      climb();
      if (outcome.solution)
        creep(kFineSteps / 4);
      goals.inStep = wish.inStep;
    }
    if (!outcome.solution)
      searchAll();
    else if (isWorthCodeEach(outcome.lowerBound, outcome.solution->ii))
      searchBeside(*outcome.solution);
    else if (outcome.solution->ii > outcome.lowerBound)
      findAt(outcome.lowerBound, kCoarseSteps);
    if (isWanted())
      findSimpler();
    else if (!outcome.solution && hasRoles)
      outcome.reason = "the solver found none with an interval of " +
                       std::to_string(outcome.lowerBound) + " to " +
                       std::to_string(highest) + " cycles within its budget";
  }

  /// Would the caller take the schedule?
  bool isWanted() const {
    return outcome.solution &&
           (wish.beside == 0 ||
            isWorthCodeEach(outcome.solution->ii, wish.beside));
  }

  /// In step or not, as `goals` say.
  void searchAll() {
    climb();
    if (!outcome.solution)
      return;
    creep(kFineSteps / 4);
    creep(kFineSteps);
  }

  /// The same from the start, with a schedule in step in hand. What seems to be
  /// the least interval is taken, too: whoever asked may find a proof.
  void searchBeside(Solution inStep) {
    Roles rolesInStep = roles;
    outcome.solution.reset();
    searchAll();
    if (outcome.solution && outcome.solution->ii < inStep.ii &&
        (outcome.solution->ii == refuted + 1 ||
         isWorthCodeEach(outcome.solution->ii, inStep.ii)))
      return;
    outcome.solution = std::move(inStep);
    roles = std::move(rolesInStep);
    isInStep = true;
  }

  /// Upward from the bound in growing strides, and down again by halving.
  void climb() {
    int64_t bound = outcome.lowerBound, last = bound;
    for (const Operation &op : problem.operations)
      last += op.latency + op.reservation + op.issue;
    int64_t below = bound - 1; // the largest II that was tried in vain
    bool isFound = findAt(bound, kCoarseSteps);
    for (int64_t ii = bound, stride = std::max<int64_t>(1, bound / 16);
         !isFound && ii <= last; stride *= 2) {
      below = ii;
      ii += stride;
      isFound = findAt(ii, kCoarseSteps);
    }
    highest = below;
    if (outcome.solution)
      lower(below, kCoarseSteps);
  }

  /// At one interval, with everything that is legal in the end.
  void searchAt(int64_t ii) {
    if (ii < outcome.lowerBound) {
      outcome.isRefuted = true;
      outcome.reason = "no schedule has an interval below " +
                       std::to_string(outcome.lowerBound) + " cycles";
      return;
    }
    if (findAt(ii, kFineSteps))
      return;
    Candidates candidates = everythingAt(problem, wish, ii);
    outcome.isRefuted = !candidates.isCut;
    if (!hasRoles && outcome.isRefuted && candidates.roles.empty())
      return; // with the reason that there is
    for (const Roles &candidate : candidates.roles) {
      Reach answer = improve(candidate, ii, goals, left, Mode::Complete);
      outcome.isRefuted &= answer == Reach::Refuted;
      if (answer != Reach::Found)
        continue;
      roles = candidate;
      found = Mode::Complete;
      isInStep = goals.inStep;
      return;
    }
    outcome.reason = outcome.isRefuted
                         ? "the solver refutes an interval of " +
                               std::to_string(ii) + " cycles"
                         : "the solver found none with an interval of " +
                               std::to_string(ii) + " cycles within its budget";
  }

  /// The division of labour that has the schedule there is, if it has one here,
  /// or the first that has. Where there are many, they share the steps of a
  /// few. With nothing left to ask with, they are not listed either.
  bool findAt(int64_t ii, int64_t steps) {
    if (hasRoles && left <= kept)
      return false;
    Candidates candidates = candidatesAt(problem, wish, ii);
    if (!candidates.impossible.empty())
      outcome.reason = candidates.impossible;
    hasRoles |= !candidates.roles.empty();
    bool isRefuted = !candidates.isCut;
    if (outcome.solution) {
      Reach answer = ask(roles, ii, steps);
      if (answer == Reach::Found)
        return true;
      isRefuted &= answer == Reach::Refuted;
      std::erase_if(candidates.roles, [&](const Roles &candidate) {
        return candidate.process == roles.process;
      });
    }
    int64_t count = std::max<int64_t>(4, int64_t(candidates.roles.size()));
    Reach answer = askInTurn(candidates, ii, 4 * steps / count);
    if (isRefuted && answer == Reach::Refuted && !goals.inStep)
      refuted = std::max(refuted, ii);
    return answer == Reach::Found;
  }

  /// Where processes share the register file, first with an even share for each
  /// that holds results: "together less" says little of any one of them.
  Reach ask(const Roles &candidate, int64_t ii, int64_t steps) {
    Reach answer = Reach::Unknown;
    int64_t most = std::min(steps, left - kept);
    if (candidate.sharesRegisters) {
      Goals even = goals;
      even.registers = evenShare(problem, candidate);
      answer = improve(candidate, ii, even, most / 4, Mode::Quick);
      most -= most / 4;
    }
    if (answer != Reach::Found)
      answer = improve(candidate, ii, goals, most, Mode::Quick);
    if (answer == Reach::Found)
      isInStep = goals.inStep;
    return answer;
  }

  /// The first of `candidates` that has a schedule becomes the incumbent.
  Reach askInTurn(Candidates &candidates, int64_t ii, int64_t steps) {
    Reach all = Reach::Refuted;
    for (Roles &candidate : candidates.roles) {
      Reach answer = ask(candidate, ii, std::max(steps, kLeastSteps));
      if (answer == Reach::Found) {
        roles = std::move(candidate);
        return answer;
      }
      if (answer == Reach::Unknown)
        all = answer;
    }
    return all;
  }

  /// Fewer processes, or fewer bytes across, at the interval that there is.
  void findSimpler() {
    int64_t ii = outcome.solution->ii;
    Candidates candidates = candidatesAt(problem, wish, ii);
    auto mine = std::find_if(candidates.roles.begin(), candidates.roles.end(),
                             [&](const Roles &candidate) {
                               return candidate.process == roles.process;
                             });
    candidates.roles.erase(mine, candidates.roles.end());
    int64_t count = std::max<int64_t>(1, int64_t(candidates.roles.size()));
    askInTurn(candidates, ii, kFineSteps / count);
  }

  /// Halves the way down to `below`, where there is no schedule.
  void lower(int64_t below, int64_t steps) {
    while (outcome.solution->ii - below > 1 && left > kept) {
      int64_t middle = below + (outcome.solution->ii - below) / 2;
      if (!findAt(middle, steps))
        below = middle;
    }
  }

  /// What is a little shorter than the shortest found is mostly not much harder
  /// to find. A stride that fails behind one that did not was too long.
  void creep(int64_t steps) {
    std::set<int64_t> failed;
    bool wasFound = false;
    for (int64_t stride = 1; failed.size() < 3 && left > kept;) {
      int64_t next = outcome.solution->ii - stride;
      bool isKnown = next <= refuted || failed.count(next);
      if (isKnown && stride == 1)
        return;
      bool isFound = !isKnown && findAt(next, steps);
      if (!isFound && next > refuted)
        failed.insert(next);
      stride = !isFound && (wasFound || isKnown) ? 1 : 2 * stride;
      wasFound = isFound;
    }
  }

  /// A schedule that reaches `goals` replaces the one there is.
  Reach improve(const Roles &roles, int64_t ii, const Goals &goals,
                int64_t steps, Mode mode) {
    if (steps <= 0)
      return Reach::Unknown;
    Reply reply =
        searchOrders({problem, roles, ii, goals, mode}, uint64_t(steps));
    left -= int64_t(reply.steps);
    spent += int64_t(reply.steps);
    if (reply.answer != Reach::Found)
      return reply.answer;
    std::string reason = verify(problem, reply.solution);
    if (!reason.empty()) {
      outcome.reason = reason;
      return Reach::Unknown;
    }
    outcome.solution = reply.solution;
    return Reach::Found;
  }

  void finish() {
    outcome.reason.clear();
    outcome.isRefuted = false;
    goals.inStep = isInStep;
    Asker asker = [&](const Goals &more) {
      return improve(roles, outcome.solution->ii, more,
                     std::min(left, kGoalSteps), found) == Reach::Found;
    };
    if (!problem.operations.empty())
      reachGoals(problem, wish.wantsSlack, *outcome.solution, goals, asker);
    outcome.slack = goals.slack;
    tidy(problem, *outcome.solution, wish.relations);
  }

  /// A question's share of the budget. What is found is mostly found long
  /// before.
  static constexpr int64_t kCoarseSteps = 500'000, kFineSteps = 12'000'000,
                           kGoalSteps = 2'000'000, kLeastSteps = 20'000;

  const Problem &problem;
  const Wish &wish;
  int64_t left;
  int64_t kept; ///< for the goals
  int64_t spent = 0;
  Reached outcome;
  int64_t refuted = 0;   ///< the largest II at which no candidate has one
  int64_t highest = 0;   ///< the largest II that was asked for in vain at first
  bool isInStep = false; ///< the schedule there is
  bool hasRoles = false; ///< some division of labour is not impossible
  Goals goals;
  Roles roles;
  Mode found = Mode::Quick;
};

} // namespace

Reached heddle::schedule::solveWish(const Problem &problem, const Wish &wish,
                                    Budget budget) {
  Reached outcome;
  if (outcome.reason = problem.check(); !outcome.reason.empty())
    return outcome;
  return Search(problem, wish, budget).run();
}

Outcome heddle::schedule::solveExactly(const Problem &problem, Budget budget) {
  return solveWish(problem, {}, budget);
}
