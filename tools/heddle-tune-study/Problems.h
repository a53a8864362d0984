//===- Problems.h - Functions to tune ----------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem is a space and a deterministic function on its points. Most are
// made up: times of loops, functions of the literature on grids, assignments
// whose order is restricted, circuits on an FPGA. What is learned on them is
// about the search, not about any compiler. The others are tables of measured
// values.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TUNE_STUDY_PROBLEMS_H
#define HEDDLE_TOOLS_HEDDLE_TUNE_STUDY_PROBLEMS_H

#include "heddle/Tuner/Search.h"

namespace heddle::study {

struct Problem {
  std::string name, suite;
  tuner::Space space;
  std::function<tuner::Outcome(const tuner::Point &)> measure;

  /// The logarithm of a coarse estimate, which leaves out some of what
  /// `measure` has; or none.
  tuner::Search::Function model = nullptr;
  int firstSamples = 8, budget = 60;
  /// What somebody who knows the subject would set, written down before any
  /// tuning run; or none.
  std::optional<tuner::Point> expert = std::nullopt;
};

/// A number as a parameter whose ratios matter: 2^least ... 2^greatest.
tuner::Parameter powers(const char *name, int least, int greatest);
/// 0 ... count - 1.
tuner::Parameter steps(const std::string &name, int count);
tuner::Space makeSpace(std::vector<tuner::Parameter> parameters,
                       const std::vector<std::string> &texts);

std::vector<Problem> allProblems();
/// Circuits with the published numbers of parameters and points.
std::vector<Problem> circuitProblems();

/// A record as a problem: SPACE.json and TABLE.jsonl. Points that the table
/// lacks are invalid ("absent"). Errors are those of the readers.
llvm::Expected<Problem> readTable(const std::string &space,
                                  const std::string &table);

} // namespace heddle::study

#endif // HEDDLE_TOOLS_HEDDLE_TUNE_STUDY_PROBLEMS_H
