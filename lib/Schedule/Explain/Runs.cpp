//===- Runs.cpp - Operations too short to draw one by one -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runs.h"

#include <algorithm>

using namespace heddle::schedule;

static void name(const Timeline &timeline, Run &run) {
  std::vector<int64_t> cycles(timeline.units.size(), 0);
  int64_t longest = -1;
  for (const Span &span : run.spans) {
    int64_t length = span.end - span.begin;
    cycles[timeline.operations[span.operation].unit] += length;
    if (length <= longest)
      continue;
    longest = length;
    run.longest = span.operation;
  }
  run.unit = static_cast<int>(std::max_element(cycles.begin(), cycles.end()) -
                              cycles.begin());
}

std::vector<Run>
heddle::schedule::joinShortSpans(const Timeline &timeline,
                                 const std::vector<Span> &spans,
                                 int64_t shortest, int64_t gap) {
  std::vector<Run> runs;
  auto isShort = [&](const Span &span) {
    return span.end - span.begin < shortest;
  };
  for (const Span &span : spans) {
    bool joins = !runs.empty() && isShort(span) &&
                 isShort(runs.back().spans.back()) &&
                 runs.back().spans.back().iteration == span.iteration &&
                 span.begin - runs.back().end() <= gap;
    if (!joins)
      runs.emplace_back();
    runs.back().spans.push_back(span);
  }
  for (Run &run : runs)
    name(timeline, run);
  return runs;
}

std::vector<int> heddle::schedule::stackSpans(const std::vector<Span> &spans) {
  std::vector<int64_t> ends; // of each line's last span
  std::vector<int> lines;
  for (const Span &span : spans) {
    auto line = std::find_if(ends.begin(), ends.end(),
                             [&](int64_t end) { return end <= span.begin; });
    if (line == ends.end())
      line = ends.insert(ends.end(), 0);
    *line = span.end;
    lines.push_back(static_cast<int>(line - ends.begin()));
  }
  return lines;
}
