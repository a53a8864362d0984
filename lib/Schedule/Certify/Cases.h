//===- Cases.h - Bounds that hold whoever goes first ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bound by cases is a binary tree. Its inner nodes ask which side of a
// disjunction leads, its leaves are recurrences of what the problem says and
// what was assumed on the way. Whatever a schedule does, it belongs to one
// leaf, and so its interval is at least the least of them. Nothing in it is a
// number of cycles that depends on the interval: it holds for all of them at
// once.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_CERTIFY_CASES_H
#define HEDDLE_LIB_SCHEDULE_CERTIFY_CASES_H

#include "Cycles.h"
#include "Disjunctions.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle::schedule {

/// Who leads where.
struct Assumption {
  Disjunction disjunction;
  enum Leader {
    First,
    Second,
    Anchored, ///< `first`, and the next `first` is behind `second`
  };
  Leader leader = First;
};

std::vector<Joint> linksOf(const DisjunctionRules &rules,
                           const Assumption &assumption);

/// Calls `visit` with each case's number and what is assumed there, until it
/// returns a complaint; empty if there is none. Complains itself if the cases
/// are no tree.
std::string walkCases(
    const Bound &bound,
    llvm::function_ref<std::string(size_t, const std::vector<Assumption> &)>
        visit);

/// The recurrence of a case, or fewer links where one is none of the problem's
/// and its assumptions'.
Cycle cycleOf(const Problem &problem, const DisjunctionRules &rules,
              const std::vector<Assumption> &assumptions,
              const std::vector<Link> &links);

/// Empty if the cases give the bound, else one sentence.
std::string checkCases(const Problem &problem, const Bound &bound);

/// What a case asks or finds, and how many questions lead to it. Of a bound
/// that is sound.
struct CaseText {
  int64_t depth;
  std::string text;
};
std::vector<CaseText> textsOf(const Problem &problem, const Bound &bound);

/// What binds in the fastest case.
std::string describeCases(const Problem &problem, const Bound &bound);

/// Cases none of which is possible below `ii`, if they are found in as many
/// steps. What is left of those is counted down.
struct CaseSearch {
  enum Outcome {
    Found,
    Open, ///< what is looked at allows an interval below `ii`
    Exhausted,
  };
  Outcome outcome = Exhausted;
  Bound bound;
};
CaseSearch searchCases(const Problem &problem, int64_t ii, bool withSlots,
                       int64_t &steps);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_CERTIFY_CASES_H
