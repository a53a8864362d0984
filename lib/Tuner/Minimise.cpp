//===- Minimise.cpp - The least value of a smooth function ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Minimise.h"

#include <algorithm>
#include <cmath>

using namespace heddle::tuner;

namespace {

double dot(const Vector &a, const Vector &b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k)
    sum += a[k] * b[k];
  return sum;
}

class Search {
public:
  Search(llvm::function_ref<double(const Vector &, Vector &)> function,
         Vector start, const Bounds &bounds, const MinimiseOptions &options)
      : function(function), bounds(bounds), options(options),
        size(start.size()), at(std::move(start)), gradient(size) {
    clamp(at);
    value = evaluate(at, gradient);
    reset();
  }

  Minimum run() {
    while (evaluations < options.mostEvaluations && !isStationary()) {
      Vector direction = descent();
      double before = value;
      if (!step(direction)) {
        if (isFresh)
          break;
        reset(); // the Hessian misled; try the gradient once
        continue;
      }
      if (before - value <= options.valueTolerance * (1 + std::fabs(value)))
        break;
    }
    return {at, value, evaluations};
  }

private:
  double evaluate(const Vector &point, Vector &slope) {
    ++evaluations;
    double found = function(point, slope);
    return std::isfinite(found) ? found
                                : std::numeric_limits<double>::infinity();
  }

  void clamp(Vector &point) const {
    for (size_t k = 0; k < size; ++k)
      point[k] = std::clamp(point[k], bounds.low[k], bounds.high[k]);
  }

  /// Whether a bound holds the variable against its gradient.
  bool isHeld(size_t k) const {
    return (at[k] <= bounds.low[k] && gradient[k] > 0) ||
           (at[k] >= bounds.high[k] && gradient[k] < 0);
  }

  bool isStationary() const {
    for (size_t k = 0; k < size; ++k)
      if (!isHeld(k) && std::fabs(gradient[k]) > options.gradientTolerance)
        return false;
    return true;
  }

  void reset() {
    inverse.assign(size * size, 0);
    for (size_t k = 0; k < size; ++k)
      inverse[k * size + k] = 1;
    isFresh = true;
  }

  Vector descent() {
    Vector direction(size, 0);
    for (size_t i = 0; i < size; ++i)
      for (size_t j = 0; j < size; ++j)
        if (!isHeld(i) && !isHeld(j))
          direction[i] -= inverse[i * size + j] * gradient[j];
    if (dot(direction, gradient) >= 0) {
      reset();
      for (size_t k = 0; k < size; ++k)
        direction[k] = isHeld(k) ? 0 : -gradient[k];
    }
    // No variable, a logarithm in our use, moves by more than this.
    double longest = 0;
    for (double part : direction)
      longest = std::max(longest, std::fabs(part));
    double limit = isFresh ? 1.0 : 4.0;
    if (longest > limit)
      for (double &part : direction)
        part *= limit / longest;
    return direction;
  }

  /// Halves the step until the value falls enough (Armijo).
  bool step(const Vector &direction) {
    Vector next(size), slope(size);
    double length = 1;
    for (int tries = 0; tries < 20; ++tries, length *= 0.5) {
      for (size_t k = 0; k < size; ++k)
        next[k] = at[k] + length * direction[k];
      clamp(next);
      double promised = 0;
      for (size_t k = 0; k < size; ++k)
        promised += gradient[k] * (next[k] - at[k]);
      if (promised > -1e-16)
        return false;
      double found = evaluate(next, slope);
      if (found <= value + 1e-4 * promised) {
        update(next, slope);
        value = found;
        return true;
      }
      if (evaluations >= options.mostEvaluations)
        return false;
    }
    return false;
  }

  void update(const Vector &next, const Vector &slope) {
    Vector moved(size), change(size), product(size, 0);
    for (size_t k = 0; k < size; ++k) {
      moved[k] = next[k] - at[k];
      change[k] = slope[k] - gradient[k];
    }
    at = next;
    gradient = slope;
    double curvature = dot(moved, change);
    if (curvature <= 1e-10 * std::sqrt(dot(moved, moved) * dot(change, change)))
      return;
    if (isFresh) { // the scale of the first step
      double scale = curvature / dot(change, change);
      for (double &entry : inverse)
        entry *= scale;
      isFresh = false;
    }
    for (size_t i = 0; i < size; ++i)
      for (size_t j = 0; j < size; ++j)
        product[i] += inverse[i * size + j] * change[j];
    double factor = (1 + dot(change, product) / curvature) / curvature;
    for (size_t i = 0; i < size; ++i)
      for (size_t j = 0; j < size; ++j)
        inverse[i * size + j] +=
            factor * moved[i] * moved[j] -
            (product[i] * moved[j] + moved[i] * product[j]) / curvature;
  }

  llvm::function_ref<double(const Vector &, Vector &)> function;
  const Bounds &bounds;
  const MinimiseOptions &options;
  size_t size;
  Vector at, gradient, inverse;
  double value = 0;
  int evaluations = 0;
  bool isFresh = true;
};

} // namespace

Minimum heddle::tuner::minimise(
    llvm::function_ref<double(const Vector &, Vector &)> function, Vector start,
    const Bounds &bounds, const MinimiseOptions &options) {
  return Search(function, std::move(start), bounds, options).run();
}
