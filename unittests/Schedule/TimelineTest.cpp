//===- TimelineTest.cpp - A solution, written out over cycles -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules unrolled into spans, with the numbers worked out by hand. Pictures,
// traces and sentences draw on these spans only, so a wrong one would be
// believed everywhere.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "heddle/Schedule/Timeline.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

/// "dot.0 n: 1100-1116", in order.
std::vector<std::string> textOf(const Timeline &timeline,
                                const std::vector<Span> &spans, int process) {
  std::vector<std::string> lines;
  for (const Span &span : spans)
    if (timeline.operations[span.operation].process == process)
      lines.push_back(timeline.operations[span.operation].name + " " +
                      std::to_string(span.iteration) + ": " +
                      std::to_string(span.begin) + "-" +
                      std::to_string(span.end));
  return lines;
}

std::vector<std::string> waitsOf(const Timeline &timeline, int process) {
  std::vector<std::string> lines;
  for (const WaitSpan &wait : timeline.waits)
    if (wait.process == process)
      lines.push_back(wait.reason + ": " + std::to_string(wait.begin) + "-" +
                      std::to_string(wait.end));
  return lines;
}

using Lines = std::vector<std::string>;

} // namespace

TEST(Timeline, UnrollsWhatIsIssuedExecutedAndInFlight) {
  Timeline timeline = unroll(sampleProblem(), sampleSolution(), 0, 2);
  EXPECT_EQ(timeline.interval, 1000);
  EXPECT_EQ(timeline.stages, 2);
  EXPECT_EQ(
      textOf(timeline, timeline.issued, 0),
      (Lines{"a 0: 0-16", "b 0: 100-116", "a 1: 1000-1016", "b 1: 1100-1116"}));
  EXPECT_EQ(textOf(timeline, timeline.issued, 1),
            (Lines{"dot.0 0: 1100-1116", "dot.0 1: 2100-2116"}));
  EXPECT_EQ(textOf(timeline, timeline.executed, 2),
            (Lines{"dot.1 0: 1600-2100", "dot.1 1: 2600-3100"}));
  EXPECT_EQ(textOf(timeline, timeline.inFlight, 2),
            (Lines{"dot.1 0: 1600-2660", "dot.1 1: 2600-3660"}));
  // What goes through a ring is in its slot.
  EXPECT_EQ(textOf(timeline, timeline.inFlight, 0), Lines{});
  EXPECT_EQ(timeline.work, (std::vector<int64_t>{300, 1000}));
}

TEST(Timeline, KnowsWhatASlotHolds) {
  Timeline timeline = unroll(sampleProblem(), sampleSolution(), -1, 2);
  ASSERT_EQ(timeline.rings.size(), 1u);
  EXPECT_EQ(timeline.rings[0].slotBytes, 16384 + 32768);
  Lines lines;
  for (const SlotSpan &span : timeline.slots)
    lines.push_back(
        std::to_string(span.iteration) + " in " + std::to_string(span.slot) +
        ": " + std::to_string(span.begin) + "-" + std::to_string(span.end));
  // From the first acquire until b has arrived, until the first reader, until
  // the last one's result is there.
  EXPECT_EQ(lines, (Lines{"-1 in 3: -1000-0", "-1 in 3: 0-100",
                          "-1 in 3: 100-1660", "0 in 0: 0-1000",
                          "0 in 0: 1000-1100", "0 in 0: 1100-2660"}));
}

TEST(Timeline, SaysWhatAProcessWaitsFor) {
  Problem problem = sampleProblem();
  Solution solution = sampleSolution();
  // b is there at 1000, and hands over in 96 cycles: the rest is slack.
  Timeline timeline = unroll(problem, solution, 0, 2);
  EXPECT_EQ(waitsOf(timeline, 1), (Lines{"b: 1116-2096"}));
  // Nothing precedes a but the slot, which is given back at 2660 of 4000.
  EXPECT_EQ(waitsOf(timeline, 0), Lines{});
  solution.rings[0].depth = 1;
  timeline = unroll(problem, solution, 0, 2);
  EXPECT_EQ(waitsOf(timeline, 0), (Lines{"a free slot of loads: 116-1000",
                                         "a free slot of loads: 1016-1100"}));
}

TEST(Timeline, ExecutesInProgramOrder) {
  Problem problem = sampleProblem();
  Solution solution = inProgramOrder(problem, {"main", 4, 0});
  // Both loads are issued at once; the second dot waits for its process alone.
  EXPECT_EQ(solution.start, (std::vector<int64_t>{0, 16, 916, 932}));
  EXPECT_EQ(solution.ii, 932 + 1060);
  EXPECT_EQ(solution.process, (std::vector<int>{0, 0, 0, 0}));
}

TEST(Timeline, QueuesOnAnAsynchronousUnit) {
  Problem problem = sampleProblem();
  Solution solution = sampleSolution();
  queueUp(problem, solution);
  EXPECT_EQ(solution.execution, solution.start);
  // Issued 200 cycles behind dot.0, which keeps the unit for 500; the next
  // dot.0, issued at 2050, follows it.
  solution.start = {0, 100, 1050, 1250};
  queueUp(problem, solution);
  EXPECT_EQ(solution.execution, (std::vector<int64_t>{0, 100, 1050, 1550}));
  // What is left of the queue at the end of an interval comes first in the
  // next.
  solution.start = {0, 100, 1300, 1700};
  queueUp(problem, solution);
  EXPECT_EQ(solution.execution, (std::vector<int64_t>{0, 100, 1300, 1800}));
  solution.start = {0, 100, 1200, 2100};
  queueUp(problem, solution);
  EXPECT_EQ(solution.execution, (std::vector<int64_t>{0, 100, 1600, 2100}));
}
