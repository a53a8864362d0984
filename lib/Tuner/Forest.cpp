//===- Forest.cpp - Random forests ----------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CART: a division is the one that lowers the squared differences most. Classes
// are the values 0 and 1, of which squared differences are half of Gini's
// impurity, so one kind of tree serves both.
//
//===----------------------------------------------------------------------===//

#include "heddle/Tuner/Forest.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace heddle::tuner;

class Forest::Grower {
public:
  Grower(const std::vector<std::vector<float>> &rows,
         llvm::ArrayRef<double> values, llvm::ArrayRef<double> weights,
         const ForestOptions &options, Random random, std::vector<Node> &nodes)
      : rows(rows), values(values), weights(weights), options(options),
        random(random), nodes(nodes), featureOrder(rows.front().size()) {
    for (size_t k = 0; k < featureOrder.size(); ++k)
      featureOrder[k] = uint32_t(k);
  }

  void grow() {
    chosen.clear();
    for (size_t k = 0; k < rows.size(); ++k)
      chosen.push_back(
          uint32_t(options.isBootstrap ? random.below(rows.size()) : k));
    divide(0, chosen.size());
  }

private:
  struct Sums {
    double weight = 0, value = 0, square = 0;
    void add(double w, double v) {
      weight += w;
      value += w * v;
      square += w * v * v;
    }
    /// Weighted squared differences from the mean.
    double spread() const {
      return weight > 0 ? square - value * value / weight : 0;
    }
  };
  struct Division {
    int feature = -1;
    double threshold = 0;
    double spread = 0;
  };

  uint32_t divide(size_t first, size_t last) {
    uint32_t index = uint32_t(nodes.size());
    nodes.emplace_back();
    Sums all;
    for (size_t k = first; k < last; ++k)
      all.add(weights[chosen[k]], values[chosen[k]]);
    nodes[index].mean = all.weight > 0 ? all.value / all.weight : 0;
    nodes[index].variance =
        all.weight > 0 ? std::max(0.0, all.spread() / all.weight) : 0;
    bool isPure = all.spread() <= 1e-12 * (1 + std::fabs(all.square));
    if (isPure || last - first < 2 * size_t(options.leastLeaf))
      return index;
    Division best = findDivision(first, last);
    if (best.feature < 0)
      return index;
    auto middle = std::stable_partition(
        chosen.begin() + long(first), chosen.begin() + long(last),
        [&](uint32_t row) {
          return rows[row][size_t(best.feature)] <= best.threshold;
        });
    size_t split = size_t(middle - chosen.begin());
    nodes[index].feature = best.feature;
    nodes[index].threshold = best.threshold;
    divide(first, split);
    uint32_t right = divide(split, last);
    nodes[index].right = right;
    return index;
  }

  /// Looks at as many features as asked, and at more while none divides.
  Division findDivision(size_t first, size_t last) {
    size_t wanted = std::max<size_t>(
        1, size_t(options.featureShare * double(featureOrder.size())));
    Division best;
    for (size_t k = 0; k < featureOrder.size(); ++k) {
      if (k >= wanted && best.feature >= 0)
        break;
      std::swap(featureOrder[k],
                featureOrder[k + random.below(featureOrder.size() - k)]);
      tryFeature(featureOrder[k], first, last, best);
    }
    return best;
  }

  void tryFeature(uint32_t feature, size_t first, size_t last, Division &best) {
    sorted.clear();
    Sums right;
    for (size_t k = first; k < last; ++k) {
      uint32_t row = chosen[k];
      sorted.push_back({rows[row][feature], row});
      right.add(weights[row], values[row]);
    }
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front().first == sorted.back().first)
      return;
    if (options.isExtra)
      return tryThreshold(feature, best);
    Sums left;
    for (size_t k = 0; k + 1 < sorted.size(); ++k) {
      double weight = weights[sorted[k].second];
      double value = values[sorted[k].second];
      left.add(weight, value);
      right.add(-weight, value);
      float here = sorted[k].first, next = sorted[k + 1].first;
      if (here == next || k + 1 < size_t(options.leastLeaf) ||
          sorted.size() - k - 1 < size_t(options.leastLeaf))
        continue;
      double spread = left.spread() + right.spread();
      if (best.feature < 0 || spread < best.spread - 1e-12)
        best = {int(feature), between(here, next), spread};
    }
  }

  void tryThreshold(uint32_t feature, Division &best) {
    float low = sorted.front().first, high = sorted.back().first;
    float threshold = std::clamp(float(low + (high - low) * random.unit()), low,
                                 std::nextafter(high, low));
    Sums left, right;
    for (auto [value, row] : sorted)
      (value <= threshold ? left : right).add(weights[row], values[row]);
    double spread = left.spread() + right.spread();
    if (best.feature < 0 || spread < best.spread - 1e-12)
      best = {int(feature), threshold, spread};
  }

  /// In double precision, so that a third row halfway is not rounded to a side.
  static double between(float low, float high) {
    return double(low) / 2 + double(high) / 2;
  }

  const std::vector<std::vector<float>> &rows;
  llvm::ArrayRef<double> values, weights;
  const ForestOptions &options;
  Random random;
  std::vector<Node> &nodes;
  std::vector<uint32_t> featureOrder, chosen;
  std::vector<std::pair<float, uint32_t>> sorted;
};

Forest::Forest(const std::vector<std::vector<float>> &rows,
               llvm::ArrayRef<double> values, llvm::ArrayRef<double> weights,
               const ForestOptions &options, Random random) {
  assert(!rows.empty() && rows.size() == values.size() &&
         rows.size() == weights.size() && "each row has a value and a weight");
  for (int tree = 0; tree < options.trees; ++tree) {
    roots.push_back(uint32_t(nodes.size()));
    Grower(rows, values, weights, options, random.fork(), nodes).grow();
  }
}

ForestPrediction Forest::predict(llvm::ArrayRef<float> row) const {
  double sum = 0, squares = 0, within = 0;
  for (uint32_t at : roots) {
    while (nodes[at].feature >= 0)
      at = row[size_t(nodes[at].feature)] <= nodes[at].threshold
               ? at + 1
               : nodes[at].right;
    sum += nodes[at].mean;
    squares += nodes[at].mean * nodes[at].mean;
    within += nodes[at].variance;
  }
  double count = double(roots.size());
  double mean = sum / count;
  return {mean, std::max(0.0, squares / count - mean * mean) + within / count};
}
