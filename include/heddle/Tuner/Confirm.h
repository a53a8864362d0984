//===- Confirm.h - Whether a win is one --------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The best of many noisy values is mostly the luckiest one. In: points that
// might win, and a way to measure again. Out: the one that is fastest by fresh
// values, and whether it is faster than the incumbent beyond the noise. Rounds
// are interleaved, the incumbent comes twice in each (A/A), so that what drifts
// drifts for all; values of the search itself count for nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_CONFIRM_H
#define HEDDLE_TUNER_CONFIRM_H

#include "heddle/Tuner/Search.h"

namespace heddle::tuner {

/// A fresh value of a point above 0; nothing if it is invalid now.
using Remeasure = std::function<std::optional<double>(const Point &)>;

struct ConfirmOptions {
  int raceRounds = 8;    ///< in which all that might win are measured once
  int mostRounds = 96;   ///< of the winner beside the incumbent, thrice each
  double chance = 0.025; ///< of a win where there is none
};

struct Verdict {
  bool isWin = false;
  Point winner;     ///< the incumbent without a win
  double share = 1; ///< the winner's, or best rival's, of the incumbent's time
  double low = 1, high = 1; ///< between which it is in 95 of 100 cases
  double noise = 0; ///< of one value, as a share: the A/A gap's deviation
  int rounds = 0;   ///< beside the incumbent
  int measurements = 0;
};

/// Of the points told, at most `count` that might be the fastest, the best one
/// first: by the model's mean, which has less noise than values, and the one
/// with the least value. Without `incumbent`.
std::vector<Point> findRivals(Search &search, const Point &incumbent,
                              int count);

Verdict confirm(const Point &incumbent, std::vector<Point> rivals,
                const Remeasure &measure, const ConfirmOptions &options);

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_CONFIRM_H
