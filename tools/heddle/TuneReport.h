//===- TuneReport.h - Why a tuner says what it says --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search that ended, or its record, goes in; the text of `heddle tune
// --explain` and `heddle explain --tuning` comes out: the curve, which
// parameters mattered and which changed nothing, the rules found for invalid
// points, what the model expects of those that were not measured.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TUNEREPORT_H
#define HEDDLE_TOOLS_HEDDLE_TUNEREPORT_H

#include "heddle/Tuner/Confirm.h"
#include "heddle/Tuner/Search.h"

#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

/// [tuner-no-valid], with the reasons of the points.
llvm::Error noneIsValid(const tuner::Search &search);

/// What bounds say of the points that were not measured.
void printClaim(const tuner::Claim &claim, double best, llvm::raw_ostream &out);

std::string digits(tuner::Count count);

/// "N points of a, b; values are ...", behind what has them.
void printSpace(const tuner::Space &space, llvm::StringRef values,
                llvm::raw_ostream &out);

/// How many points were no evaluations; nothing if there are none.
void printTwins(const tuner::Budget &budget, llvm::raw_ostream &out);

/// `search` has a valid point.
void printTuneReport(tuner::Search &search, const tuner::Space &space,
                     llvm::raw_ostream &out);

/// Whether the best point is a win, in a line or two.
void printVerdict(const tuner::Verdict &verdict, const tuner::Space &space,
                  llvm::raw_ostream &out);

/// `heddle explain --tuning`: all that a record says. An exit code.
int explainTuning(const std::string &path);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_TUNEREPORT_H
