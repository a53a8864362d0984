//===- ModelSearch.cpp - Proposals of a model -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model is fitted to the valid points; what is proposed is the point of the
// greatest expected improvement, times the probability that it is valid. It is
// searched among many points drawn, or all where these are few, and then among
// neighbours of the best. A bound on each point's variance is cheap: exact
// variances are computed for those points alone that could be among the best.
//
//===----------------------------------------------------------------------===//

#include "Methods.h"

#include "Distances.h"
#include "PortableMath.h"

#include <algorithm>

using namespace heddle::tuner;

/// How much below the best a value must be to count, in standard deviations.
static constexpr double kLeastGain = 1e-4;
static constexpr int kMostSteps = 50;
/// Standard deviations on either side of 95 of 100 cases.
static constexpr double kReach = 1.96;
static constexpr double kTiny = 1e-30;
/// Points told for each parameter from which gains are searched thoroughly, and
/// how many points are drawn before that.
static constexpr size_t kEnough = 4, kFewCandidates = 1000;
/// Of the table of gains: how many deviations on either side, and its steps.
static constexpr int kFurthest = 9, kSteps = 64;

namespace {

class ModelSearch {
public:
  ModelSearch(Search::State &state, Random random) : s(state), random(random) {}

  std::optional<Point> propose() {
    Random ofForests = random.fork();
    threshold = s.options.drawsThreshold ? 0.01 * double(random.below(11)) : 0;
    if (s.options.surrogate == Surrogate::Process)
      fitProcess();
    else {
      standardise(s.told.size());
      Random ofFit = random.fork();
      fitForest(ofFit);
    }
    fitValidity(ofForests);
    chooseStarts();
    std::optional<Point> best;
    double bestGain = 0;
    for (const Start &start : starts) {
      Start end = climbs() ? climb(start) : start;
      if (end.gain > bestGain) {
        bestGain = end.gain;
        best = end.point;
      }
    }
    return best;
  }

  std::vector<Expectation> expect(llvm::ArrayRef<Point> points) {
    Random ofForests = random.fork();
    fitProcess();
    fitValidity(ofForests);
    auto valueOf = [&](double standardised) {
      double target = standardised * deviation + mean;
      return s.options.logsValues ? portableExp(target) : target;
    };
    std::vector<Expectation> found;
    for (const Point &point : points) {
      Prediction predicted = s.process->predict(point, modelAt(point));
      double reach = kReach * std::sqrt(predicted.variance);
      found.push_back(
          {valueOf(predicted.mean), valueOf(predicted.mean - reach),
           valueOf(predicted.mean + reach),
           validity ? validity->predict(rowOfValidity(point)).mean : 1});
    }
    return found;
  }

private:
  /// With little known, the greatest improvement expected is where nothing is
  /// known, in the corners: of some points drawn the best does better. A model
  /// of the machine knows something of all points.
  bool knowsEnough() const {
    return !s.options.holdsBack || s.model ||
           s.told.size() >= kEnough * s.space.parameters().size();
  }
  bool climbs() const { return s.options.searchesLocally && knowsEnough(); }

  struct Start {
    Point point;
    double gain = 0; ///< 0 for what was told already
  };

  /// Takes the first points that were told.
  void standardise(size_t told) {
    seen = {};
    double sum = 0;
    for (const Told &one : llvm::ArrayRef(s.told).take_front(told))
      if (one.outcome.isValid) {
        seen.points.push_back(one.point);
        seen.values.push_back(s.targetOf(one));
        if (s.model)
          seen.model.push_back(s.model(one.point));
        sum += seen.values.back();
      }
    double count = double(seen.values.size());
    mean = sum / count;
    double squares = 0;
    for (double value : seen.values)
      squares += (value - mean) * (value - mean);
    deviation = std::sqrt(squares / count);
    if (!(deviation > 1e-12))
      deviation = 1;
    for (double &value : seen.values)
      value = (value - mean) / deviation;
    // Logarithms of times too: a factor of one is a perfect model.
    for (double &value : seen.model)
      value = (value - mean) / deviation;
    best =
        *std::min_element(seen.values.begin(), seen.values.end()) - kLeastGain;
  }

  double modelAt(const Point &point) const {
    return s.model ? (s.model(point) - mean) / deviation : 0;
  }

  /// The last fit is a start of the next, so a search that resumes, or that is
  /// told several points at once, makes the fits between too.
  void fitProcess() {
    if (!s.process)
      s.process.emplace(s.space.parameters(), s.options.process);
    size_t first = s.options.process.reusesLast
                       ? std::max(s.fitted + 1, firstFit())
                       : s.told.size();
    for (size_t told = first; told <= s.told.size(); ++told) {
      standardise(told);
      s.process->observe(seen);
      Random source(s.options.seed * 0x2545f4914f6cdd1d + told);
      s.process->fit(source);
    }
    if (first > s.told.size()) { // proposed before, and asked again
      standardise(s.told.size());
      if (s.believes) {
        s.process->observe(seen);
        s.process->use(s.lastFit);
      }
    }
    s.fitted = s.told.size();
    s.lastFit = s.process->hyperparameters();
    s.believes = !s.pending.empty();
    if (s.believes)
      believe();
  }

  /// Takes what is expected of the points that are being measured for their
  /// values: nothing is learned from it, but there is less to learn there.
  void believe() {
    Observations all = seen;
    for (const Point &point : s.pending) {
      double predicted = modelAt(point);
      all.points.push_back(point);
      all.values.push_back(s.process->predict(point, predicted).mean);
      if (s.model)
        all.model.push_back(predicted);
    }
    s.process->observe(std::move(all));
    s.process->use(s.lastFit);
  }

  /// How many were told when a model was first asked.
  size_t firstFit() const {
    for (size_t k = 0; k < s.told.size(); ++k)
      if (s.told[k].outcome.isValid)
        return std::max(k + 1, size_t(s.options.firstSamples));
    return s.told.size();
  }

  void fitForest(Random &source) {
    std::vector<std::vector<float>> rows;
    for (const Point &point : seen.points)
      rows.push_back(row(point));
    ForestOptions options;
    options.trees = 100;
    options.featureShare = 1.0 / 3;
    options.isBootstrap = true;
    std::vector<double> weights(rows.size(), 1);
    forest.emplace(rows, seen.values, weights, options, source);
  }

  void fitValidity(Random &source) {
    bool hasInvalid =
        std::any_of(s.told.begin(), s.told.end(),
                    [](const Told &one) { return !one.outcome.isValid; });
    if (!hasInvalid || !s.options.predictsValidity)
      return;
    std::vector<std::vector<float>> rows;
    std::vector<double> labels, weights;
    for (const Told &one : s.told) {
      rows.push_back(rowOfValidity(one.point));
      labels.push_back(one.outcome.isValid);
      weights.push_back(one.outcome.isValid ? 0.8 : 0.2);
    }
    validity.emplace(rows, labels, weights, ForestOptions(), source);
  }

  std::vector<float> row(const Point &point) const {
    return features(s.space.parameters(), s.options.process.kernel.usesLog,
                    point);
  }

  std::vector<float> rowOfValidity(const Point &point) const {
    std::vector<float> made = row(point);
    if (s.options.multiplies)
      addProducts(s.space.parameters(), point, made);
    return made;
  }

  //===--------------------------------------------------------------------===//
  // The gain of a point
  //===--------------------------------------------------------------------===//

  /// Above 0 even where it is too small for a number, so that there is always
  /// something to climb.
  double improvement(double predicted, double variance) const {
    double spread = std::sqrt(variance);
    double found = expectedImprovement(best, predicted, spread);
    return found > kTiny
               ? found
               : kTiny / (1 + std::max(0.0, predicted - best) / spread);
  }

  /// 0 for what was told, and for what is likely to be invalid.
  /// The gain, or some number that is not above `least` if it is not: whoever
  /// looks for more need not know how much less.
  double gainOf(const Point &point, double least = -1, float mean = 0) {
    if (!s.isNew(point))
      return 0;
    if (auto found = gains.find(point); found != gains.end())
      return found->second;
    double valid = 1;
    if (validity) {
      valid = validity->predict(rowOfValidity(point)).mean;
      if (valid < threshold || valid <= 0)
        return gains[point] = 0;
    }
    double gain;
    if (forest) {
      ForestPrediction predicted = forest->predict(row(point));
      gain = improvement(predicted.mean, std::max(predicted.variance, 1e-12));
    } else {
      std::optional<Prediction> predicted =
          s.process->predictUnless(point, modelAt(point), [&](double variance) {
            return least < 0 ||
                   bound({mean, float(std::max(variance, 1e-11))}) * valid >
                       least;
          });
      if (!predicted)
        return 0;
      gain = improvement(predicted->mean, predicted->variance);
    }
    return gains[point] = gain * valid;
  }

  //===--------------------------------------------------------------------===//
  // Candidates
  //===--------------------------------------------------------------------===//

  llvm::ArrayRef<Point> drawCandidates() {
    std::vector<Point> &points = s.candidates;
    size_t wanted = size_t(s.options.candidates);
    if (!knowsEnough())
      wanted = std::min(wanted, kFewCandidates);
    if (!s.byBound.empty())
      return drawOpen(wanted);
    if (s.count && *s.count <= wanted) {
      points.resize(size_t(*s.count));
      for (size_t k = 0; k < points.size(); ++k)
        points[k] = s.space.at(k);
      return points;
    }
    points.resize(wanted);
    for (size_t k = 0; k < wanted; ++k)
      if (!s.space.draw(random, points[k]))
        return llvm::ArrayRef(points).take_front(k);
    return points;
  }

  /// Of the points that bounds do not exclude.
  llvm::ArrayRef<Point> drawOpen(size_t wanted) {
    std::vector<Point> &points = s.candidates;
    size_t open = s.openBounds();
    points.resize(std::min(open, wanted));
    for (size_t k = 0; k < points.size(); ++k)
      points[k] =
          s.space.at(s.byBound[open <= wanted ? k : random.below(open)].second);
    return points;
  }

  void chooseStarts() {
    llvm::ArrayRef<Point> points = drawCandidates();
    size_t wanted = size_t(s.options.localStarts);
    std::vector<std::pair<float, uint32_t>> bounds = boundsOf(points);
    size_t sorted = 0; // as far as needed
    for (size_t k = 0; k < bounds.size(); ++k) {
      if (k == sorted) {
        sorted = std::min(bounds.size(), std::max<size_t>(256, 4 * sorted));
        auto from = bounds.begin() + long(k),
             to = bounds.begin() + long(sorted);
        if (to != bounds.end())
          std::nth_element(from, to, bounds.end(), isBefore);
        std::sort(from, to, isBefore);
      }
      if (starts.size() == wanted && bounds[k].first <= starts.back().gain)
        break;
      const Point &point = points[bounds[k].second];
      double least = starts.size() == wanted ? starts.back().gain : 0;
      double gain = gainOf(point, least, meanOf(bounds[k].second));
      if (gain > 0)
        keep({point, gain}, wanted);
    }
    // The best that were told, to look around.
    std::vector<std::pair<double, size_t>> told;
    for (size_t k = 0; k < s.told.size(); ++k)
      if (s.told[k].outcome.isValid)
        told.push_back({s.told[k].outcome.value, k});
    std::sort(told.begin(), told.end());
    told.resize(std::min(told.size(), size_t(s.options.localFromBest)));
    if (climbs())
      for (auto [value, k] : told)
        starts.push_back({s.told[k].point, 0});
  }

  /// Above improvement() for the real variance, with room for rounding.
  float bound(const GaussianProcess::Screened &screened) const {
    float spread = std::sqrt(screened.variance) * 1.001f + 1e-4f;
    float gain = float(best) - screened.mean + 1e-3f;
    float z = gain / spread;
    if (z < -kFurthest) // no more than improvement() says of what is tiny
      return float(2 * kTiny / (1 - z));
    if (z >= kFurthest)
      return float(gain + spread);
    static const std::vector<double> unitGains = makeUnitGains();
    size_t above = size_t((z + kFurthest) * kSteps) + 1; // it only grows
    return float(spread * unitGains[above] * 1.0001) + float(2 * kTiny);
  }

  /// Expected improvements at unit spread.
  static std::vector<double> makeUnitGains() {
    std::vector<double> gains;
    for (int k = 0; k <= 2 * kFurthest * kSteps + 1; ++k)
      gains.push_back(
          expectedImprovement(double(k) / kSteps - kFurthest, 0, 1));
    return gains;
  }

  /// Among the best starts, in descending order.
  void keep(Start start, size_t wanted) {
    for (const Start &other : starts)
      if (other.point == start.point)
        return;
    auto place = std::upper_bound(
        starts.begin(), starts.end(), start,
        [](const Start &a, const Start &b) { return a.gain > b.gain; });
    starts.insert(place, std::move(start));
    if (starts.size() > wanted)
      starts.pop_back();
  }

  /// The best of the neighbours, until none is better, or until another climb
  /// has been there: it went where this one would.
  Start climb(Start at) {
    for (int step = 0; step < kMostSteps; ++step) {
      if (!s.space.hasReals() && !climbed.insert(at.point).second)
        break;
      size_t count = 0;
      s.space.neighbours(at.point, &random, [&](const Point &point) {
        if (!s.isNew(point))
          return;
        if (count == near.size())
          near.emplace_back();
        near[count++] = point;
      });
      Start next = at;
      std::vector<std::pair<float, uint32_t>> bounds =
          boundsOf(llvm::ArrayRef(near).take_front(count));
      std::sort(bounds.begin(), bounds.end(), isBefore);
      for (auto [most, index] : bounds) {
        if (most <= next.gain)
          break;
        double gain = gainOf(near[index], next.gain, meanOf(index));
        if (gain > next.gain)
          next = {near[index], gain};
      }
      if (next.gain <= at.gain)
        break;
      at = std::move(next);
    }
    return at;
  }

  /// Upper bounds of the gains, with the points' indices.
  std::vector<std::pair<float, uint32_t>>
  boundsOf(llvm::ArrayRef<Point> points) {
    std::vector<std::pair<float, uint32_t>> bounds;
    bounds.reserve(points.size());
    for (size_t k = 0; k < points.size() && forest; ++k)
      bounds.push_back({roundedUp(gainOf(points[k])), uint32_t(k)});
    if (!forest) {
      std::vector<double> model;
      for (size_t k = 0; k < points.size() && s.model; ++k)
        model.push_back(modelAt(points[k]));
      s.process->screen(points, model, screened);
      for (size_t k = 0; k < points.size(); ++k)
        bounds.push_back({bound(screened[k]), uint32_t(k)});
    }
    return bounds;
  }

  /// Of the points whose bounds were asked last.
  float meanOf(uint32_t index) const {
    return forest ? 0 : screened[index].mean;
  }

  static bool isBefore(const std::pair<float, uint32_t> &a,
                       const std::pair<float, uint32_t> &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  }
  static float roundedUp(double value) {
    return std::nextafter(float(value), std::numeric_limits<float>::infinity());
  }

  Search::State &s;
  Random random;
  Observations seen; ///< the valid points, standardised
  double mean = 0, deviation = 1, best = 0, threshold = 0;
  std::optional<Forest> forest, validity;
  std::unordered_map<Point, double, HashPoint> gains;
  std::vector<Start> starts;
  PointSet climbed;        ///< that were looked around of
  std::vector<Point> near; ///< kept for its memory
  std::vector<GaussianProcess::Screened> screened; ///< kept for its memory
};

} // namespace

std::optional<Point> heddle::tuner::proposeByModel(Search::State &state,
                                                   Random random) {
  return ModelSearch(state, random).propose();
}

std::vector<Expectation>
heddle::tuner::expectByModel(Search::State &state, Random random,
                             llvm::ArrayRef<Point> points) {
  return ModelSearch(state, random).expect(points);
}
