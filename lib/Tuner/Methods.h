//===- Methods.h - What the methods of a search share ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A method sees the space, what was told, and a source of random numbers of
// this proposal, and returns a point that was not told yet.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_METHODS_H
#define HEDDLE_LIB_TUNER_METHODS_H

#include "heddle/Tuner/Search.h"

#include <unordered_map>
#include <unordered_set>

namespace heddle::tuner {

struct HashPoint {
  size_t operator()(const Point &point) const {
    // A polynomial: its products do not wait for one another.
    uint64_t hash = point.size(), factor = 0xff51afd7ed558ccd;
    for (Word word : point) {
      hash += uint64_t(word) * factor;
      factor *= 0xc4ceb9fe1a85ec53;
    }
    return size_t(hash ^ (hash >> 32));
  }
};
using PointSet = std::unordered_set<Point, HashPoint>;

struct Search::State {
  State(Space space, SearchOptions options, Function model, Function bound)
      : space(std::move(space)), options(std::move(options)),
        model(std::move(model)), bound(std::move(bound)),
        budget(this->options.budget, this->options.mostTwins) {}

  Space space;
  SearchOptions options;
  Function model, bound;
  Budget budget;
  std::vector<Told> told;
  PointSet seen;
  int best = -1;
  std::optional<GaussianProcess> process; ///< kept for its last fit
  size_t fitted = 0;     ///< how many were told at the last fit
  bool believes = false; ///< `process` has seen points that were not told
  std::vector<Point> pending;
  Hyperparameters lastFit;
  std::vector<Point> candidates; ///< of the last proposal: kept for memory

  std::optional<Count> count; ///< of the space's points, without reals

  /// The points by ascending bounds, if there are bounds and few points.
  std::vector<std::pair<double, uint32_t>> byBound;
  int broken = -1; ///< the number of a told point below its bound

  void listBounds();
  /// Bounds that are not below this exclude their points.
  double limit() const;
  /// How many of byBound may be better than the best, told or not.
  size_t openBounds() const;
  bool isNew(const Point &point) const {
    return !seen.count(point) && (!bound || bound(point) < limit());
  }
  bool hasNew() const;
  const Point &bestPoint() const { return told[size_t(best)].point; }
  /// What the model works with: the logarithm, unless told otherwise.
  double targetOf(const Told &one) const;
};

std::optional<Point> proposeByModel(Search::State &state, Random random);
std::vector<Expectation> expectByModel(Search::State &state, Random random,
                                       llvm::ArrayRef<Point> points);
std::optional<Point> proposeByBandit(Search::State &state, Random random);
std::optional<Point> proposeByAnnealing(Search::State &state, Random random);

/// One that was not told, by `draw`; from the whole list where draws keep
/// failing and there are few.
std::optional<Point>
drawNew(const Space &space, const PointSet &seen, Random &random,
        const std::function<std::optional<Point>(Random &)> &draw);

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_METHODS_H
