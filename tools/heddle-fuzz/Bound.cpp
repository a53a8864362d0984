//===- Bound.cpp - What is known of a generated value ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound.h"

#include <algorithm>
#include <cmath>

using namespace heddle;
using namespace heddle::fuzz;

/// An error above this share of the value's range says nothing any more.
static constexpr double kLargestShare = 0x1p-5;

double Bound::magnitude() const {
  return std::max(std::fabs(low), std::fabs(high));
}

/// The distance between neighbours at `magnitude`.
static double ulp(Kind kind, double magnitude) {
  const KindFacts &facts = factsOf(kind);
  if (magnitude == 0)
    return std::ldexp(1.0, facts.minQuantum);
  int exponent = std::ilogb(magnitude) - facts.precision + 1;
  return std::ldexp(1.0, std::max(exponent, facts.minQuantum));
}

static bool holdsExactly(Kind kind, double magnitude, int quantum) {
  const KindFacts &facts = factsOf(kind);
  return quantum >= facts.minQuantum &&
         std::ldexp(magnitude, -quantum) <= std::ldexp(1.0, facts.precision);
}

static Bound wrap(Kind kind, Bound exact) {
  if (exact.low < lowestOf(kind) || exact.high > highestOf(kind))
    return {lowestOf(kind), highestOf(kind)};
  return {exact.low, exact.high};
}

std::optional<Bound> heddle::fuzz::roundTo(Kind kind, Bound exact) {
  if (isInteger(kind))
    return wrap(kind, exact);
  double largest = factsOf(kind).largest;
  double step = ulp(kind, exact.magnitude() + exact.error);
  if (exact.error > 0)
    exact.error += step;
  if (!(exact.magnitude() + exact.error <= largest) ||
      exact.error > kLargestShare * std::max(exact.magnitude(), 0x1p-10))
    return std::nullopt;
  if (exact.error > 0 ||
      !holdsExactly(kind, exact.magnitude(), exact.quantum)) {
    exact.low = std::max(exact.low - step / 2, -largest);
    exact.high = std::min(exact.high + step / 2, largest);
  }
  // Rounding drops low bits only.
  exact.quantum = std::max(exact.quantum, factsOf(kind).minQuantum);
  return exact;
}

std::optional<Bound> heddle::fuzz::castTo(Kind kind, Bound exact) {
  if (factsOf(kind).bits == 8 && isFloat(kind)) {
    double largest = factsOf(kind).largest;
    exact.low = std::clamp(exact.low, -largest, largest);
    exact.high = std::clamp(exact.high, -largest, largest);
    // Both sides saturate, so the sum cannot overflow.
    if (exact.error > 0 && exact.magnitude() + exact.error > largest)
      return std::nullopt;
  }
  return roundTo(kind, exact);
}

Bound heddle::fuzz::add(const Bound &a, const Bound &b) {
  return {a.low + b.low, a.high + b.high, std::min(a.quantum, b.quantum),
          a.error + b.error};
}

Bound heddle::fuzz::subtract(const Bound &a, const Bound &b) {
  return add(a, negate(b));
}

Bound heddle::fuzz::multiply(const Bound &a, const Bound &b) {
  auto [low, high] = std::minmax(
      {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high, std::max(a.quantum + b.quantum, kNoQuantum),
          a.magnitude() * b.error + b.magnitude() * a.error +
              a.error * b.error};
}

Bound heddle::fuzz::negate(const Bound &a) {
  return {-a.high, -a.low, a.quantum, a.error};
}

Bound heddle::fuzz::absolute(const Bound &a) {
  double low = a.low <= 0 && a.high >= 0
                   ? 0
                   : std::min(std::fabs(a.low), std::fabs(a.high));
  return {low, a.magnitude(), a.quantum, a.error};
}

Bound heddle::fuzz::maximum(const Bound &a, const Bound &b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high),
          std::min(a.quantum, b.quantum), std::max(a.error, b.error)};
}

Bound heddle::fuzz::minimum(const Bound &a, const Bound &b) {
  return negate(maximum(negate(a), negate(b)));
}

Bound heddle::fuzz::join(const Bound &a, const Bound &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high),
          std::min(a.quantum, b.quantum), std::max(a.error, b.error)};
}

Bound heddle::fuzz::toInteger(const Bound &a) {
  return {std::floor(a.low), std::ceil(a.high), std::max(a.quantum, 0), 0};
}

std::optional<Bound> heddle::fuzz::sum(Kind kind, const Bound &start,
                                       const Bound &term, int64_t count) {
  Bound result = start;
  result.low += double(count) * std::min(term.low, 0.0);
  result.high += double(count) * std::max(term.high, 0.0);
  result.quantum = std::min(start.quantum, term.quantum);
  result.error += double(count) * term.error;
  double magnitude = start.magnitude() + double(count) * term.magnitude();
  if (isFloat(kind) && !holdsExactly(kind, magnitude, result.quantum))
    result.error += double(count + 1) * ulp(kind, magnitude);
  return roundTo(kind, result);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A monotonic function: its values at the ends, and the error that its slope
/// makes of the argument's plus its own.
static std::optional<Bound> monotonic(double atLow, double atHigh, double slope,
                                      double error, double own) {
  if (!std::isfinite(atLow) || !std::isfinite(atHigh))
    return std::nullopt;
  double low = std::min(atLow, atHigh), high = std::max(atLow, atHigh);
  return Bound{low - own, high + own, kNoQuantum, slope * error + own};
}

std::optional<Bound> heddle::fuzz::exponential(const Bound &a, bool base2) {
  double scale = base2 ? std::log(2.0) : 1;
  double highest = std::exp(scale * (a.high + a.error));
  if (!(highest < 0x1p15) || a.low < -1e5)
    return std::nullopt;
  double own = highest * (0x1p-21 + 0x1p-23 * a.magnitude()) + 0x1p-125;
  std::optional<Bound> result =
      monotonic(std::exp(scale * a.low), std::exp(scale * a.high),
                scale * highest, a.error, own);
  if (result)
    result->low = std::max(result->low, 0.0);
  return result;
}

std::optional<Bound> heddle::fuzz::logarithm(const Bound &a, bool base2) {
  double lowest = a.low - a.error;
  if (!(lowest > 0x1p-10))
    return std::nullopt;
  double scale = base2 ? 1 / std::log(2.0) : 1;
  double low = scale * std::log(a.low), high = scale * std::log(a.high);
  double own = 0x1p-20 * (1 + std::max(std::fabs(low), std::fabs(high)));
  return monotonic(low, high, scale / lowest, a.error, own);
}

std::optional<Bound> heddle::fuzz::squareRoot(const Bound &a) {
  if (a.low < 0 || (a.error > 0 && a.low - a.error < 0x1p-10))
    return std::nullopt;
  double slope = a.error > 0 ? 0.5 / std::sqrt(a.low - a.error) : 0;
  std::optional<Bound> result =
      monotonic(std::sqrt(a.low), std::sqrt(a.high), slope, a.error,
                0x1p-22 * std::sqrt(a.high));
  if (result)
    result->low = std::max(result->low, 0.0);
  return result;
}

std::optional<Bound> heddle::fuzz::inverseRoot(const Bound &a) {
  double lowest = a.low - a.error;
  if (!(lowest > 0x1p-10))
    return std::nullopt;
  return monotonic(1 / std::sqrt(a.high), 1 / std::sqrt(a.low),
                   0.5 / (lowest * std::sqrt(lowest)), a.error,
                   0x1p-21 / std::sqrt(lowest));
}

std::optional<Bound> heddle::fuzz::divide(const Bound &a, const Bound &b) {
  double smallest = std::min(std::fabs(b.low), std::fabs(b.high)) - b.error;
  if (b.low <= 0 && b.high >= 0)
    return std::nullopt;
  if (!(smallest > 0x1p-10))
    return std::nullopt;
  double largest = a.magnitude() / smallest;
  double own = largest * 0x1p-21;
  return Bound{-largest - own, largest + own, kNoQuantum,
               (a.error + largest * b.error) / smallest + own};
}

Bound heddle::fuzz::bounded(const Bound &a) {
  double own = 0x1p-19;
  return {-1 - own, 1 + own, kNoQuantum, 1.2 * a.error + own};
}
