//===- GaussianProcess.cpp - What a space's values look like --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With C the covariance of the measurements, the posterior is that of Rasmussen
// and Williams (2006), chapter 2; the mean's factors are the best ones for the
// hyperparameters at hand, so the likelihood's derivatives are those at fixed
// factors.
//
//===----------------------------------------------------------------------===//

#include "heddle/Tuner/GaussianProcess.h"

#include "Minimise.h"
#include "ProcessState.h"

using namespace heddle::tuner;

/// The model's factor is about 1 if the model is good, 0 if it is useless.
static constexpr double kModelPrecision = 0.25;

/// 10 starts for up to 34 points, 3 for 60, 1 for more than 77.
static constexpr size_t kStartBudget = 12000;

static constexpr double kLeastLength = 0.02, kGreatestLength = 1000;
static constexpr double kLeastScale = 0.02, kGreatestScale = 100;
static constexpr double kLeastNoise = 1e-6, kGreatestNoise = 1;

/// The best factors of the mean: those of generalised least squares, the
/// model's held towards 0.
static void fitMean(const Square &inverse, const Column &values,
                    const Column &model, double &constant, double &factor) {
  size_t count = inverse.size();
  Column ones = timesLower(inverse, Column(count, 1));
  Column targets = timesLower(inverse, values);
  double a = sumOfProducts(ones, ones, count);
  double b = sumOfProducts(ones, targets, count);
  factor = 0;
  if (!model.empty()) {
    Column scaled = timesLower(inverse, model);
    double c = sumOfProducts(ones, scaled, count);
    double d = sumOfProducts(scaled, scaled, count) + kModelPrecision;
    double e = sumOfProducts(scaled, targets, count);
    factor = (a * e - c * b) / (a * d - c * c);
    b -= c * factor;
  }
  constant = b / a;
}

/// Of `width` pairs, a multiple of kPairsAtOnce, from their squared distances
/// by axes and what these weigh. `covariances` are without noise.
HEDDLE_WIDE_VECTORS static void
covaryPairs(llvm::ArrayRef<std::vector<double>> apart, const double *weights,
            double scale, size_t width, double *distances, double *rootTerms,
            double *covariances) {
  constexpr size_t kParts = kPairsAtOnce / Doubles::kCount;
  const Doubles one = Doubles::all(1), three = Doubles::all(3);
  for (size_t pair = 0; pair < width; pair += kPairsAtOnce) {
    Doubles squares[kParts];
    for (Doubles &square : squares)
      square = Doubles::all(0);
    for (size_t axis = 0; axis < apart.size(); ++axis) {
      const double *own = apart[axis].data() + pair;
      Doubles weight = Doubles::all(weights[axis]);
      for (size_t part = 0; part < kParts; ++part)
        squares[part] += weight * Doubles::load(own + part * Doubles::kCount);
    }
    Doubles roots[kParts];
    for (size_t part = 0; part < kParts; ++part) {
      squares[part] = squares[part].root();
      roots[part] = -squares[part];
    }
    expOfNegative(roots);
    for (size_t part = 0; part < kParts; ++part) {
      size_t at = pair + part * Doubles::kCount;
      Doubles far = squares[part];
      Doubles root = Doubles::all(scale) * roots[part];
      far.store(distances + at);
      root.store(rootTerms + at);
      ((one + far + far * far / three) * root).store(covariances + at);
    }
  }
}

bool GaussianProcess::State::factor(const Hyperparameters &hyper) const {
  factors.distance.resize(pairWidth());
  factors.rootTerm.resize(pairWidth());
  factors.covariances.resize(pairWidth());
  std::vector<double> weights;
  for (double length : hyper.lengths)
    weights.push_back(5 / (length * length));
  covaryPairs(apart, weights.data(), hyper.scale, pairWidth(),
              factors.distance.data(), factors.rootTerm.data(),
              factors.covariances.data());
  Square &matrix = factors.matrix;
  matrix.resize(count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < i; ++j)
      matrix(i, j) = factors.covariances[pairAt(i) + j];
    // Beside noise, what rounding needs.
    matrix(i, i) = hyper.scale * (1 + 1e-9) + hyper.noise + noiseOf(i);
  }
  if (!factorise(matrix))
    return false;
  factors.logDeterminant = 0;
  for (size_t k = 0; k < count; ++k)
    factors.logDeterminant += portableLog(matrix(k, k));
  invertFactor(matrix, factors.inverseRows);
  columnsOf(factors.inverseRows, factors.inverse);
  fitMean(factors.inverse, seen.values, seen.model, factors.constant,
          factors.modelFactor);
  factors.residual.assign(width(), 0);
  for (size_t k = 0; k < count; ++k) {
    factors.residual[k] = seen.values[k] - factors.constant;
    if (hasModel())
      factors.residual[k] -= factors.modelFactor * seen.model[k];
  }
  factors.weights = timesUpper(factors.inverseRows,
                               timesLower(factors.inverse, factors.residual));
  return true;
}

/// The log density without its constant, and its derivative by the logarithm.
static double logDensity(const GammaPrior &prior, double value,
                         double &derivative) {
  derivative = 0;
  if (prior.rate <= 0)
    return 0;
  derivative = prior.shape - 1 - prior.rate * value;
  return (prior.shape - 1) * portableLog(value) - prior.rate * value;
}

/// Of each pair its part of the derivative by the scale, and of that by its
/// squared distance. Half the trace of (w w' - C^-1) dC, by pairs.
HEDDLE_WIDE_VECTORS static void
derive(const Square &inverse, const Column &weights, const double *distances,
       const double *rootTerms, double *byScale, double *byDistance) {
  const Doubles one = Doubles::all(1), three = Doubles::all(3);
  const Doubles fiveThirds = Doubles::all(5.0 / 3);
  size_t pair = 0; // the first of a row
  for (size_t i = 0; i < inverse.size(); pair += i++) {
    Doubles weight = Doubles::all(weights[i]);
    const double *own = inverse.column(i);
    // The last vector writes beyond its row, where the next one follows.
    for (size_t j = 0; j < i; j += Doubles::kCount) {
      Doubles share =
          weight * Doubles::load(weights.data() + j) - Doubles::load(own + j);
      Doubles far = Doubles::load(distances + pair + j);
      Doubles root = Doubles::load(rootTerms + pair + j);
      (share * (one + far + far * far / three) * root)
          .store(byScale + pair + j);
      (share * fiveThirds * (one + far) * root).store(byDistance + pair + j);
    }
  }
}

/// The sums of a number of each pair, times the pair's squared distance by each
/// of some axes: pairs k, k + 4, k + 8 and so on are one sum of four.
HEDDLE_WIDE_VECTORS static void
sumByAxes(llvm::ArrayRef<std::vector<double>> apart, const double *ofPairs,
          size_t pairs, double *sums) {
  constexpr size_t kAxes = 4; // at once
  for (size_t first = 0; first < apart.size(); first += kAxes) {
    size_t count = std::min(kAxes, apart.size() - first);
    const double *squares[kAxes];
    Doubles parts[kAxes];
    for (size_t k = 0; k < kAxes; ++k) {
      squares[k] = apart[first + std::min(k, count - 1)].data();
      parts[k] = Doubles::all(0);
    }
    size_t pair = 0;
    for (; pair + Doubles::kCount <= pairs; pair += Doubles::kCount) {
      Doubles own = Doubles::load(ofPairs + pair);
      for (size_t k = 0; k < kAxes; ++k)
        parts[k] += own * Doubles::load(squares[k] + pair);
    }
    for (size_t k = 0; k < count; ++k) {
      double part[Doubles::kCount];
      parts[k].store(part);
      for (size_t rest = pair; rest < pairs; ++rest)
        part[0] += ofPairs[rest] * squares[k][rest];
      sums[first + k] = (part[0] + part[1]) + (part[2] + part[3]);
    }
  }
}

double GaussianProcess::logPosterior(const Hyperparameters &hyper,
                                     std::vector<double> *gradient) const {
  const State &s = *state;
  State::Factors &factors = s.factors;
  if (!s.factor(hyper))
    return -std::numeric_limits<double>::infinity();
  double value =
      -0.5 * sumOfProducts(factors.residual, factors.weights, s.count) -
      factors.logDeterminant - 0.5 * double(s.count) * 1.8378770664093453;
  if (s.hasModel())
    value -= 0.5 * kModelPrecision * factors.modelFactor * factors.modelFactor;
  size_t axes = s.axes.size();
  std::vector<double> slope(axes + 2, 0);
  for (size_t axis = 0; axis < axes; ++axis)
    value += logDensity(s.options.lengths, hyper.lengths[axis], slope[axis]);
  value += logDensity(s.options.scale, hyper.scale, slope[axes]);
  value += logDensity(s.options.noise, hyper.noise, slope[axes + 1]);
  if (!gradient)
    return value;

  const Square &inverse = factors.inverseMatrix;
  squareOf(factors.inverseRows, factors.inverseMatrix);
  factors.ofScale.resize(s.pairWidth());
  factors.ofDistance.resize(s.pairWidth());
  derive(inverse, factors.weights, factors.distance.data(),
         factors.rootTerm.data(), factors.ofScale.data(),
         factors.ofDistance.data());
  double byScale = 0, byNoise = 0;
  for (size_t i = 0, pair = 0; i < s.count; ++i) {
    for (size_t j = 0; j < i; ++j)
      byScale += factors.ofScale[pair++];
    double share = factors.weights[i] * factors.weights[i] - inverse(i, i);
    byScale += 0.5 * share * hyper.scale * (1 + 1e-9);
    byNoise += 0.5 * share * hyper.noise;
  }
  std::vector<double> sums(axes);
  sumByAxes(s.apart, factors.ofDistance.data(), s.pairAt(s.count), sums.data());
  for (size_t axis = 0; axis < axes; ++axis)
    slope[axis] += sums[axis] / (hyper.lengths[axis] * hyper.lengths[axis]);
  slope[axes] += byScale;
  slope[axes + 1] += byNoise;
  *gradient = std::move(slope);
  return value;
}

GaussianProcess::GaussianProcess(std::vector<Parameter> parameters,
                                 ProcessOptions options)
    : state(std::make_unique<State>()) {
  state->parameters = std::move(parameters);
  state->options = std::move(options);
  state->axes = makeAxes(state->parameters, state->options.kernel);
  state->pairParameters();
}
GaussianProcess::~GaussianProcess() = default;
GaussianProcess::GaussianProcess(GaussianProcess &&) = default;

size_t GaussianProcess::axes() const { return state->axes.size(); }
const Hyperparameters &GaussianProcess::hyperparameters() const {
  return state->best;
}

void GaussianProcess::observe(Observations observations) {
  State &s = *state;
  // Mostly there are the points of before, and one more.
  size_t known = 0, most = std::min(s.count, observations.points.size());
  while (known < most && s.seen.points[known] == observations.points[known])
    ++known;
  s.seen = std::move(observations);
  s.count = s.seen.points.size();
  assert(s.count > 0 && s.count == s.seen.values.size() &&
         "each point has a value");
  s.units.resize(s.parameters.size());
  for (size_t index = 0; index < s.parameters.size(); ++index) {
    s.units[index].resize(s.count);
    for (size_t k = known; k < s.count; ++k)
      s.units[index][k] =
          unitOrNone(s.parameters[index], s.seen.points[k][index],
                     s.options.kernel.usesLog);
  }
  s.apart.resize(s.axes.size());
  for (size_t axis = 0; axis < s.axes.size(); ++axis) {
    size_t index = size_t(s.axes[axis].parameter);
    s.apart[axis].resize(s.pairAt(known));
    for (size_t i = known; i < s.count; ++i)
      for (size_t j = 0; j < i; ++j)
        s.apart[axis].push_back(
            squaredDistance(s.parameters[index], s.axes[axis], s.options.kernel,
                            s.seen.points[i][index], s.units[index][i],
                            s.seen.points[j][index], s.units[index][j]));
    s.apart[axis].resize(s.pairWidth(), 0);
  }
}

void GaussianProcess::use(const Hyperparameters &hyperparameters) {
  State &s = *state;
  s.best = hyperparameters;
  // Rounding may need more noise than asked for.
  while (!s.factor(s.best))
    s.best.noise *= 10;
  s.inverseFactor = s.factors.inverse;
  s.weights = s.factors.weights;
  s.constant = s.factors.constant;
  s.modelFactor = s.factors.modelFactor;
  s.rows.assign(s.parameters.size(), DistanceRows<double>(s.width()));
  s.coarseRows.assign(s.parameters.size(), DistanceRows<float>(s.width()));
  s.pairRows.assign(s.coarsePairs.size(), DistanceRows<float>(s.width()));
  s.rowsOfCoarse.resize(s.coarsePairs.size());
}

void GaussianProcess::fit(Random &random) {
  State &s = *state;
  size_t axes = s.axes.size();
  Bounds bounds;
  auto bound = [&](double low, double high) {
    bounds.low.push_back(portableLog(low));
    bounds.high.push_back(portableLog(high));
  };
  for (size_t axis = 0; axis < axes; ++axis)
    bound(kLeastLength, kGreatestLength);
  bound(kLeastScale, kGreatestScale);
  bound(kLeastNoise, kGreatestNoise);
  Hyperparameters tried;
  auto unpack = [&](const Vector &logs) {
    tried.lengths.resize(axes);
    for (size_t axis = 0; axis < axes; ++axis)
      tried.lengths[axis] = portableExp(logs[axis]);
    tried.scale = portableExp(logs[axes]);
    tried.noise = portableExp(logs[axes + 1]);
  };
  auto objective = [&](const Vector &logs, Vector &gradient) {
    unpack(logs);
    double value = -logPosterior(tried, &gradient);
    for (double &part : gradient)
      part = -part;
    return value;
  };
  MinimiseOptions limits;
  limits.mostEvaluations = s.options.evaluationsPerStart;
  limits.gradientTolerance = 1e-2; // of a log likelihood: nobody sees more
  limits.valueTolerance = 1e-4;
  Minimum best;
  bool isFirst = true;
  // With many points a start takes long, and the last fit is a good one.
  int starts = s.options.starts;
  if (s.isFitted && s.options.reusesLast)
    starts = std::clamp(int(kStartBudget / (s.count * s.count)), 1, starts);
  for (int start = 0; start < starts; ++start) {
    Vector logs;
    bool isLast = start == 0 && s.isFitted && s.options.reusesLast;
    auto draw = [&](double low, double high) {
      double exponent = low + (high - low) * random.unit();
      logs.push_back(exponent * 2.302585092994046);
    };
    for (size_t axis = 0; axis < axes; ++axis)
      isLast ? logs.push_back(portableLog(s.best.lengths[axis])) : draw(-1, 1);
    isLast ? logs.push_back(portableLog(s.best.scale)) : draw(-1, 1);
    isLast ? logs.push_back(portableLog(s.best.noise)) : draw(-5, -2);
    Minimum found = minimise(objective, logs, bounds, limits);
    if (isFirst || found.value < best.value)
      best = found;
    isFirst = false;
  }
  unpack(best.at);
  use(tried);
  s.isFitted = true;
}

/// Of some vectors of observations, from their squared distances by parameter.
template <size_t kVectors>
HEDDLE_IN_PLACE static void covaryVectors(llvm::ArrayRef<const double *> rows,
                                          double scale, size_t from,
                                          double *found) {
  const Doubles one = Doubles::all(1), three = Doubles::all(3);
  Doubles far[kVectors], roots[kVectors];
  for (size_t k = 0; k < kVectors; ++k)
    far[k] = Doubles::all(0);
  for (const double *row : rows)
    for (size_t k = 0; k < kVectors; ++k)
      far[k] += Doubles::load(row + from + k * Doubles::kCount);
  for (size_t k = 0; k < kVectors; ++k) {
    far[k] = far[k].root();
    roots[k] = -far[k];
  }
  expOfNegative(roots);
  for (size_t k = 0; k < kVectors; ++k)
    (Doubles::all(scale) * (one + far[k] + far[k] * far[k] / three) * roots[k])
        .store(found + from + k * Doubles::kCount);
}

/// From `from` to `to`, multiples of whole vectors.
HEDDLE_WIDE_VECTORS static void covary(llvm::ArrayRef<const double *> rows,
                                       double scale, size_t from, size_t to,
                                       double *found) {
  constexpr size_t kVectors = 4, kWidth = kVectors * Doubles::kCount;
  for (; from + kWidth <= to; from += kWidth)
    covaryVectors<kVectors>(rows, scale, from, found);
  for (; from < to; from += Doubles::kCount)
    covaryVectors<1>(rows, scale, from, found);
}

std::optional<Prediction> GaussianProcess::predictUnless(
    const Point &point, double model,
    llvm::function_ref<bool(double)> isEnough) const {
  // So many observations at a time: each explains some more of the variance.
  constexpr size_t kBlock = 16;
  const State &s = *state;
  std::vector<const double *> &rows = s.rowsOfPoint;
  rows.resize(s.parameters.size());
  for (size_t index = 0; index < rows.size(); ++index)
    rows[index] = s.rows[index].of(point[index], [&](double *into) {
      s.fillRow(index, point[index], 5, into);
    });
  Column &covariances = s.covariances, &explained = s.explained;
  covariances.resize(s.width());
  explained.resize(s.width());
  double left = s.best.scale;
  for (size_t from = 0; from < s.count; from += kBlock) {
    size_t to = std::min(s.count, from + kBlock);
    covary(rows, s.best.scale, from, std::min(s.width(), from + kBlock),
           covariances.data());
    timesLower(s.inverseFactor, covariances, from, to, explained);
    for (size_t k = from; k < to; ++k)
      left -= explained[k] * explained[k];
    if (to < s.count && !isEnough(left))
      return std::nullopt;
  }
  double variance = s.best.scale - sumOfProducts(explained, explained, s.count);
  return Prediction{s.constant + s.modelFactor * model +
                        sumOfProducts(covariances, s.weights, s.count),
                    std::max(variance, 1e-11)};
}

Prediction GaussianProcess::predict(const Point &point, double model) const {
  return *predictUnless(point, model, [](double) { return true; });
}
