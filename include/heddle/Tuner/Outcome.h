//===- Outcome.h - What measuring a point gave -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an evaluation says of a point: a value, or why there is none, and what
// the point became.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_OUTCOME_H
#define HEDDLE_TUNER_OUTCOME_H

#include <string>

namespace heddle::tuner {

struct Outcome {
  bool isValid = true;
  double value = 0;   ///< less is better; above 0 where logarithms are taken
  std::string reason; ///< of what is not valid: a diagnostic's id
  /// What the point became, as a caller names it: what has the same code is the
  /// same thing. "" where nobody says.
  std::string code = "";
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_OUTCOME_H
