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

#include "Distances.h"
#include "Minimise.h"
#include "PortableMath.h"
#include "Triangular.h"

#include <unordered_map>

using namespace heddle::tuner;

/// The model's factor is about 1 if the model is good, 0 if it is useless.
static constexpr double kModelPrecision = 0.25;

/// 10 starts for up to 34 points, 3 for 60, 1 for more than 77.
static constexpr size_t kStartBudget = 12000;

static constexpr double kLeastLength = 0.02, kGreatestLength = 1000;
static constexpr double kLeastScale = 0.02, kGreatestScale = 100;
static constexpr double kLeastNoise = 1e-6, kGreatestNoise = 1;

namespace {

/// Of one parameter: for each word that occurs, its weighted squared distances
/// from all observations. Words are few, or rows are made as they come.
template <typename Number> class DistanceRows {
public:
  explicit DistanceRows(size_t width) : width(width) {}

  template <typename Fill> const Number *of(Word word, Fill fill) {
    if (word < 0 || word >= kDirect)
      return ofOther(word, fill);
    if (size_t(word) >= places.size())
      places.resize(size_t(word) + 1, 0);
    if (places[size_t(word)] == 0)
      places[size_t(word)] = add(direct, fill);
    return direct.data() + (places[size_t(word)] - 1) * width;
  }

private:
  static constexpr Word kDirect = 4096;
  static constexpr size_t kMostOthers = 4096;

  template <typename Fill> const Number *ofOther(Word word, Fill fill) {
    auto found = otherPlaces.find(word);
    if (found == otherPlaces.end()) {
      if (otherPlaces.size() == kMostOthers) { // of reals, none comes again
        otherPlaces.clear();
        others.clear();
      }
      found = otherPlaces.emplace(word, add(others, fill)).first;
    }
    return others.data() + (found->second - 1) * width;
  }

  /// One more row; its number, from 1 on.
  template <typename Fill> size_t add(std::vector<Number> &rows, Fill fill) {
    rows.resize(rows.size() + width);
    fill(rows.data() + rows.size() - width);
    return rows.size() / width;
  }

  size_t width;
  std::vector<Number> direct, others;
  std::vector<size_t> places;
  std::unordered_map<Word, size_t> otherPlaces;
};

} // namespace

struct GaussianProcess::State {
  std::vector<Parameter> parameters;
  ProcessOptions options;
  std::vector<Axis> axes;

  Observations seen;
  size_t count = 0;
  /// Of each parameter and observation: what unitOf gives.
  std::vector<std::vector<double>> units;
  /// Of each axis: squared distances of the points i > j, row after row.
  std::vector<std::vector<double>> apart;
  Hyperparameters best;
  bool isFitted = false;

  // Of the hyperparameters in use.
  Matrix inverseFactor;
  Column weights; ///< C^-1 (values - mean)
  double constant = 0, modelFactor = 0;
  // Of each parameter; words come again.
  mutable std::vector<DistanceRows<double>> rows;
  mutable std::vector<DistanceRows<float>> coarseRows;

  size_t pairAt(size_t i) const { return i * (i - 1) / 2; }
  size_t width() const { return (count + 7) / 8 * 8; } ///< whole vectors
  double noiseOf(size_t k) const {
    return seen.extraNoise.empty() ? 0 : seen.extraNoise[k];
  }
  bool hasModel() const { return !seen.model.empty(); }

  struct Factors;
  bool factor(const Hyperparameters &hyper, Factors &factors) const;
  Column covariances(const Point &point) const;
  /// Those of some observations, from the squared distances by parameter.
  void covary(llvm::ArrayRef<const double *> rows, long from, long to,
              Column &found) const;
  template <typename Number>
  void fillRow(size_t index, Word word, Number *into) const;
};

/// Everything that the likelihood and predictions need.
struct GaussianProcess::State::Factors {
  std::vector<double> rootTerm; ///< of pairs: exp(-sqrt(5) r) times scale
  std::vector<double> distance; ///< of pairs: sqrt(5) r
  Matrix inverse;               ///< of Cholesky's factor
  Column residual, weights;
  double constant = 0, modelFactor = 0;
  double logDeterminant = 0;
};

/// The best factors of the mean: those of generalised least squares, the
/// model's held towards 0.
static void fitMean(const Matrix &inverse, const Column &values,
                    const std::vector<double> &model, double &constant,
                    double &factor) {
  Column ones = timesLower(inverse, Column::Ones(values.size()));
  Column targets = timesLower(inverse, values);
  double a = sumOfProducts(ones, ones), b = sumOfProducts(ones, targets);
  factor = 0;
  if (!model.empty()) {
    Column scaled = timesLower(
        inverse, Eigen::Map<const Column>(model.data(), values.size()));
    double c = sumOfProducts(ones, scaled);
    double d = sumOfProducts(scaled, scaled) + kModelPrecision;
    double e = sumOfProducts(scaled, targets);
    factor = (a * e - c * b) / (a * d - c * c);
    b -= c * factor;
  }
  constant = b / a;
}

bool GaussianProcess::State::factor(const Hyperparameters &hyper,
                                    Factors &factors) const {
  size_t pairs = pairAt(count);
  factors.distance.assign(pairs, 0);
  factors.rootTerm.resize(pairs);
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    double weight = 5 / (hyper.lengths[axis] * hyper.lengths[axis]);
    const double *squares = apart[axis].data();
    for (size_t k = 0; k < pairs; ++k)
      factors.distance[k] += weight * squares[k];
  }
  Matrix matrix(count, count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < i; ++j) {
      double &far = factors.distance[pairAt(i) + j];
      double &root = factors.rootTerm[pairAt(i) + j];
      far = std::sqrt(far);
      root = hyper.scale * portableExp(-far);
      matrix(long(i), long(j)) = (1 + far + far * far / 3) * root;
    }
    // Beside noise, what rounding needs.
    matrix(long(i), long(i)) =
        hyper.scale * (1 + 1e-9) + hyper.noise + noiseOf(i);
  }
  if (!factorise(matrix))
    return false;
  for (size_t k = 0; k < count; ++k)
    factors.logDeterminant += portableLog(matrix(long(k), long(k)));
  factors.inverse = invertFactor(matrix);
  Eigen::Map<const Column> values(seen.values.data(), long(count));
  fitMean(factors.inverse, values, seen.model, factors.constant,
          factors.modelFactor);
  factors.residual = values - Column::Constant(long(count), factors.constant);
  if (hasModel())
    factors.residual -=
        factors.modelFactor *
        Eigen::Map<const Column>(seen.model.data(), long(count));
  Column half = timesLower(factors.inverse, factors.residual);
  // transpose(inverse) * half, a column at a time.
  factors.weights.resize(long(count));
  for (long k = 0; k < long(count); ++k) {
    double sum = 0;
    for (long i = k; i < long(count); ++i)
      sum += factors.inverse(i, k) * half(i);
    factors.weights(k) = sum;
  }
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

double GaussianProcess::logPosterior(const Hyperparameters &hyper,
                                     std::vector<double> *gradient) const {
  const State &s = *state;
  State::Factors factors;
  if (!s.factor(hyper, factors))
    return -std::numeric_limits<double>::infinity();
  double value = -0.5 * sumOfProducts(factors.residual, factors.weights) -
                 factors.logDeterminant -
                 0.5 * double(s.count) * 1.8378770664093453;
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

  // Half the trace of (w w' - C^-1) dC, by pairs.
  Matrix inverse = squareOfInverse(factors.inverse);
  std::vector<double> byDistance(s.pairAt(s.count));
  double byScale = 0, byNoise = 0;
  for (size_t i = 0; i < s.count; ++i) {
    for (size_t j = 0; j < i; ++j) {
      size_t pair = s.pairAt(i) + j;
      double share = factors.weights(long(i)) * factors.weights(long(j)) -
                     inverse(long(j), long(i));
      double far = factors.distance[pair], root = factors.rootTerm[pair];
      byScale += share * (1 + far + far * far / 3) * root;
      byDistance[pair] = share * (5.0 / 3) * (1 + far) * root;
    }
    double share = factors.weights(long(i)) * factors.weights(long(i)) -
                   inverse(long(i), long(i));
    byScale += 0.5 * share * hyper.scale * (1 + 1e-9);
    byNoise += 0.5 * share * hyper.noise;
  }
  for (size_t axis = 0; axis < axes; ++axis) {
    double sums[4] = {0, 0, 0, 0}; // in four parts, that vectors can hold
    const double *squares = s.apart[axis].data();
    size_t pairs = byDistance.size(), k = 0;
    for (; k + 4 <= pairs; k += 4)
      for (size_t part = 0; part < 4; ++part)
        sums[part] += byDistance[k + part] * squares[k + part];
    for (; k < pairs; ++k)
      sums[0] += byDistance[k] * squares[k];
    slope[axis] += ((sums[0] + sums[1]) + (sums[2] + sums[3])) /
                   (hyper.lengths[axis] * hyper.lengths[axis]);
  }
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
}
GaussianProcess::~GaussianProcess() = default;
GaussianProcess::GaussianProcess(GaussianProcess &&) = default;

size_t GaussianProcess::axes() const { return state->axes.size(); }
const Hyperparameters &GaussianProcess::hyperparameters() const {
  return state->best;
}

void GaussianProcess::observe(Observations observations) {
  State &s = *state;
  s.seen = std::move(observations);
  s.count = s.seen.points.size();
  assert(s.count > 0 && s.count == s.seen.values.size() &&
         "each point has a value");
  s.units.assign(s.parameters.size(), {});
  for (size_t index = 0; index < s.parameters.size(); ++index)
    for (const Point &point : s.seen.points)
      s.units[index].push_back(unitOrNone(s.parameters[index], point[index],
                                          s.options.kernel.usesLog));
  s.apart.assign(s.axes.size(), {});
  for (size_t axis = 0; axis < s.axes.size(); ++axis) {
    size_t index = size_t(s.axes[axis].parameter);
    for (size_t i = 0; i < s.count; ++i)
      for (size_t j = 0; j < i; ++j)
        s.apart[axis].push_back(
            squaredDistance(s.parameters[index], s.axes[axis], s.options.kernel,
                            s.seen.points[i][index], s.units[index][i],
                            s.seen.points[j][index], s.units[index][j]));
  }
}

void GaussianProcess::use(const Hyperparameters &hyperparameters) {
  State &s = *state;
  s.best = hyperparameters;
  State::Factors factors;
  // Rounding may need more noise than asked for.
  while (!s.factor(s.best, factors)) {
    s.best.noise *= 10;
    factors = {};
  }
  s.inverseFactor = std::move(factors.inverse);
  s.weights = std::move(factors.weights);
  s.constant = factors.constant;
  s.modelFactor = factors.modelFactor;
  s.rows.assign(s.parameters.size(), DistanceRows<double>(s.count));
  s.coarseRows.assign(s.parameters.size(), DistanceRows<float>(s.width()));
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

/// Five times the squared distances of a word from those of all observations,
/// by lengths.
template <typename Number>
void GaussianProcess::State::fillRow(size_t index, Word word,
                                     Number *into) const {
  std::fill(into, into + count, Number(0));
  double unit = unitOrNone(parameters[index], word, options.kernel.usesLog);
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    if (size_t(axes[axis].parameter) != index)
      continue;
    double weight = 5 / (best.lengths[axis] * best.lengths[axis]);
    for (size_t i = 0; i < count; ++i)
      into[i] += Number(weight * squaredDistance(parameters[index], axes[axis],
                                                 options.kernel, word, unit,
                                                 seen.points[i][index],
                                                 units[index][i]));
  }
}

void GaussianProcess::State::covary(llvm::ArrayRef<const double *> rows,
                                    long from, long to, Column &found) const {
  for (const double *row : rows)
    found.segment(from, to - from) +=
        Eigen::Map<const Column>(row + from, to - from);
  for (long k = from; k < to; ++k) {
    double far = std::sqrt(found(k));
    found(k) = best.scale * (1 + far + far * far / 3) * portableExp(-far);
  }
}

Column GaussianProcess::State::covariances(const Point &point) const {
  Column found = Column::Zero(long(count));
  std::vector<const double *> all(parameters.size());
  for (size_t index = 0; index < parameters.size(); ++index)
    all[index] = rows[index].of(point[index], [&](double *into) {
      fillRow(index, point[index], into);
    });
  covary(all, 0, long(count), found);
  return found;
}

std::optional<Prediction> GaussianProcess::predictUnless(
    const Point &point, double model,
    llvm::function_ref<bool(double)> isEnough) const {
  // So many observations at a time: each explains some more of the variance.
  constexpr long kBlock = 16;
  const State &s = *state;
  long count = long(s.count);
  std::vector<const double *> rows(s.parameters.size());
  for (size_t index = 0; index < rows.size(); ++index)
    rows[index] = s.rows[index].of(point[index], [&](double *into) {
      s.fillRow(index, point[index], into);
    });
  Column covariances = Column::Zero(count), explained = Column::Zero(count);
  double left = s.best.scale;
  for (long from = 0; from < count; from += kBlock) {
    long to = std::min(count, from + kBlock);
    s.covary(rows, from, to, covariances);
    addRowsOfProduct(s.inverseFactor, covariances, from, to, explained);
    for (long k = from; k < to; ++k)
      left -= explained(k) * explained(k);
    if (to < count && !isEnough(left))
      return std::nullopt;
  }
  double variance = s.best.scale - sumOfProducts(explained, explained);
  return Prediction{s.constant + s.modelFactor * model +
                        sumOfProducts(covariances, s.weights),
                    std::max(variance, 1e-11)};
}

Prediction GaussianProcess::predict(const Point &point, double model) const {
  const State &s = *state;
  Column covariances = s.covariances(point);
  Column explained = timesLower(s.inverseFactor, covariances);
  double variance = s.best.scale - sumOfProducts(explained, explained);
  return {s.constant + s.modelFactor * model +
              sumOfProducts(covariances, s.weights),
          std::max(variance, 1e-11)};
}

//===----------------------------------------------------------------------===//
// Many points
//===----------------------------------------------------------------------===//

// The same additions for every width of vector, so the same bits.
#if defined(__x86_64__) && defined(__linux__) &&                               \
    !__has_feature(address_sanitizer)
#define HEDDLE_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define HEDDLE_WIDE_VECTORS
#endif

/// From the squared distances `far` of `width` observations, a multiple of 8:
/// the sum of weighted correlations, and the largest share of the variance.
HEDDLE_WIDE_VECTORS static void correlate(const float *const *rows,
                                          size_t rowCount, size_t width,
                                          const float *weights,
                                          const float *shares, float &sum,
                                          float &closest) {
  float sums[8] = {0}, most[8] = {0};
  for (size_t i = 0; i < width; i += 8) {
    float near[8];
    for (size_t part = 0; part < 8; ++part)
      near[part] = 1e-12f;
    for (size_t row = 0; row < rowCount; ++row)
      for (size_t part = 0; part < 8; ++part)
        near[part] += rows[row][i + part];
    for (size_t part = 0; part < 8; ++part) {
      float far = near[part], distance = std::sqrt(far);
      near[part] =
          (1.0f + distance + far * (1.0f / 3)) * expOfNegative(-distance);
    }
    for (size_t part = 0; part < 8; ++part) {
      sums[part] += near[part] * weights[i + part];
      float share = near[part] * shares[i + part];
      most[part] = most[part] > share ? most[part] : share;
    }
  }
  sum = closest = 0;
  for (size_t part = 0; part < 8; ++part) {
    sum += sums[part];
    closest = std::max(closest, most[part]);
  }
}

void GaussianProcess::screen(llvm::ArrayRef<Point> points,
                             llvm::ArrayRef<double> model,
                             std::vector<Screened> &found) const {
  const State &s = *state;
  size_t width = s.width();
  std::vector<float> weights(width, 0);
  std::vector<const float *> rows(s.parameters.size());
  std::vector<float> shares(width, 0); // of the variance that one explains
  for (size_t i = 0; i < s.count; ++i) {
    weights[i] = float(s.weights(long(i)) * s.best.scale);
    double own = s.best.scale * (1 + 1e-9) + s.best.noise + s.noiseOf(i);
    shares[i] = float(std::sqrt(s.best.scale / own));
  }
  found.clear();
  found.reserve(points.size());
  for (size_t p = 0; p < points.size(); ++p) {
    for (size_t index = 0; index < s.parameters.size(); ++index) {
      Word word = points[p][index];
      rows[index] = s.coarseRows[index].of(word, [&](float *into) {
        s.fillRow(index, word, into);
        std::fill(into + s.count, into + width, 1e9f); // nowhere near
      });
    }
    float sum, closest;
    correlate(rows.data(), rows.size(), width, weights.data(), shares.data(),
              sum, closest);
    // What the nearest observation alone explains; more explain more.
    double variance = s.best.scale * (1 - double(closest) * closest);
    double mean = s.constant + sum;
    if (s.hasModel())
      mean += s.modelFactor * model[p];
    found.push_back({float(mean), float(std::max(variance, 1e-11))});
  }
}
