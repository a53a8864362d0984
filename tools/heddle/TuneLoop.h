//===- TuneLoop.h - Propose, measure, write down -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop of `heddle tune`: goes on from a record, takes values from another
// one where it has them, measures the rest, and ends with the best point.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TUNELOOP_H
#define HEDDLE_TOOLS_HEDDLE_TUNELOOP_H

#include "heddle/Tuner/Confirm.h"
#include "heddle/Tuner/Record.h"
#include "heddle/Tuner/Scenario.h"
#include "heddle/Tuner/Search.h"

#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

struct TuneJob {
  const tuner::Scenario &scenario;
  const tuner::Space &space;
  tuner::SearchOptions options;
  /// Where progress goes: standard output may belong to a protocol.
  llvm::raw_ostream &progress;
  /// The outcome of a point, or why there will be none any more. Where it has
  /// the code of an earlier point, that point's outcome.
  std::function<llvm::Expected<tuner::Outcome>(const tuner::Point &)> measure;

  /// The outcomes of several at once, in place of that, with `batch` above 1:
  /// so many are proposed before any of them is told.
  std::function<llvm::Expected<std::vector<tuner::Outcome>>(
      llvm::ArrayRef<tuner::Point>)>
      measureAll = nullptr;
  unsigned batch = 1;

  std::string record = "", key = ""; ///< "" for none
  /// Called with what the records have, before anything is measured.
  std::function<void(const tuner::Told &)> measured = nullptr;
  std::string replay = ""; ///< a record to take values from; "" for none
  /// What a model expects, as a logarithm, and lower bounds of the values, as
  /// Search takes them; or none.
  tuner::Search::Function model = nullptr, bound = nullptr;
  bool explains = false; ///< print a report at the end
};

/// A search as it ended, which has a valid point, with its record.
struct Tuned {
  tuner::Search search;
  std::optional<tuner::Record> record;
};
llvm::Expected<Tuned> runTuning(const TuneJob &job);

/// Measures the best again beside `preset`, in at most `rounds` rounds. Whether
/// one is a win is printed and written down; gives the winner's index among the
/// points told.
llvm::Expected<size_t> confirmBest(const TuneJob &job, Tuned &tuned,
                                   const tuner::Point &preset,
                                   const tuner::Remeasure &measure,
                                   int rounds = 32);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_TUNELOOP_H
