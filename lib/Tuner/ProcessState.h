//===- ProcessState.h - What a Gaussian process keeps ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by what fits and predicts one point after the other, and by what
// screens many points.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_PROCESSSTATE_H
#define HEDDLE_LIB_TUNER_PROCESSSTATE_H

#include "DistanceRows.h"
#include "Distances.h"
#include "Lanes.h"
#include "Triangular.h"

namespace heddle::tuner {

/// How many pairs of points a loop over pairs takes at once.
inline constexpr size_t kPairsAtOnce = 16;

struct GaussianProcess::State {
  std::vector<Parameter> parameters;
  ProcessOptions options;
  std::vector<Axis> axes;

  Observations seen;
  size_t count = 0;
  /// Of each parameter and observation: what unitOf gives.
  std::vector<std::vector<double>> units;
  /// Of each axis: squared distances of the pairs, points i > j, row after row.
  std::vector<std::vector<double>> apart;
  Hyperparameters best;
  bool isFitted = false;

  // Of the hyperparameters in use.
  Square inverseFactor;
  Column weights; ///< C^-1 (values - mean)
  double constant = 0, modelFactor = 0;
  // Of each parameter; words come again.
  mutable std::vector<DistanceRows<double>> rows;
  mutable std::vector<DistanceRows<float>> coarseRows;
  /// Parameters with few words go in pairs; -1 for none beside it.
  struct CoarsePair {
    int first, second;
    Word words; ///< of the second, and one where it is inactive
  };
  std::vector<CoarsePair> coarsePairs;
  mutable std::vector<DistanceRows<float>> pairRows;
  // Of one prediction; kept for their memory.
  mutable std::vector<const double *> rowsOfPoint;
  mutable std::vector<const float *> rowsOfCoarse;
  mutable Column covariances, explained;

  size_t pairAt(size_t i) const { return i * (i - 1) / 2; }
  /// Of all pairs, and some numbers that are none: loops take whole blocks, or
  /// a vector that begins within a row.
  size_t pairWidth() const {
    size_t least = pairAt(count) + Doubles::kCount;
    return (least + kPairsAtOnce - 1) / kPairsAtOnce * kPairsAtOnce;
  }
  size_t width() const { return wholeLanes(count); }
  double noiseOf(size_t k) const {
    return seen.extraNoise.empty() ? 0 : seen.extraNoise[k];
  }
  bool hasModel() const { return !seen.model.empty(); }

  /// Everything that the likelihood and predictions need; what is not said to
  /// be of something else is of pairs.
  struct Factors {
    std::vector<double> distance; ///< sqrt(5) r
    std::vector<double> rootTerm; ///< exp(-sqrt(5) r) times scale
    std::vector<double> covariances;
    std::vector<double> ofScale, ofDistance; ///< parts of derivatives
    Square matrix;                           ///< covariances, then the factor
    Square inverseRows;                      ///< of the factor
    Square inverse;                          ///< the same by columns
    Square inverseMatrix;                    ///< its upper triangle
    Column residual, weights;
    double constant = 0, modelFactor = 0;
    double logDeterminant = 0;
  };
  mutable Factors factors; ///< of what was tried last; kept for its memory
  bool factor(const Hyperparameters &hyper) const;
  void pairParameters();
  void findCoarseRows(const Point &point) const;
  template <typename Number>
  void fillRow(size_t index, Word word, double scale, Number *into) const;
};

/// `scale` times the squared distances of a word from those of all
/// observations, by lengths.
template <typename Number>
void GaussianProcess::State::fillRow(size_t index, Word word, double scale,
                                     Number *into) const {
  std::fill(into, into + count, Number(0));
  double unit = unitOrNone(parameters[index], word, options.kernel.usesLog);
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    if (size_t(axes[axis].parameter) != index)
      continue;
    double weight = scale / (best.lengths[axis] * best.lengths[axis]);
    for (size_t i = 0; i < count; ++i)
      into[i] += Number(weight * squaredDistance(parameters[index], axes[axis],
                                                 options.kernel, word, unit,
                                                 seen.points[i][index],
                                                 units[index][i]));
  }
}

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_PROCESSSTATE_H
