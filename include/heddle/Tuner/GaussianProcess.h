//===- GaussianProcess.h - What a space's values look like -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: points with their values. Out: for another point the value to expect and
// how uncertain it is. Covariances are Matern's with nu = 5/2 of the distance
// of two points, in which each parameter has its own length scale; length
// scales, scale and noise are those that explain the values best. The mean is a
// constant, or a constant and a multiple of what a model of the machine
// predicts.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_GAUSSIANPROCESS_H
#define HEDDLE_TUNER_GAUSSIANPROCESS_H

#include "heddle/Tuner/Parameter.h"
#include "heddle/Tuner/Random.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>

namespace heddle::tuner {

struct KernelOptions {
  bool isPerCoordinate = false; ///< a length for each coordinate of an order
  bool usesLog = true;          ///< of parameters whose ratios matter
  std::optional<Distance> distance; ///< instead of the parameters' own
};

/// The density of a quantity that is above 0; none if the rate is 0.
struct GammaPrior {
  double shape = 1, rate = 0;
};

struct ProcessOptions {
  KernelOptions kernel;
  GammaPrior lengths = {1.3, 0.1}; ///< as BaCO has it
  GammaPrior scale, noise;
  /// Of the search for the best hyperparameters; fewer where there is a last
  /// fit and the points are many.
  int starts = 10;
  int evaluationsPerStart = 40;
  bool reusesLast = true; ///< the last fit is one of the starts
};

struct Hyperparameters {
  std::vector<double> lengths; ///< of each axis
  double scale = 1;            ///< variance of the function
  double noise = 1e-4;         ///< variance of a measurement
};

struct Observations {
  std::vector<Point> points;
  std::vector<double> values;     ///< standardised
  std::vector<double> extraNoise; ///< variances beside `noise`; or empty
  std::vector<double> model;      ///< a prediction of each value; or empty
};

struct Prediction {
  double mean = 0;
  double variance = 0; ///< of the function, without noise
};

class GaussianProcess {
public:
  GaussianProcess(std::vector<Parameter> parameters, ProcessOptions options);
  ~GaussianProcess();
  GaussianProcess(GaussianProcess &&);

  /// At least one point.
  void observe(Observations observations);
  /// Finds hyperparameters, from several starts.
  void fit(Random &random);
  /// Takes these instead.
  void use(const Hyperparameters &hyperparameters);
  const Hyperparameters &hyperparameters() const;
  /// How many lengths there are.
  size_t axes() const;

  /// The log likelihood of the values with the priors' log densities, up to
  /// those constants that the hyperparameters do not change. `gradient` gets
  /// the derivatives by the logarithms of the lengths, the scale and the noise.
  double logPosterior(const Hyperparameters &hyperparameters,
                      std::vector<double> *gradient) const;

  /// `model`: what the model predicts, if the observations have that.
  Prediction predict(const Point &point, double model = 0) const;

  /// For many points at once, in single precision: the mean, and a variance
  /// that is not below the real one but for rounding.
  struct Screened {
    float mean, variance;
  };
  void screen(llvm::ArrayRef<Point> points, llvm::ArrayRef<double> model,
              std::vector<Screened> &found) const;

  /// The same as predict(), or nothing as soon as `isEnough` refuses a variance
  /// that the real one is not above. It is asked a few times, with ever less.
  std::optional<Prediction>
  predictUnless(const Point &point, double model,
                llvm::function_ref<bool(double)> isEnough) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_GAUSSIANPROCESS_H
