//===- Baselines.cpp - Searches without a model ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What others do, for comparison: OpenTuner's bandit over simple techniques,
// and simulated annealing. Both read their state from what was told, so that
// they resume as the rest does.
//
//===----------------------------------------------------------------------===//

#include "Methods.h"

#include "PortableMath.h"

#include <algorithm>

using namespace heddle::tuner;

static Random sourceOf(const Search::State &s, size_t index, uint64_t purpose) {
  Random random(s.options.seed * 0xd1342543de82ef95 + index * 8 + purpose);
  return random.fork();
}

static std::optional<Point> uniform(Search::State &s, Random &random) {
  return drawNew(s.space, s.seen, random,
                 [&](Random &source) { return s.space.draw(source); });
}

/// A neighbour that was not told, each as likely; nothing if all were.
static std::optional<Point> newNeighbour(Search::State &s, const Point &point,
                                         Random &random) {
  std::vector<Point> found;
  s.space.neighbours(point, &random, [&](const Point &near) {
    if (s.isNew(near))
      found.push_back(near);
  });
  if (found.empty())
    return std::nullopt;
  return found[random.below(found.size())];
}

/// The valid points told before `index`, the best first.
static std::vector<size_t> ranked(const Search::State &s, size_t index) {
  std::vector<size_t> order;
  for (size_t k = 0; k < index; ++k)
    if (s.told[k].outcome.isValid)
      order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return s.told[a].outcome.value < s.told[b].outcome.value;
  });
  return order;
}

//===----------------------------------------------------------------------===//
// Bandit
//===----------------------------------------------------------------------===//

namespace {
enum Technique { Draw, Climb, Mutate, Cross, kTechniques };
}

/// Which technique made each of the points told, and makes the next: that whose
/// recent uses improved most, later ones counting more, plus what is owed to
/// those used seldom (Ansel et al. 2014).
static int chooseTechnique(const Search::State &s) {
  constexpr size_t kWindow = 100;
  std::vector<std::vector<int>> uses(kTechniques);
  int technique = Draw;
  double best = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k <= s.told.size(); ++k) {
    Random random = sourceOf(s, k, 1);
    double most = -1;
    for (int candidate = 0; candidate < kTechniques; ++candidate) {
      const std::vector<int> &gains = uses[size_t(candidate)];
      double area = 0, weights = 0;
      for (size_t use = 0; use < gains.size(); ++use) {
        area += double(use + 1) * gains[use];
        weights += double(use + 1);
      }
      double score = gains.empty()
                         ? 1e6
                         : area / weights +
                               0.05 * std::sqrt(2 * portableLog(double(k + 1)) /
                                                double(gains.size()));
      score += 1e-6 * random.unit(); // equals are drawn
      if (score > most) {
        most = score;
        technique = candidate;
      }
    }
    if (k == s.told.size())
      break;
    const Outcome &outcome = s.told[k].outcome;
    bool isBetter = outcome.isValid && outcome.value < best;
    if (isBetter)
      best = outcome.value;
    std::vector<int> &gains = uses[size_t(technique)];
    gains.push_back(isBetter);
    if (gains.size() > kWindow)
      gains.erase(gains.begin());
  }
  return technique;
}

/// Some values of one point in another, if that is a point.
static std::optional<Point> cross(Search::State &s, const Point &a,
                                  const Point &b, Random &random) {
  for (int tries = 0; tries < 30; ++tries) {
    Point child = a;
    for (size_t k = 0; k < child.size(); ++k)
      if (random.below(2))
        child[k] = b[k];
    if (s.isNew(child) && s.space.contains(child))
      return child;
  }
  return std::nullopt;
}

std::optional<Point> heddle::tuner::proposeByBandit(Search::State &s,
                                                    Random random) {
  std::vector<size_t> order = ranked(s, s.told.size());
  int technique = order.empty() ? Draw : chooseTechnique(s);
  std::optional<Point> point;
  if (technique == Climb)
    point = newNeighbour(s, s.bestPoint(), random);
  size_t elite = std::min<size_t>(order.size(), 10);
  if (technique == Mutate) {
    // Several steps away from one of the best.
    Point walked = s.told[order[random.below(elite)]].point;
    for (uint64_t steps = 1 + random.below(3); steps > 0; --steps)
      if (std::optional<Point> next = newNeighbour(s, walked, random))
        walked = *next;
    if (s.isNew(walked))
      point = walked;
  }
  if (technique == Cross) {
    // One after the other: compilers evaluate arguments in orders of their own.
    size_t mother = order[random.below(elite)];
    size_t father = order[random.below(elite)];
    point = cross(s, s.told[mother].point, s.told[father].point, random);
  }
  return point ? point : uniform(s, random);
}

//===----------------------------------------------------------------------===//
// Annealing
//===----------------------------------------------------------------------===//

std::optional<Point> heddle::tuner::proposeByAnnealing(Search::State &s,
                                                       Random random) {
  // The walk so far: each point told is taken or not, by how much worse it is
  // and how far the budget is used up.
  int at = -1;
  for (size_t k = 0; k < s.told.size(); ++k) {
    if (!s.told[k].outcome.isValid)
      continue;
    if (at < 0 || s.told[k].outcome.value <= s.told[size_t(at)].outcome.value) {
      at = int(k);
      continue;
    }
    double share = std::min(1.0, double(k) / std::max(1, s.options.budget));
    double temperature = 0.5 * portablePow(0.01, share);
    double worse = s.targetOf(s.told[k]) - s.targetOf(s.told[size_t(at)]);
    if (sourceOf(s, k, 2).unit() < portableExp(-worse / temperature))
      at = int(k);
  }
  if (at < 0 || s.told.size() < size_t(std::min(s.options.firstSamples, 3)))
    return uniform(s, random);
  std::optional<Point> near = newNeighbour(s, s.told[size_t(at)].point, random);
  return near ? near : uniform(s, random);
}
