//===- Scalars.cpp - Functions and semirings of numbers -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Scalars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace heddle;

namespace {

struct FunctionEntry {
  std::string_view name;
  ScalarFunction function;
  bool isExact;
};

constexpr std::array<FunctionEntry, 14> kFunctions = {{
    {"neg", ScalarFunction::Neg, true},
    {"abs", ScalarFunction::Abs, true},
    {"square", ScalarFunction::Square, false},
    {"relu", ScalarFunction::Relu, true},
    {"exp", ScalarFunction::Exp, false},
    {"log", ScalarFunction::Log, false},
    {"sqrt", ScalarFunction::Sqrt, false},
    {"rsqrt", ScalarFunction::Rsqrt, false},
    {"reciprocal", ScalarFunction::Reciprocal, false},
    {"tanh", ScalarFunction::Tanh, false},
    {"erf", ScalarFunction::Erf, false},
    {"sigmoid", ScalarFunction::Sigmoid, false},
    {"gelu", ScalarFunction::Gelu, false},
    {"silu", ScalarFunction::Silu, false},
}};

struct SemiringEntry {
  std::string_view name;
  Semiring semiring;
};

constexpr std::array<SemiringEntry, 4> kSemirings = {{
    {"plus-times", Semiring::PlusTimes},
    {"min-plus", Semiring::MinPlus},
    {"max-plus", Semiring::MaxPlus},
    {"max-times", Semiring::MaxTimes},
}};

template <typename Entries> std::string listOf(const Entries &entries) {
  std::string text;
  for (const auto &entry : entries)
    text += (text.empty() ? "" : ", ") + std::string(entry.name);
  return text;
}

} // namespace

std::optional<ScalarFunction> heddle::findFunction(std::string_view name) {
  for (const FunctionEntry &entry : kFunctions)
    if (entry.name == name)
      return entry.function;
  return std::nullopt;
}

std::string_view heddle::nameOfFunction(ScalarFunction function) {
  return kFunctions[size_t(function)].name;
}

std::string heddle::listFunctions() { return listOf(kFunctions); }

double heddle::applyFunction(ScalarFunction function, double x) {
  switch (function) {
  case ScalarFunction::Neg:
    return -x;
  case ScalarFunction::Abs:
    return std::fabs(x);
  case ScalarFunction::Square:
    return x * x;
  case ScalarFunction::Relu:
    return std::isnan(x) ? x : std::fmax(x, 0);
  case ScalarFunction::Exp:
    return std::exp(x);
  case ScalarFunction::Log:
    return std::log(x);
  case ScalarFunction::Sqrt:
    return std::sqrt(x);
  case ScalarFunction::Rsqrt:
    return 1 / std::sqrt(x);
  case ScalarFunction::Reciprocal:
    return 1 / x;
  case ScalarFunction::Tanh:
    return std::tanh(x);
  case ScalarFunction::Erf:
    return std::erf(x);
  case ScalarFunction::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case ScalarFunction::Gelu:
    return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
  case ScalarFunction::Silu:
    return x / (1 + std::exp(-x));
  }
  return x;
}

double heddle::applyFunctions(const std::vector<ScalarFunction> &functions,
                              double x) {
  for (ScalarFunction function : functions)
    x = applyFunction(function, x);
  return x;
}

bool heddle::isExact(ScalarFunction function) {
  return kFunctions[size_t(function)].isExact;
}

/// The greatest slope at x; that of those functions whose slope is bounded
/// everywhere is the bound.
static double slopeOf(ScalarFunction function, double x) {
  switch (function) {
  case ScalarFunction::Neg:
  case ScalarFunction::Abs:
  case ScalarFunction::Relu:
  case ScalarFunction::Tanh:
  case ScalarFunction::Sigmoid:
    return 1;
  case ScalarFunction::Erf:
  case ScalarFunction::Gelu:
  case ScalarFunction::Silu:
    return 1.2;
  case ScalarFunction::Square:
    return 2 * std::fabs(x);
  case ScalarFunction::Exp:
    return std::exp(x);
  case ScalarFunction::Log:
    return 1 / std::fabs(x);
  case ScalarFunction::Sqrt:
    return 0.5 / std::sqrt(std::fabs(x));
  case ScalarFunction::Rsqrt:
    return 0.5 / std::pow(std::fabs(x), 1.5);
  case ScalarFunction::Reciprocal:
    return 1 / (x * x);
  }
  return 1;
}

double heddle::scaleOf(ScalarFunction function, double x, double scale) {
  double largest = std::fabs(applyFunction(function, x));
  if (function == ScalarFunction::Gelu)
    largest = std::max(largest, std::fabs(x));
  // An exact function and a number without error stay so. Infinity, the zero of
  // some semirings, is such a number: a slope of 0 there times an infinite
  // scale would be no number.
  bool isExactHere = scale == 0 || std::isinf(x);
  double carried = isExactHere ? 0 : slopeOf(function, x) * scale;
  return carried + largest;
}

std::optional<Semiring> heddle::findSemiring(std::string_view name) {
  for (const SemiringEntry &entry : kSemirings)
    if (entry.name == name)
      return entry.semiring;
  return std::nullopt;
}

std::string_view heddle::nameOfSemiring(Semiring semiring) {
  return kSemirings[size_t(semiring)].name;
}

std::string heddle::listSemirings() { return listOf(kSemirings); }

double heddle::zeroOf(Semiring semiring) {
  switch (semiring) {
  case Semiring::PlusTimes:
    return 0;
  case Semiring::MinPlus:
    return std::numeric_limits<double>::infinity();
  case Semiring::MaxPlus:
  case Semiring::MaxTimes:
    return -std::numeric_limits<double>::infinity();
  }
  return 0;
}

bool heddle::hasTimes(Semiring semiring) {
  return semiring == Semiring::PlusTimes || semiring == Semiring::MaxTimes;
}
