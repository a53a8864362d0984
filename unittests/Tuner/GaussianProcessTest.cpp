//===- GaussianProcessTest.cpp - Likelihood, gradients, predictions -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside Eigen's own decompositions, in the textbook's order, and beside finite
// differences; for every distance of orders, with a model and without.
//
//===----------------------------------------------------------------------===//

#include "Distances.h"
#include "Spaces.h"

#include <Eigen/Dense>

using namespace heddle::tuner;

namespace {

std::vector<Parameter> everyKind(Distance distance) {
  Parameter tile = ordinal("tile", {1, 2, 4, 8, 16});
  tile.isLog = true;
  Parameter order = permutation("order", 4);
  order.distance = distance;
  return {tile, categorical("layout", {"x", "y", "z"}), order,
          real("rate", 0, 1), integer("n", 3, 9)};
}

Observations observe(const std::vector<Parameter> &parameters, int count,
                     bool hasModel, uint64_t seed) {
  Space all = space(parameters, {});
  Random random(seed);
  Observations seen;
  for (int k = 0; k < count; ++k) {
    seen.points.push_back(*all.draw(random));
    seen.values.push_back(2 * random.unit() - 1);
    seen.extraNoise.push_back(0.01 * random.unit());
    if (hasModel)
      seen.model.push_back(random.unit());
  }
  return seen;
}

Hyperparameters draw(size_t axes, Random &random) {
  Hyperparameters made;
  for (size_t k = 0; k < axes; ++k)
    made.lengths.push_back(std::pow(10, random.unit() - 0.5));
  made.scale = 0.5 + random.unit();
  made.noise = 0.001 + 0.1 * random.unit();
  return made;
}

/// Of two points, as the book has it.
double covariance(const std::vector<Parameter> &parameters,
                  const KernelOptions &options, const Hyperparameters &hyper,
                  const Point &a, const Point &b) {
  std::vector<Axis> axes = makeAxes(parameters, options);
  double square = 0;
  for (size_t k = 0; k < axes.size(); ++k) {
    size_t p = size_t(axes[k].parameter);
    square += squaredDistance(parameters[p], axes[k], options, a[p], b[p]) /
              std::pow(hyper.lengths[k], 2);
  }
  double r = std::sqrt(square);
  return hyper.scale * (1 + std::sqrt(5) * r + 5 * r * r / 3) *
         std::exp(-std::sqrt(5) * r);
}

struct Setting {
  Distance distance;
  bool isPerCoordinate, hasModel;
  int count = 14;
};

class Processes : public testing::TestWithParam<Setting> {
protected:
  Processes()
      : parameters(everyKind(GetParam().distance)),
        seen(observe(parameters, GetParam().count, GetParam().hasModel, 5)) {
    options.kernel.isPerCoordinate = GetParam().isPerCoordinate;
    options.scale = {2, 0.15};
    options.noise = {1.1, 0.05};
  }
  std::vector<Parameter> parameters;
  Observations seen;
  ProcessOptions options;
};

INSTANTIATE_TEST_SUITE_P(
    Settings, Processes,
    testing::Values(Setting{Distance::Spearman, false, false},
                    Setting{Distance::Spearman, true, false},
                    Setting{Distance::Kendall, false, true},
                    Setting{Distance::Kendall, true, false},
                    Setting{Distance::Hamming, false, false},
                    Setting{Distance::Hamming, true, true},
                    Setting{Distance::Spearman, false, true, 45},
                    Setting{Distance::Kendall, false, false, 64},
                    Setting{Distance::Ulam, false, false},
                    Setting{Distance::Naive, false, true}));

} // namespace

TEST_P(Processes, LikelihoodAndPredictionsAreTheBooks) {
  GaussianProcess process(parameters, options);
  process.observe(seen);
  Random random(9);
  for (int round = 0; round < 5; ++round) {
    Hyperparameters hyper = draw(process.axes(), random);
    long n = long(seen.points.size());
    Eigen::MatrixXd c(n, n);
    Eigen::VectorXd y(n);
    for (long i = 0; i < n; ++i) {
      y(i) = seen.values[size_t(i)];
      for (long j = 0; j < n; ++j)
        c(i, j) = covariance(parameters, options.kernel, hyper,
                             seen.points[size_t(i)], seen.points[size_t(j)]);
      c(i, i) += hyper.noise + seen.extraNoise[size_t(i)] + 1e-9 * hyper.scale;
    }
    Eigen::MatrixXd basis = Eigen::MatrixXd::Ones(n, 1);
    Eigen::MatrixXd held = Eigen::MatrixXd::Zero(1, 1);
    if (GetParam().hasModel) {
      basis.conservativeResize(n, 2);
      for (long i = 0; i < n; ++i)
        basis(i, 1) = seen.model[size_t(i)];
      held = Eigen::MatrixXd::Zero(2, 2);
      held(1, 1) = 0.25;
    }
    Eigen::MatrixXd inverse = c.fullPivLu().inverse();
    Eigen::VectorXd factors = (basis.transpose() * inverse * basis + held)
                                  .fullPivLu()
                                  .solve(basis.transpose() * inverse * y);
    Eigen::VectorXd rest = y - basis * factors;
    double expected = -0.5 * rest.dot(inverse * rest) -
                      0.5 * std::log(c.determinant()) -
                      0.5 * double(n) * std::log(2 * M_PI) -
                      0.5 * factors.dot(held * factors);
    for (double length : hyper.lengths)
      expected += 0.3 * std::log(length) - 0.1 * length;
    expected += std::log(hyper.scale) - 0.15 * hyper.scale +
                0.1 * std::log(hyper.noise) - 0.05 * hyper.noise;
    EXPECT_NEAR(process.logPosterior(hyper, nullptr), expected, 1e-8);

    process.use(hyper);
    Space all = space(parameters, {});
    std::vector<Point> points;
    std::vector<double> model;
    for (int k = 0; k < 50; ++k) {
      points.push_back(*all.draw(random));
      model.push_back(random.unit());
    }
    points.push_back(seen.points[3]);
    model.push_back(0.5);
    std::vector<GaussianProcess::Screened> screened;
    process.screen(points, model, screened);
    for (size_t k = 0; k < points.size(); ++k) {
      Eigen::VectorXd near(n);
      for (long i = 0; i < n; ++i)
        near(i) = covariance(parameters, options.kernel, hyper, points[k],
                             seen.points[size_t(i)]);
      double mean = factors(0) + near.dot(inverse * rest);
      if (GetParam().hasModel)
        mean += factors(1) * model[k];
      double variance = hyper.scale - near.dot(inverse * near);
      Prediction found = process.predict(points[k], model[k]);
      EXPECT_NEAR(found.mean, mean, 1e-8);
      EXPECT_NEAR(found.variance, variance, 1e-8);
      // In steps: the same bits, from variances that only fall.
      double last = hyper.scale * (1 + 1e-12);
      auto stepped =
          process.predictUnless(points[k], model[k], [&](double left) {
            EXPECT_LE(left, last);
            EXPECT_GE(left, variance - 1e-8);
            last = left;
            return true;
          });
      ASSERT_TRUE(stepped);
      EXPECT_EQ(stepped->mean, found.mean);
      EXPECT_EQ(stepped->variance, found.variance);
      bool isLong = n > 16; // one step is the whole
      EXPECT_EQ(
          process
              .predictUnless(points[k], model[k], [](double) { return false; })
              .has_value(),
          !isLong);
      EXPECT_NEAR(screened[k].mean, mean, 1e-3);
      EXPECT_GT(screened[k].variance, variance - 1e-4);
    }
  }
}

// What is known of the points of before is used again.
TEST_P(Processes, RemembersNothingButThePoints) {
  GaussianProcess grown(parameters, options);
  Random random(8);
  Hyperparameters hyper = draw(grown.axes(), random);
  auto expectTheSame = [&](const Observations &now) {
    GaussianProcess fresh(parameters, options);
    fresh.observe(now);
    grown.observe(now);
    std::vector<double> one, other;
    EXPECT_EQ(fresh.logPosterior(hyper, &one),
              grown.logPosterior(hyper, &other));
    EXPECT_EQ(one, other);
    fresh.use(hyper);
    grown.use(hyper);
    Point point = *space(parameters, {}).draw(random);
    EXPECT_EQ(fresh.predict(point).mean, grown.predict(point).mean);
    EXPECT_EQ(fresh.predict(point).variance, grown.predict(point).variance);
  };
  auto first = [&](size_t count) {
    Observations some = seen;
    some.points.resize(count);
    some.values.resize(count);
    some.extraNoise.resize(count);
    some.model.resize(GetParam().hasModel ? count : 0);
    return some;
  };
  for (size_t count : {5, 6, 9, 10, 3, 14})
    expectTheSame(first(count));
  Observations changed = seen; // in the middle, and of the same number
  std::swap(changed.points[4], changed.points[7]);
  expectTheSame(changed);
  expectTheSame(seen);
}

TEST_P(Processes, GradientsAreDifferences) {
  GaussianProcess process(parameters, options);
  process.observe(seen);
  Random random(4);
  for (int round = 0; round < 5; ++round) {
    Hyperparameters hyper = draw(process.axes(), random);
    std::vector<double> gradient;
    process.logPosterior(hyper, &gradient);
    ASSERT_EQ(gradient.size(), process.axes() + 2);
    for (size_t k = 0; k < gradient.size(); ++k) {
      auto at = [&](double step) {
        Hyperparameters moved = hyper;
        double &part = k < process.axes()    ? moved.lengths[k]
                       : k == process.axes() ? moved.scale
                                             : moved.noise;
        part *= std::exp(step);
        return process.logPosterior(moved, nullptr);
      };
      double h = 1e-4; // fourth order
      double expected =
          (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      EXPECT_NEAR(gradient[k], expected, 1e-7 * (1 + std::fabs(expected)));
    }
  }
}

TEST_P(Processes, FittingFindsABetterPosterior) {
  GaussianProcess process(parameters, options);
  process.observe(seen);
  Random random(2);
  process.fit(random);
  double found = process.logPosterior(process.hyperparameters(), nullptr);
  Random other(3);
  for (int k = 0; k < 100; ++k)
    EXPECT_GE(found + 0.5,
              process.logPosterior(draw(process.axes(), other), nullptr));
}

TEST(Processes, LearnASmoothFunction) {
  std::vector<Parameter> parameters = {real("x", 0, 1), real("dead", 0, 1)};
  Space all = space(parameters, {});
  Random random(1);
  Observations seen;
  auto truth = [](const Point &p) { return std::sin(6 * realOf(p[0])); };
  for (int k = 0; k < 25; ++k) {
    seen.points.push_back(*all.draw(random));
    seen.values.push_back(truth(seen.points.back()));
  }
  GaussianProcess process(parameters, {});
  process.observe(seen);
  process.fit(random);
  EXPECT_GT(process.hyperparameters().lengths[1],
            5 * process.hyperparameters().lengths[0]);
  for (int k = 0; k < 100; ++k) {
    Point point = *all.draw(random);
    EXPECT_NEAR(process.predict(point).mean, truth(point), 0.1);
  }
}

TEST(Processes, EqualPointsNeedNoise) {
  std::vector<Parameter> parameters = {upTo("a", 3)};
  Observations seen{{{0}, {0}, {1}}, {1, -1, 0}, {}, {}};
  GaussianProcess process(parameters, {});
  process.observe(seen);
  Random random(1);
  process.fit(random);
  EXPECT_TRUE(std::isfinite(process.predict({0}).mean));
  EXPECT_NEAR(process.predict({0}).mean, 0, 0.3);
}
