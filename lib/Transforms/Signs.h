//===- Signs.h - What is never negative, and what must be asked --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place in an array is not negative. Where that rests on an argument, or on
// how many instances there are, it is noted as a demand, which a launch checks.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_SIGNS_H
#define HEDDLE_LIB_TRANSFORMS_SIGNS_H

#include "AddressForms.h"

namespace heddle {

class Signs {
public:
  explicit Signs(AddressForms &forms) : forms(forms) {}

  /// `least` <= `most`, both known at launch; or, where there is a divisor,
  /// `most` is a multiple of it.
  struct Demand {
    Polynomial least, most;
    int64_t divisor = 0;
    bool operator==(const Demand &) const = default;
  };

  /// Adds what it rests on to `demands`; what stands there after `false` is
  /// void.
  bool isNotNegative(const Polynomial &polynomial,
                     std::vector<Demand> &demands);
  /// A number that a value which counts something stays below: an index of
  /// instances, of a loop, a remainder. Known at launch.
  std::optional<Polynomial> limitOf(mlir::Value value);

  /// Counters that a polynomial takes away, as of a loop that goes down or of
  /// instances in reverse, and what they come to at their last numbers.
  struct Taken {
    Polynomial counters, least;
  };
  std::optional<Taken> takenAway(const Polynomial &polynomial);

private:
  bool isNotNegative(mlir::Value value, std::vector<Demand> &demands);
  bool isRestPositive(const Polynomial &polynomial,
                      std::vector<Demand> &demands);

  AddressForms &forms;
  unsigned depth = 0;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_SIGNS_H
