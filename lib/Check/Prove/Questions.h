//===- Questions.h - What control flow asks of trip counts ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of several processes over the same points are one *family*, whatever
// was peeled off each: points x(i) = base + i * step < bound, of which there
// are T. A loop that starts at x(k) asks T > k, T > k + 1, ...; a branch on
// the number of points asks such a question too. Where two loops of a process
// follow each other over the same points, their passes are told apart.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_QUESTIONS_H
#define HEDDLE_LIB_CHECK_QUESTIONS_H

#include "Linear.h"

#include <optional>

namespace heddle::check {

struct Family {
  Linear points;                ///< T = ceil(points / step), negative for none
  Linear step;                  ///< at least 1
  bool isPrivate = false;       ///< data of one process decides
  std::optional<int64_t> trips; ///< where it is a constant
};

/// A loop over `family` that starts at point `start`.
struct Trips {
  int family = -1;
  int64_t start = 0;
};

/// "T of the family > index" is `isMore`.
struct Comparison {
  int family = -1;
  int64_t index = 0;
  bool isMore = true;
};

/// A branch's condition: all comparisons hold (or, negated, not all), or an
/// unknown that everybody who names it reads alike, or its opposite.
struct Condition {
  std::vector<Comparison> all;
  bool isNegated = false;
  std::optional<Linear> unknown; ///< holds unless it is 0
  bool isPrivate = false;        ///< data decides it
  std::optional<bool> constant;
};

class Families {
public:
  explicit Families(Terms &terms) : terms(terms) {}

  /// Points from `lower` to `upper` by `step`, which is at least 1.
  Trips trips(const Linear &lower, const Linear &upper, const Linear &step) {
    return tripsOf(terms.distance(upper, lower), step);
  }
  /// Data decides how many points there are.
  int privateFamily(const Linear &data);
  const Family &operator[](int family) const { return families[family]; }
  void clear() {
    families.clear();
    byKey.clear();
  }

  /// Reads a comparison of two numbers with a sign as a question: about
  /// `preferred`, if it can be one about several families.
  Condition condition(Arith arith, const Linear &left, const Linear &right,
                      int preferred = -1);

private:
  Trips tripsOf(Linear points, const Linear &step);
  int familyOf(Family family);
  /// "left - right" against 0 as a comparison of a trip count with a constant.
  std::optional<Condition> compareTrips(Arith arith, const Linear &left,
                                        const Linear &right);
  /// The loop whose points `number` counts: ceildiv(max(points, 0), step).
  std::optional<Trips> countsPoints(const Linear &number);
  /// "number > 0" for the points of a loop that was seen before.
  std::optional<Comparison> isPositive(const Linear &number, int preferred);

  Terms &terms;
  std::vector<Family> families;
  std::map<std::pair<Linear, Linear>, int> byKey;
};

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_QUESTIONS_H
