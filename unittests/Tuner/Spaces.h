//===- Spaces.h - Spaces for tests -------------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters in a line each, spaces from texts, and the chi-square test that
// says whether draws are as likely as they should be.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_TUNER_SPACES_H
#define HEDDLE_UNITTESTS_TUNER_SPACES_H

#include "heddle/Tuner/Space.h"

#include <cmath>
#include <gtest/gtest.h>

namespace heddle::tuner {

inline Parameter ordinal(std::string name, std::vector<double> numbers) {
  Parameter made;
  made.name = std::move(name);
  made.numbers = std::move(numbers);
  return made;
}
inline Parameter upTo(std::string name, int last) {
  std::vector<double> numbers;
  for (int k = 1; k <= last; ++k)
    numbers.push_back(k);
  return ordinal(std::move(name), numbers);
}
inline Parameter integer(std::string name, int64_t first, int64_t last) {
  Parameter made;
  made.name = std::move(name);
  made.kind = Kind::Integer;
  made.first = first;
  made.last = last;
  return made;
}
inline Parameter real(std::string name, double low, double high) {
  Parameter made;
  made.name = std::move(name);
  made.kind = Kind::Real;
  made.low = low;
  made.high = high;
  return made;
}
inline Parameter categorical(std::string name, std::vector<std::string> texts) {
  Parameter made;
  made.name = std::move(name);
  made.kind = Kind::Categorical;
  made.texts = std::move(texts);
  return made;
}
inline Parameter permutation(std::string name, int items) {
  Parameter made;
  made.name = std::move(name);
  made.kind = Kind::Permutation;
  made.items = items;
  return made;
}

inline std::vector<Constraint> texts(const std::vector<std::string> &lines) {
  std::vector<Constraint> made;
  for (const std::string &line : lines)
    made.push_back({line, "constraint " + std::to_string(made.size() + 1)});
  return made;
}

inline Space space(std::vector<Parameter> parameters,
                   const std::vector<std::string> &constraints) {
  llvm::Expected<Space> made =
      Space::make(std::move(parameters), texts(constraints));
  if (!made) {
    ADD_FAILURE() << llvm::toString(made.takeError());
    return llvm::cantFail(Space::make({upTo("nothing", 1)}, {}));
  }
  return *made;
}

/// The error of a space that cannot be made.
inline std::string fault(std::vector<Parameter> parameters,
                         const std::vector<std::string> &constraints) {
  llvm::Expected<Space> made =
      Space::make(std::move(parameters), texts(constraints));
  return made ? "" : llvm::toString(made.takeError());
}

/// How likely a sum of squares at least this large is, by Wilson and
/// Hilferty's approximation.
inline double chiSquareTail(double sum, double freedom) {
  double z = (std::cbrt(sum / freedom) - (1 - 2 / (9 * freedom))) /
             std::sqrt(2 / (9 * freedom));
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

} // namespace heddle::tuner

#endif // HEDDLE_UNITTESTS_TUNER_SPACES_H
