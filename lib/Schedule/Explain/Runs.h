//===- Runs.h - Operations too short to draw one by one ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the spans of one row of a timeline. Out: blocks long enough to see, and
// lines for spans that overlap. Element-wise work between two products is many
// operations of a few cycles each; drawn one by one they would be a stripe
// without a name.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_EXPLAIN_RUNS_H
#define HEDDLE_LIB_SCHEDULE_EXPLAIN_RUNS_H

#include "heddle/Schedule/Timeline.h"

namespace heddle::schedule {

/// Spans of one iteration, one after the other, drawn as one block.
struct Run {
  std::vector<Span> spans;
  int longest = 0; ///< the operation that names the block
  int unit = 0;    ///< the unit of most of its cycles

  int64_t begin() const { return spans.front().begin; }
  int64_t end() const { return spans.back().end; }
};

/// Joins neighbours shorter than `shortest` cycles that are at most `gap`
/// apart; `spans` are those of one row, in order.
std::vector<Run> joinShortSpans(const Timeline &timeline,
                                const std::vector<Span> &spans,
                                int64_t shortest, int64_t gap);

/// For each span, a line on which nothing else is at the same time; the lines
/// are numbered from 0, and there are as few as possible.
std::vector<int> stackSpans(const std::vector<Span> &spans);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_EXPLAIN_RUNS_H
