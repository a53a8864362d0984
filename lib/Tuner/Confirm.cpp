//===- Confirm.cpp - Whether a win is one ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The race chooses whom to confirm, and its values are not used again. The
// differences of logarithms, of the rival and of the mean of the incumbent's
// two values in its round, are tested by Student's t at a few looks, each of
// which may spend a part of the chance of a false win, as O'Brien and Fleming
// divide it: early looks need much, so that stopping early is not cheating.
//
//===----------------------------------------------------------------------===//

#include "heddle/Tuner/Confirm.h"

#include "PortableMath.h"

#include <algorithm>
#include <cmath>

using namespace heddle;
using namespace heddle::tuner;

namespace {

struct Sums {
  int count = 0;
  double sum = 0, squares = 0;

  void add(double value) {
    ++count;
    sum += value;
    squares += value * value;
  }
  double mean() const { return sum / count; }
  double variance() const {
    return std::max(0.0, (squares - sum * sum / count) / (count - 1));
  }
  /// Of the mean; above 0, so that equal values decide nothing by themselves.
  double error() const { return std::sqrt(variance() / count) + 1e-9; }
};

/// The share of the chance that looks before this one leave to it.
struct Look {
  int sixtyFourths; ///< of the most rounds
  double share;
};
constexpr Look kLooks[] = {{8, 0.02}, {16, 0.08}, {32, 0.25}, {64, 0.65}};

/// Below which a standard normal value is with this probability.
double normalQuantile(double probability) {
  double low = -10, high = 10;
  for (int k = 0; k < 60; ++k) {
    double middle = 0.5 * (low + high);
    (normalBelow(middle) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Student's quantile by its expansion around the normal one.
double studentQuantile(double probability, int freedom) {
  double z = normalQuantile(probability), n = freedom, s = z * z;
  return z * (1 + (s + 1) / (4 * n) + ((5 * s + 16) * s + 3) / (96 * n * n) +
              (((3 * s + 19) * s + 17) * s - 15) / (384 * n * n * n));
}

/// The fastest of the rivals, by the mean of logarithms; a rival that is once
/// invalid is out. Its index, or -1.
int race(const std::vector<Point> &rivals, const Remeasure &measure, int rounds,
         int &measurements) {
  std::vector<double> sums(rivals.size(), 0);
  std::vector<bool> isIn(rivals.size(), true);
  for (int round = 0; round < rounds; ++round)
    for (size_t k = 0; k < rivals.size(); ++k) {
      if (!isIn[k])
        continue;
      ++measurements;
      std::optional<double> value = measure(rivals[k]);
      isIn[k] = value && *value > 0;
      sums[k] += isIn[k] ? portableLog(*value) : 0;
    }
  int best = -1;
  for (size_t k = 0; k < rivals.size(); ++k)
    if (isIn[k] && (best < 0 || sums[k] < sums[size_t(best)]))
      best = int(k);
  return best;
}

} // namespace

std::vector<Point>
heddle::tuner::findRivals(Search &search, const Point &incumbent, int count) {
  std::vector<Point> points;
  for (const Told &one : search.told())
    if (one.outcome.isValid && one.point != incumbent)
      points.push_back(one.point);
  std::vector<Point> rivals;
  if (search.best() >= 0)
    if (const Point &best = search.told()[size_t(search.best())].point;
        best != incumbent)
      rivals.push_back(best);
  std::vector<Expectation> expected = search.expect(points);
  std::vector<std::pair<double, size_t>> order;
  for (size_t k = 0; k < expected.size(); ++k)
    order.push_back({expected[k].value, k});
  std::sort(order.begin(), order.end());
  for (auto [value, k] : order)
    if (int(rivals.size()) < count &&
        std::find(rivals.begin(), rivals.end(), points[k]) == rivals.end())
      rivals.push_back(points[k]);
  return rivals;
}

Verdict heddle::tuner::confirm(const Point &incumbent,
                               std::vector<Point> rivals,
                               const Remeasure &measure,
                               const ConfirmOptions &options) {
  Verdict verdict;
  verdict.winner = incumbent;
  int first = rivals.size() == 1 ? 0
                                 : race(rivals, measure, options.raceRounds,
                                        verdict.measurements);
  if (rivals.empty() || first < 0)
    return verdict;
  const Point &rival = rivals[size_t(first)];
  Sums differences, gaps;
  size_t look = 0;
  while (look < std::size(kLooks)) {
    int until =
        std::max(4, options.mostRounds * kLooks[look].sixtyFourths / 64);
    while (differences.count < until) {
      std::optional<double> before = measure(incumbent);
      std::optional<double> value = measure(rival);
      std::optional<double> after = measure(incumbent);
      verdict.measurements += 3;
      if (!before || !value || !after || *before <= 0 || *value <= 0 ||
          *after <= 0)
        return verdict; // what cannot be measured again wins nothing
      double a = portableLog(*before), b = portableLog(*after);
      differences.add(portableLog(*value) - 0.5 * (a + b));
      gaps.add(a - b);
    }
    verdict.rounds = differences.count;
    double mean = differences.mean(), error = differences.error();
    double spent = options.chance * kLooks[look].share;
    ++look;
    if (mean < -studentQuantile(1 - spent, differences.count - 1) * error) {
      verdict.isWin = true;
      verdict.winner = rival;
      break;
    }
    // A small win is behind by chance at first, hardly later.
    if (mean > (look == 1 ? error : 0))
      break;
  }
  double reach =
      studentQuantile(0.975, differences.count - 1) * differences.error();
  verdict.share = portableExp(differences.mean());
  verdict.low = portableExp(differences.mean() - reach);
  verdict.high = portableExp(differences.mean() + reach);
  verdict.noise = std::sqrt(0.5 * gaps.variance());
  return verdict;
}
