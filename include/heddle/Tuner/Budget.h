//===- Budget.h - How many evaluations are left ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A budget is a number of things to evaluate and not of points: a point with
// the code of an earlier one, its twin, is the same thing and uses none of it.
// Many twins in a row say that little else is left to find, and end a search
// as a used budget does. All of it follows from what was told, in order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_BUDGET_H
#define HEDDLE_TUNER_BUDGET_H

#include "heddle/Tuner/Outcome.h"

#include <unordered_set>

namespace heddle::tuner {

class Budget {
public:
  /// `mostTwins`: so many in a row end a search.
  Budget(int evaluations, int mostTwins)
      : most(evaluations), mostTwins(mostTwins) {}

  /// One more point was told. Whether it is a twin.
  bool count(const Outcome &outcome);

  int evaluations() const { return used; }
  int twins() const { return twinCount; }
  int left() const { return used < most ? most - used : 0; }
  /// Nothing more is to be evaluated, for one reason or the other.
  bool isSpent() const { return left() == 0 || findsTwinsAlone(); }
  bool findsTwinsAlone() const { return twinsInRow >= mostTwins; }

private:
  int most, mostTwins;
  int used = 0, twinCount = 0, twinsInRow = 0;
  std::unordered_set<std::string> codes; ///< without ""
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_BUDGET_H
