//===- Search.cpp - Which point to measure next ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Methods.h"

#include "PortableMath.h"

#include "heddle/Tuner/Scenario.h"

using namespace heddle::tuner;

static constexpr int kMostDraws = 200;
/// Spaces of which all points may be looked at for one that is new.
static constexpr Count kFew = 200000;

std::optional<Point> heddle::tuner::drawNew(
    const Space &space, const PointSet &seen, Random &random,
    const std::function<std::optional<Point>(Random &)> &draw) {
  for (int draws = 0; draws < kMostDraws; ++draws) {
    std::optional<Point> point = draw(random);
    if (!point)
      return std::nullopt;
    if (!seen.count(*point))
      return point;
  }
  std::optional<Count> count = space.smallCount();
  if (!count || *count > kFew || space.hasReals())
    return std::nullopt;
  std::vector<Count> left;
  for (Count k = 0; k < *count; ++k)
    if (!seen.count(space.at(k)))
      left.push_back(k);
  if (left.empty())
    return std::nullopt;
  return space.at(left[random.below(left.size())]);
}

double Search::State::targetOf(const Told &one) const {
  return options.logsValues ? portableLog(one.outcome.value)
                            : one.outcome.value;
}

Search::Search(Space space, SearchOptions options,
               std::function<double(const Point &)> model)
    : state(std::make_unique<State>(State{std::move(space),
                                          std::move(options),
                                          std::move(model),
                                          {},
                                          {},
                                          -1,
                                          std::nullopt,
                                          0,
                                          {},
                                          std::nullopt})) {
  if (!state->space.hasReals())
    state->count = state->space.smallCount();
}
Search::~Search() = default;
Search::Search(Search &&) = default;

const std::vector<Told> &Search::told() const { return state->told; }
int Search::best() const { return state->best; }
Hyperparameters Search::hyperparameters() const { return state->lastFit; }

void Search::tell(const Point &point, Outcome outcome) {
  State &s = *state;
  bool isUsable = std::isfinite(outcome.value) &&
                  (!s.options.logsValues || outcome.value > 0);
  if (outcome.isValid && !isUsable) {
    outcome.isValid = false;
    outcome.reason = "value";
  }
  s.seen.insert(point);
  s.told.push_back({point, std::move(outcome)});
  const Outcome &last = s.told.back().outcome;
  if (last.isValid &&
      (s.best < 0 || last.value < s.told[size_t(s.best)].outcome.value))
    s.best = int(s.told.size()) - 1;
}

std::optional<Point> Search::propose() {
  State &s = *state;
  if (!s.hasNew())
    return std::nullopt;
  // A source of its own for each proposal: resuming needs no more than what
  // was told.
  Random random(s.options.seed * 0x9e3779b97f4a7c15 + s.told.size());
  random = random.fork();
  if (s.told.empty() && s.options.startsFromDefault)
    if (std::optional<Point> preset = presetOf(s.space);
        preset && s.space.contains(*preset))
      return preset;
  auto uniform = [&](Random &source) { return s.space.draw(source); };
  bool isFirst = s.told.size() < size_t(s.options.firstSamples) || s.best < 0;
  switch (s.options.method) {
  case Method::Uniform:
    return drawNew(s.space, s.seen, random, uniform);
  case Method::Embedding:
    return drawNew(s.space, s.seen, random, [&](Random &source) {
      return s.space.drawEmbedded(source);
    });
  case Method::Bandit:
    return proposeByBandit(s, random);
  case Method::Annealing:
    return proposeByAnnealing(s, random);
  case Method::Bayes:
    break;
  }
  if (!isFirst)
    if (std::optional<Point> point = proposeByModel(s, random))
      return point;
  return drawNew(s.space, s.seen, random, uniform);
}
