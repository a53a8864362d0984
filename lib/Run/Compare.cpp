//===- Compare.cpp - How wrong a result is --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/Compare.h"
#include "heddle/Run/ElementFormat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace heddle;
using namespace heddle::tool;

static double largestFinite(const ArgumentData &data) {
  double largest = 0;
  for (int64_t i = 0, count = data.elementCount(); i < count; ++i)
    if (double size = std::fabs(data.element(i)); std::isfinite(size))
      largest = std::max(largest, size);
  return largest;
}

/// Whole numbers differ by their distance, which a double need not show.
static double errorAt(const ArgumentData &result, const ArgumentData &reference,
                      int64_t index) {
  manifest::ElementType type = reference.argument().element;
  if (!isIntegral(type)) {
    double found = result.element(index), expected = reference.element(index);
    double error = std::fabs(finite(type, found) - finite(type, expected));
    bool isOneInfinite = std::isinf(found) != std::isinf(expected);
    return isOneInfinite && error == 0 ? smallestNormal(type) : error;
  }
  int64_t found = result.wholeElement(index),
          expected = reference.wholeElement(index);
  return found < expected ? double(uint64_t(expected) - uint64_t(found))
                          : double(uint64_t(found) - uint64_t(expected));
}

Difference heddle::tool::compare(const ArgumentData &result,
                                 const ArgumentData &reference,
                                 const ArgumentData &scale,
                                 const Tolerance &tolerance) {
  manifest::ElementType type = reference.argument().element;
  int64_t bytes = manifest::elementBytes(type);
  double eps = epsilon(type), smallest = smallestNormal(type);
  double floor = tolerance.floor * largestFinite(reference);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Difference difference;
  for (int64_t i = 0, count = reference.storageCount(); i < count; ++i) {
    // Equal bits are right, a NaN included.
    if (!std::memcmp(result.data() + i * bytes, reference.data() + i * bytes,
                     bytes))
      continue;
    double expected = reference.element(i);
    double error = errorAt(result, reference, i);
    if (std::isnan(result.element(i)) && std::isnan(expected))
      continue;
    if (std::isnan(error))
      error = kInfinity;
    double magnitude = std::max(std::fabs(finite(type, expected)), smallest);
    double size = std::fmax(finite(type, scale.element(i)), magnitude);
    double epsilons = eps > 0     ? error / (eps * size)
                      : error > 0 ? kInfinity
                                  : 0;
    difference.maxAbsolute = std::max(difference.maxAbsolute, error);
    difference.maxEpsilons = std::max(difference.maxEpsilons, epsilons);
    double allowed = tolerance.output * eps * magnitude +
                     tolerance.accumulator * size + floor;
    // Written so that a NaN anywhere counts as wrong.
    if (!(error <= (eps > 0 ? allowed : 0)) && difference.wrong++ == 0)
      difference.firstWrong = i;
  }
  return difference;
}

std::string heddle::tool::describeElement(const ArgumentData &data,
                                          int64_t position) {
  if (isIntegral(data.argument().element))
    return std::to_string(data.wholeElement(position));
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.6g", data.element(position));
  return text;
}

std::string heddle::tool::describePosition(const ArgumentData &data,
                                           int64_t position) {
  std::vector<std::string> coordinates;
  for (auto [extent, stride] : llvm::zip(data.shape(), data.strides()))
    coordinates.push_back(std::to_string(position / stride % extent));
  return "[" + llvm::join(coordinates, ", ") + "]";
}
