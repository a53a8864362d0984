//===- Scenario.h - Spaces as JSON -------------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of a scenario as BaCO and HyperMapper take it, with heddle's
// additions (`active_if`, constraints beside the parameters). Out: parameters,
// constraints, and what a search is asked to do. Fields of those tools that ask
// for nothing here are read over; a field that neither knows is an error.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_SCENARIO_H
#define HEDDLE_TUNER_SCENARIO_H

#include "heddle/Tuner/Space.h"

#include "llvm/ADT/StringRef.h"

namespace heddle::strict {
class Node;
}

namespace heddle::tuner {

struct Scenario {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;

  std::string objective = "value"; ///< name of what is minimised
  int firstSamples = 10;
  int iterations = 50; ///< evaluations after the first samples
  bool isLogOutput = true;
  bool hasValidity =
      false; ///< whether an evaluator may say that a point is none
  std::string validName = "Valid", trueText = "true", falseText = "false";
};

/// Errors: [tuner-scenario] with the path of what is wrong, [tuner-default].
llvm::Expected<Scenario> parseScenario(llvm::StringRef text);

/// The scenario's space; its default, if every parameter has one, is a point.
llvm::Expected<Space> makeSpace(const Scenario &scenario);

/// A scenario of `space` on one line, without its end: what parseScenario and
/// makeSpace make the same space of.
std::string writeScenario(const Space &space, bool isLogOutput);

/// The default as a point; nothing unless every parameter that can be active
/// has one.
std::optional<Point> presetOf(const Space &space);

/// The word of a value in JSON. Reports at `node` if it is none.
std::optional<Word> readWord(const strict::Node &node,
                             const Parameter &parameter);

/// A point as `Space::spell` writes it. Returns "" or one sentence.
std::string parsePoint(llvm::StringRef text, const Space &space, Point &point);
void readPoint(const strict::Node &node, const Space &space, Point &point);

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_SCENARIO_H
