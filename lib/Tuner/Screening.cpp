//===- Screening.cpp - Many points in single precision --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of tens of thousands of points, those that could be the best are few. Here a
// point costs a root and an exponential for each observation, four or eight at
// a time, and what it shares with other points is found instead of computed.
//
//===----------------------------------------------------------------------===//

#include "ProcessState.h"

using namespace heddle::tuner;

/// Of squared distances, for powers of two: 5 log2(e)^2.
static constexpr double kCoarseScale = 5 * 2.0813689810056077;

/// So many words of one parameter go with those of another one.
static constexpr uint64_t kFewWords = 15;

/// Each sum of two rows is made once, and added many times.
void GaussianProcess::State::pairParameters() {
  int open = -1; // has nothing beside it yet
  for (int index = 0; index < int(parameters.size()); ++index) {
    uint64_t words = parameters[size_t(index)].words();
    if (words == 0 || words > kFewWords)
      coarsePairs.push_back({index, -1, 0});
    else if (open < 0)
      open = index;
    else {
      coarsePairs.push_back({open, index, Word(words) + 1});
      open = -1;
    }
  }
  if (open >= 0)
    coarsePairs.push_back({open, -1, 0});
}

/// For some vectors of observations, from their squared distances in rows that
/// are to be added: adds weighted correlations, and keeps the largest ones.
template <size_t kVectors>
HEDDLE_IN_PLACE static void
addCorrelations(const float *const *rows, size_t rowCount, size_t at,
                const float *weights, Floats &sum, Floats &closest) {
  // Distances are longer by log2(e).
  constexpr float kLog = 0.69314718f;
  const Floats one = Floats::all(1), length = Floats::all(kLog);
  const Floats third = Floats::all(kLog * kLog / 3);
  Floats squares[kVectors], near[kVectors];
  for (size_t k = 0; k < kVectors; ++k)
    squares[k] = Floats::load(rows[0] + at + k * Floats::kCount);
  for (size_t row = 1; row < rowCount; ++row)
    for (size_t k = 0; k < kVectors; ++k)
      squares[k] += Floats::load(rows[row] + at + k * Floats::kCount);
  for (size_t k = 0; k < kVectors; ++k) {
    near[k] = squares[k].root();
    squares[k] = one + near[k] * length + squares[k] * third;
  }
  powerOfHalf(near);
  for (size_t k = 0; k < kVectors; ++k, at += Floats::kCount) {
    Floats correlation = squares[k] * near[k];
    sum += correlation * Floats::load(weights + at);
    closest = greater(closest, correlation);
  }
}

/// For `width` observations, whole vectors; there is a row.
HEDDLE_WIDE_VECTORS static void correlate(const float *const *rows,
                                          size_t rowCount, size_t width,
                                          const float *weights, float &sum,
                                          float &closest) {
  // Four vectors at once, or three where one would be left over.
  size_t left = width / Floats::kCount, threes = (4 - left % 4) % 4;
  if (3 * threes > left)
    threes = 0;
  Floats sums = Floats::all(0), most = Floats::all(0);
  size_t at = 0;
  for (; left >= 3 * threes + 4; left -= 4, at += 4 * Floats::kCount)
    addCorrelations<4>(rows, rowCount, at, weights, sums, most);
  for (; threes > 0; --threes, left -= 3, at += 3 * Floats::kCount)
    addCorrelations<3>(rows, rowCount, at, weights, sums, most);
  for (; left > 0; --left, at += Floats::kCount)
    addCorrelations<1>(rows, rowCount, at, weights, sums, most);
  float part[Floats::kCount], own[Floats::kCount];
  static_assert(Floats::kCount == 8);
  sums.store(part);
  most.store(own);
  sum = ((part[0] + part[1]) + (part[2] + part[3])) +
        ((part[4] + part[5]) + (part[6] + part[7]));
  closest = 0;
  for (float one : own)
    closest = one > closest ? one : closest;
}

/// The squared distances of a point from all observations, in single precision,
/// as rows that are to be added: one of each pair of parameters with few words.
void GaussianProcess::State::findCoarseRows(const Point &point) const {
  for (size_t pair = 0; pair < coarsePairs.size(); ++pair) {
    auto [first, second, words] = coarsePairs[pair];
    auto rowOf = [&](size_t index) {
      return coarseRows[index].of(point[index], [&](float *into) {
        fillRow(index, point[index], kCoarseScale, into);
        std::fill(into + count, into + width(), 1e9f); // nowhere near
      });
    };
    if (second < 0) {
      rowsOfCoarse[pair] = rowOf(size_t(first));
      continue;
    }
    Word both = (point[size_t(first)] + 1) * words + point[size_t(second)] + 1;
    rowsOfCoarse[pair] = pairRows[pair].of(both, [&](float *into) {
      const float *one = rowOf(size_t(first)), *other = rowOf(size_t(second));
      for (size_t k = 0; k < width(); ++k)
        into[k] = one[k] + other[k];
    });
  }
}

void GaussianProcess::screen(llvm::ArrayRef<Point> points,
                             llvm::ArrayRef<double> model,
                             std::vector<Screened> &found) const {
  const State &s = *state;
  assert(!s.coarsePairs.empty() && "points have parameters");
  size_t width = s.width();
  std::vector<float> weights(width, 0);
  double noise = 0;
  for (size_t i = 0; i < s.count; ++i) {
    weights[i] = float(s.weights[i] * s.best.scale);
    noise = std::max(noise, s.noiseOf(i));
  }
  // Of the variance, what an observation with the most noise explains.
  double share =
      s.best.scale / (s.best.scale * (1 + 1e-9) + s.best.noise + noise);
  found.clear();
  found.reserve(points.size());
  for (size_t p = 0; p < points.size(); ++p) {
    s.findCoarseRows(points[p]);
    float sum, closest;
    correlate(s.rowsOfCoarse.data(), s.rowsOfCoarse.size(), width,
              weights.data(), sum, closest);
    // What the nearest observation alone explains; more explain more.
    double variance =
        s.best.scale * (1 - share * double(closest) * double(closest));
    double mean = s.constant + sum;
    if (s.hasModel())
      mean += s.modelFactor * model[p];
    found.push_back({float(mean), float(std::max(variance, 1e-11))});
  }
}
