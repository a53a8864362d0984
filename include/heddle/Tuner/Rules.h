//===- Rules.h - What invalid points have in common --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: points with their outcomes. Out: conditions, as texts that the space
// takes for constraints when negated, that hold for points of one reason and
// for no valid one. A condition that chance would bring about is none: with so
// many tried, the points that it covers must be too many for that.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_RULES_H
#define HEDDLE_TUNER_RULES_H

#include "heddle/Tuner/Search.h"

namespace heddle::tuner {

struct Rule {
  std::string reason;    ///< of the points that it covers
  std::string condition; ///< "BM * BN >= 49152"
  int covered = 0;       ///< points of this reason that it holds for
  int all = 0;           ///< points of this reason
  int valid = 0;         ///< valid points, for none of which it holds
};

/// The rules of each reason, those of the most frequent one first; each covers
/// points that those before it do not. At most four of a reason.
std::vector<Rule> findRules(const Space &space, llvm::ArrayRef<Told> told);

/// Whether `rule`, one that findRules made for `space`, holds for `point`.
bool holds(const Rule &rule, const Space &space, const Point &point);

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_RULES_H
