//===- Problems.h - Functions to tune ----------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem is a space and a function on its points, made up and deterministic:
// times of loops, functions of the literature on grids, and assignments whose
// order is restricted. What is learned on them is about the search, not about
// any compiler.
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
};

std::vector<Problem> allProblems();

} // namespace heddle::study

#endif // HEDDLE_TOOLS_HEDDLE_TUNE_STUDY_PROBLEMS_H
