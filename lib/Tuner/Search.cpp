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
static constexpr Count kFew = 262144;

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

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

void Search::State::listBounds() {
  if (!bound || !count || *count > kFew)
    return;
  for (Count k = 0; k < *count; ++k)
    byBound.push_back({bound(space.at(k)), uint32_t(k)});
  std::sort(byBound.begin(), byBound.end());
}

double Search::State::limit() const {
  double most = std::numeric_limits<double>::infinity();
  // What is refused stays so where bounds are wrong.
  return best < 0 || broken >= 0
             ? most
             : told[size_t(best)].outcome.value * (1 - options.worth);
}

size_t Search::State::openBounds() const {
  auto end = std::lower_bound(byBound.begin(), byBound.end(),
                              std::pair(limit(), uint32_t(0)));
  return size_t(end - byBound.begin());
}

bool Search::State::hasNew() const {
  if (!count)
    return true;
  if (byBound.empty())
    return seen.size() < *count;
  size_t toldToo = 0;
  for (const Point &point : seen)
    toldToo += bound(point) < limit();
  return toldToo < openBounds();
}

Claim Search::claim() const {
  const State &s = *state;
  Claim claim;
  claim.broken = s.broken;
  if (s.broken >= 0)
    claim.brokenBound = s.bound(s.told[size_t(s.broken)].point);
  claim.isKnown = s.broken < 0 && !s.byBound.empty();
  if (!claim.isKnown)
    return claim;
  double infinite = std::numeric_limits<double>::infinity();
  claim.least = infinite;
  claim.points = *s.count;
  size_t open = s.openBounds();
  for (size_t k = s.byBound.size(); k > 0; --k) {
    if (s.byBound[k - 1].first < infinite)
      break;
    ++claim.refused;
  }
  claim.slower = claim.points - Count(open) - claim.refused;
  claim.open = open;
  for (const Point &point : s.seen)
    claim.open -= s.bound(point) < s.limit();
  for (auto [least, index] : s.byBound)
    if (!s.seen.count(s.space.at(index))) {
      claim.least = least;
      break;
    }
  return claim;
}

std::optional<double> Claim::gapTo(double best) const {
  if (!isKnown || broken >= 0)
    return std::nullopt;
  return std::max(0.0, 1 - least / best);
}

//===----------------------------------------------------------------------===//
// Proposals
//===----------------------------------------------------------------------===//

double Search::State::targetOf(const Told &one) const {
  return options.logsValues ? portableLog(one.outcome.value)
                            : one.outcome.value;
}

Search::Search(Space space, SearchOptions options, Function model,
               Function bound)
    : state(std::make_unique<State>(std::move(space), std::move(options),
                                    std::move(model), std::move(bound))) {
  if (!state->space.hasReals())
    state->count = state->space.smallCount();
  state->listBounds();
}
Search::~Search() = default;
Search::Search(Search &&) = default;

const std::vector<Told> &Search::told() const { return state->told; }
const Budget &Search::budget() const { return state->budget; }
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
  s.budget.count(last);
  if (last.isValid &&
      (s.best < 0 || last.value < s.told[size_t(s.best)].outcome.value))
    s.best = int(s.told.size()) - 1;
  if (last.isValid && s.bound && s.broken < 0 && last.value < s.bound(point))
    s.broken = int(s.told.size()) - 1;
}

/// A source of its own for each proposal: resuming needs no more than what was
/// told.
static Random sourceOf(const Search::State &state) {
  Random random(state.options.seed * 0x9e3779b97f4a7c15 + state.told.size() +
                state.pending.size());
  return random.fork();
}

std::vector<Expectation> Search::expect(llvm::ArrayRef<Point> points) {
  int valid = 0;
  for (const Told &one : state->told)
    valid += one.outcome.isValid;
  if (valid < 2 || state->options.method != Method::Bayes ||
      state->options.surrogate != Surrogate::Process)
    return {};
  // No model was asked yet, and a fit now would be the start of the first one.
  if (state->told.size() < size_t(state->options.firstSamples)) {
    SearchOptions sooner = state->options;
    sooner.firstSamples = valid;
    Search other(state->space, sooner, state->model);
    for (const Told &one : state->told)
      other.tell(one.point, one.outcome);
    return other.expect(points);
  }
  return expectByModel(*state, sourceOf(*state), points);
}

std::optional<Point> Search::propose(llvm::ArrayRef<Point> pending) {
  State &s = *state;
  std::vector<Point> added; // none of them is proposed again
  for (const Point &point : pending)
    if (s.seen.insert(point).second)
      added.push_back(point);
  s.pending.assign(pending.begin(), pending.end());
  std::optional<Point> found = s.hasNew() ? proposeNew() : std::nullopt;
  for (const Point &point : added)
    s.seen.erase(point);
  s.pending.clear();
  return found;
}

std::optional<Point> Search::proposeNew() {
  State &s = *state;
  Random random = sourceOf(s);
  if (s.told.empty() && s.pending.empty() && s.options.startsFromDefault)
    if (std::optional<Point> preset = presetOf(s.space);
        preset && s.space.contains(*preset))
      return preset;
  // Where bounds exclude most, among the rest.
  auto uniform = [&](Random &source) {
    size_t open = s.openBounds();
    if (open == 0)
      return s.space.draw(source);
    return std::optional(s.space.at(s.byBound[source.below(open)].second));
  };
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
