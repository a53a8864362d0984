//===- PictureTest.cpp - What stands in a picture -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pictures and traces as text: which intervals they show, how iterations are
// named, and that nothing from outside is needed. Nobody compares a picture by
// eye after each change, so the tests ask for the elements that carry its
// meaning.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "Runs.h"

#include "heddle/Schedule/Explain.h"
#include "heddle/Schedule/Svg.h"
#include "heddle/Schedule/Trace.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

static Explanation sample() {
  return explain("product", sampleProblem(), sampleSolution(), true);
}

/// How often `what` stands in `text`.
static int count(const std::string &text, const std::string &what) {
  int found = 0;
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + 1))
    ++found;
  return found;
}

static testing::AssertionResult holds(const std::string &text,
                                      const std::string &what) {
  return testing::AssertionResult(count(text, what) > 0) << what;
}

TEST(Picture, ShowsWholeIntervalsOfTheSteadyState) {
  Explanation loop = sample();
  EXPECT_EQ(loop.begin, 0);
  EXPECT_EQ(loop.end, 3000);
  // Each unit does the same in every interval.
  int64_t busy[3] = {};
  for (const Span &span : loop.timeline.executed)
    for (int i = 0; i < 3; ++i)
      busy[i] +=
          std::max<int64_t>(0, std::min<int64_t>(span.end, (i + 1) * 1000) -
                                   std::max<int64_t>(span.begin, i * 1000));
  EXPECT_EQ(busy[0], 1300);
  EXPECT_EQ(busy[1], 1300);
  EXPECT_EQ(busy[2], 1300);
}

TEST(Picture, BeginsWhereItShowsTheMostOfOneIteration) {
  Problem problem = sampleProblem();
  Solution solution = sampleSolution();
  // The products of iteration 0 are four intervals behind its loads.
  solution.start = {0, 100, 5100, 5600};
  solution.rings[0].depth = 8;
  Explanation loop = explain("product", problem, solution, true);
  EXPECT_EQ(loop.begin, 4000);
  EXPECT_EQ(loop.end, 7000);
}

TEST(Picture, NamesIterationsRelativeToTheFirst) {
  std::string svg = drawSvg({sample()});
  EXPECT_TRUE(holds(svg, "product: an iteration of 'k' every 1000 cycles, "
                         "in 2 stages"));
  EXPECT_EQ(count(svg, ">II = 1000 cycles<"), 3);
  EXPECT_TRUE(holds(svg, "<title>dot.1 (tensor) in mma.1, iteration n+1, "
                         "stage 1\nexecutes cycles 2600 to 3100\n"
                         "start 1600, latency 1060</title>"));
  EXPECT_TRUE(holds(svg, "<title>dot.1 (tensor) in mma.1, iteration "
                         "n\u22122, stage 1\nexecutes cycles -400 to 100"));
  EXPECT_TRUE(holds(svg, "slot 1 of loads: full, iteration n+1\n"
                         "cycles 2000 to 2100"));
  EXPECT_TRUE(holds(svg, ">busy 100 %<"));
  EXPECT_TRUE(holds(svg, ">busy 30 %<"));
  // mma.0 says which sub-tile it is; the unit's row does not.
  EXPECT_TRUE(holds(svg, ">dot n<"));
  EXPECT_TRUE(holds(svg, ">dot.0<"));
}

TEST(Picture, NeedsNothingFromOutsideAndIsTheSameEachTime) {
  std::string page = drawHtml({sample()}, "a<b>.mlir", "x -> y & z");
  EXPECT_EQ(page, drawHtml({sample()}, "a<b>.mlir", "x -> y & z"));
  EXPECT_EQ(count(page, "http"), 1); // the name of SVG
  EXPECT_FALSE(holds(page, "<script"));
  EXPECT_TRUE(holds(page, "<h1>a&lt;b&gt;.mlir</h1>"));
  EXPECT_TRUE(holds(page, "<pre>x -&gt; y &amp; z</pre>"));
}

TEST(Picture, DrawsALoopInProgramOrderWithoutIterations) {
  Problem problem = sampleProblem();
  Explanation loop = explain("product", problem,
                             inProgramOrder(problem, {"main", 4, 0}), false);
  EXPECT_EQ(loop.end, loop.timeline.interval);
  std::string svg = drawSvg({loop});
  EXPECT_TRUE(holds(svg, "takes about 1992 cycles, not pipelined"));
  EXPECT_FALSE(holds(svg, "iteration n"));
  EXPECT_FALSE(holds(svg, "II ="));
}

TEST(Trace, CountsSlotsAndNamesWhatTheyAreIn) {
  Timeline timeline = unroll(sampleProblem(), sampleSolution(), 0, 1);
  std::string trace = writeTrace({timeline}, {"the \"k\" loop"});
  EXPECT_TRUE(holds(trace, "\"name\":\"process_name\",\"args\":{\"name\":"
                           "\"the \\\"k\\\" loop\"}"));
  EXPECT_TRUE(holds(trace, "\"name\":\"dot.0 #0\",\"ts\":1100,\"dur\":16,"
                           "\"args\":{\"iteration\":0,\"stage\":1,"
                           "\"unit\":\"tensor\",\"process\":\"mma.0\"}"));
  EXPECT_TRUE(holds(trace, "\"ts\":0,\"args\":{\"filling\":1,\"full\":0,"
                           "\"read\":0}"));
  EXPECT_TRUE(holds(trace, "\"ts\":1100,\"args\":{\"filling\":0,\"full\":0,"
                           "\"read\":1}"));
  EXPECT_TRUE(holds(trace, "\"ts\":2660,\"args\":{\"filling\":0,\"full\":0,"
                           "\"read\":0}"));
}

TEST(Picture, JoinsWhatIsTooShortToName) {
  Timeline timeline = sample().timeline;
  std::vector<Span> spans = {{0, 0, 0, 5},     {1, 0, 5, 15},
                             {2, 0, 30, 34},   {3, 0, 34, 134},
                             {0, 0, 134, 136}, {1, 1, 136, 140}};
  std::vector<heddle::schedule::Run> runs =
      joinShortSpans(timeline, spans, 20, 10);
  ASSERT_EQ(runs.size(), 5u);
  EXPECT_EQ(runs[0].spans.size(), 2u);
  EXPECT_EQ(runs[0].longest, 1);
  EXPECT_EQ(runs[0].end(), 15);
  EXPECT_EQ(runs[2].spans.size(), 1u); // long
  EXPECT_EQ(runs[4].spans[0].iteration, 1);
}

TEST(Picture, StacksFlightsOnFewLines) {
  EXPECT_EQ(stackSpans({{0, 0, 0, 10},
                        {1, 0, 5, 20},
                        {0, 1, 10, 30},
                        {1, 1, 15, 40},
                        {0, 2, 20, 21}}),
            (std::vector<int>{0, 1, 0, 2, 1}));
}

TEST(Picture, WritesTenthsAndEscapes) {
  Svg svg;
  svg.rect({0.04, 1.25, 10, 0.96}, "block", "a<b & \"c\"", 2);
  EXPECT_EQ(svg.body(),
            "<rect class=\"block\" x=\"0\" y=\"1.3\" width=\"10\" height=\"1\" "
            "rx=\"2\"><title>a&lt;b &amp; &quot;c&quot;</title></rect>\n");
}
