//===- Forest.h - Random forests ---------------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: rows of numbers with a value each, or with a class. Out: trees that
// divide the rows, and for another row the mean of its leaves and how far the
// trees disagree. Serves as P(valid), and as the model of the baseline that
// has no Gaussian process. The same seed grows the same trees.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_FOREST_H
#define HEDDLE_TUNER_FOREST_H

#include "heddle/Tuner/Random.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace heddle::tuner {

struct ForestOptions {
  int trees = 50;
  /// Of the features, how many each division looks at; at least one.
  double featureShare = 0.75;
  bool isBootstrap = false; ///< each tree sees as many rows, drawn with return
  /// One threshold at random for each feature, instead of the best.
  bool isExtra = false;
  int leastLeaf = 1;
};

struct ForestPrediction {
  double mean = 0;
  double variance = 0; ///< of the trees' means, and within their leaves
};

class Forest {
public:
  /// `rows` have equally many numbers; `weights` say how much each counts.
  /// There is at least one row.
  Forest(const std::vector<std::vector<float>> &rows,
         llvm::ArrayRef<double> values, llvm::ArrayRef<double> weights,
         const ForestOptions &options, Random random);

  ForestPrediction predict(llvm::ArrayRef<float> row) const;

private:
  struct Node {
    int32_t feature = -1; ///< -1 for a leaf
    double threshold = 0; ///< at most: to the left, the next node
    uint32_t right = 0;
    double mean = 0, variance = 0;
  };
  class Grower;

  std::vector<Node> nodes;
  std::vector<uint32_t> roots;
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_FOREST_H
