//===- PlanSpaceTest.cpp - What may be chosen of a sparse program ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The space has each nest of the planner and no other, its default is the
// planner's choice, and a search in it mends what a wrong model of the
// processor chose: the planner knows one processor, and values are another's.
//
//===----------------------------------------------------------------------===//

#include "heddle/TuneSpaces/PlanSpace.h"
#include "heddle/Tuner/Scenario.h"
#include "heddle/Tuner/Search.h"

#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace heddle;
using namespace heddle::sparse;
using namespace heddle::tunespaces;

namespace {

constexpr Level D = Level::Dense, C = Level::Compressed;

struct Case {
  std::string name;
  std::vector<std::string> indices;
  Access result;
  std::vector<Access> factors;
  std::vector<int64_t> extents;
  std::vector<int64_t> counts; ///< of the positions of A's levels
};

Access access(const char *name, std::vector<int> indices,
              std::vector<Level> levels = {}, std::vector<int> axes = {}) {
  Access made{name, Format::dense(int(indices.size())), std::move(indices)};
  if (!levels.empty())
    made.format.levels = std::move(levels);
  if (!axes.empty())
    made.format.axes = std::move(axes);
  return made;
}

Case spmm(std::string name, int64_t rows, int64_t columns, int64_t count,
          std::vector<int> axes = {}, std::vector<int> b = {1, 2}) {
  int64_t first = axes.empty() || axes[0] == 0 ? rows : 4000;
  return {
      std::move(name),
      {"i", "j", "k"},
      access("R", {0, 2}),
      {access("A", {0, 1}, {D, C}, std::move(axes)), access("B", std::move(b))},
      {rows, 4000, columns},
      {first, count}};
}

std::vector<Case> matrices() {
  std::vector<Case> all;
  for (auto [rows, count] : {std::pair(20000, 320000), std::pair(3000, 450000)})
    all.push_back({"SpMV " + std::to_string(rows),
                   {"i", "j"},
                   access("R", {0}),
                   {access("A", {0, 1}, {D, C}), access("B", {1})},
                   {rows, 20000},
                   {rows, count}});
  all.push_back(spmm("SpMM 8", 6000, 8, 70000));
  all.push_back(spmm("SpMM 64", 4000, 64, 64000));
  all.push_back(spmm("SpMM 200", 2000, 200, 24000));
  all.push_back(spmm("SpMM of columns", 4000, 32, 64000, {1, 0}));
  all.push_back(spmm("SpMM, B by columns", 2000, 48, 40000, {}, {2, 1}));
  all.push_back({"dense times CSR",
                 {"i", "j", "k"},
                 access("R", {0, 2}),
                 {access("B", {0, 1}), access("A", {1, 2}, {D, C})},
                 {64, 2000, 2000},
                 {2000, 40000}});
  all.push_back({"MTTKRP",
                 {"i", "j", "k", "l"},
                 access("R", {0, 3}),
                 {access("A", {0, 1, 2}, {C, C, C}), access("B", {1, 3}),
                  access("D", {2, 3})},
                 {300, 300, 300, 16},
                 {300, 40000, 54000}});
  all.push_back(
      {"SDDMM",
       {"i", "j", "k"},
       access("R", {0, 1}, {D, C}),
       {access("A", {0, 1}, {D, C}), access("B", {0, 2}), access("D", {1, 2})},
       {2000, 2000, 128},
       {2000, 16000}});
  return all;
}

/// The term as the planner of this processor has it.
PlanTerm planFor(const Case &each, const char *processor, int workers = 1) {
  PlanTerm term;
  term.statement.indices = each.indices;
  term.statement.result = each.result;
  term.statement.terms = {each.factors};
  term.statistics.extents = each.extents;
  term.statistics.counts["A"] = each.counts;
  term.statistics.workers = workers;
  auto made = std::make_shared<machine::Processor>();
  std::string error;
  EXPECT_TRUE(machine::findProcessor(processor, *made, error)) << error;
  term.statistics.machine = made;
  term.candidates = plan(term.statement, 0, term.statistics, error);
  EXPECT_FALSE(term.candidates.empty()) << error;
  return term;
}

std::string textOf(const Nest &nest) {
  std::string text = spell(nest.into) + spell(nest.assemble, nest.pattern) +
                     std::to_string(nest.width);
  for (int index : nest.order)
    text += " " + std::to_string(index);
  return text;
}

} // namespace

TEST(PlanSpace, HasTheNestsOfThePlanner) {
  for (const Case &each : matrices())
    for (int workers : {1, 8}) {
      SCOPED_TRACE(each.name);
      PlanTerm term = planFor(each, "cpu-epyc", workers);
      llvm::Expected<PlanSpace> made = PlanSpace::make({term});
      ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
      std::set<std::string> wanted, found;
      for (const Candidate &candidate : term.candidates)
        wanted.insert(textOf(candidate.nest));
      for (tuner::Count k = 0; k < *made->space().smallCount(); ++k) {
        tuner::Point point = made->space().at(k);
        if (!made->isLegal(point))
          continue;
        Nest nest = made->nestsOf(point).front();
        EXPECT_EQ(whyIllegal(term.statement, nest), "");
        found.insert(textOf(nest));
      }
      EXPECT_EQ(found, wanted);
      tuner::Point preset = *tuner::presetOf(made->space());
      ASSERT_TRUE(made->space().contains(preset));
      ASSERT_TRUE(made->isLegal(preset));
      Nest own = made->nestsOf(preset).front();
      const Nest &best = term.candidates.front().nest;
      EXPECT_EQ(textOf(own), textOf(best));
      EXPECT_EQ(own.chunk, best.chunk);
      EXPECT_EQ(own.ahead, best.ahead);
      EXPECT_EQ(own.parallel, best.parallel);
      EXPECT_DOUBLE_EQ(made->estimate(preset), term.candidates.front().cost);
    }
}

TEST(PlanSpace, TermsChooseByThemselves) {
  std::vector<Case> all = matrices();
  PlanTerm first = planFor(all[2], "cpu-epyc"),
           second = planFor(all[3], "cpu-epyc");
  second.term = 0;
  second.statement.result.tensor = "S";
  llvm::Expected<PlanSpace> made = PlanSpace::make({first, second});
  ASSERT_TRUE(bool(made));
  EXPECT_GE(made->space().find("R_0_order"), 0);
  EXPECT_GE(made->space().find("S_0_width"), 0);
  tuner::Point preset = *tuner::presetOf(made->space());
  EXPECT_EQ(made->nestsOf(preset).size(), 2u);
  EXPECT_DOUBLE_EQ(made->estimate(preset), first.candidates.front().cost +
                                               second.candidates.front().cost);
}

TEST(PlanSpace, OneNestLeavesNothingToChoose) {
  PlanTerm term = planFor(matrices()[2], "cpu-epyc");
  term.candidates.resize(1);
  llvm::Expected<PlanSpace> made = PlanSpace::make({term});
  ASSERT_FALSE(bool(made));
  EXPECT_EQ(llvm::toString(made.takeError()),
            "the program leaves nothing to choose: each term has one legal "
            "nest [tuner-kernel]");
}

// The planner takes the figures of one processor, and the other one's model
// says how long its nests take: 20 evaluations close half of the gap, and more.
// Most of these terms have few more legal nests than that, so 5 must do it,
// too.
TEST(PlanSpace, ASearchClosesHalfOfTheGap) {
  for (auto [known, real] :
       {std::pair("cpu-epyc", "cpu-xeon"), std::pair("cpu-xeon", "cpu-epyc")}) {
    double before = 0, soon = 0, after = 0;
    for (const Case &each : matrices()) {
      SCOPED_TRACE(each.name);
      PlanTerm term = planFor(each, known);
      Statistics truth = planFor(each, real).statistics;
      llvm::Expected<PlanSpace> made = PlanSpace::make({term});
      ASSERT_TRUE(bool(made));
      double least = std::numeric_limits<double>::infinity();
      for (const Candidate &candidate : term.candidates)
        least = std::min(least,
                         modelledCycles(term.statement, truth, candidate.nest));
      tuner::SearchOptions options;
      options.budget = 20;
      options.firstSamples = 2;
      tuner::Search search(
          made->space(), options,
          [&](const tuner::Point &point) {
            return made->isLegal(point) ? std::log(made->estimate(point)) : 0;
          },
          [&](const tuner::Point &point) {
            return made->isLegal(point)
                       ? 0
                       : std::numeric_limits<double>::infinity();
          });
      while (!search.budget().isSpent()) {
        std::optional<tuner::Point> point = search.propose();
        if (!point)
          break;
        ASSERT_TRUE(made->isLegal(*point));
        if (search.told().size() == 5)
          soon += std::log(search.told()[size_t(search.best())].outcome.value /
                           least);
        search.tell(*point, {true,
                             modelledCycles(term.statement, truth,
                                            made->nestsOf(*point).front()),
                             ""});
      }
      double found = search.told()[size_t(search.best())].outcome.value;
      before += std::log(search.told().front().outcome.value / least);
      after += std::log(found / least);
      RecordProperty(std::string(real) + " " + each.name,
                     std::to_string(found / least));
    }
    std::printf("planned for %s, values of %s: the gap %.3f became %.3f after "
                "5 evaluations and %.3f after 20\n",
                known, real, std::exp(before / 10), std::exp(soon / 10),
                std::exp(after / 10));
    EXPECT_GT(before, 0);
    EXPECT_LE(soon, before / 2);
    EXPECT_LE(after, soon);
  }
}
