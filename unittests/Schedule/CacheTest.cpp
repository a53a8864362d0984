//===- CacheTest.cpp - Schedules that were found before ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules found before come from a folder, where anybody may damage them. The
// tests put another schedule or a broken file in the place of an answer, look
// for other problems there, and take the folder away: none of this may change
// more than the time to solve.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "heddle/Schedule/Json.h"
#include "heddle/Schedule/Solve.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace heddle::schedule;
namespace fs = std::filesystem;

namespace {

class Cache : public testing::Test {
protected:
  void SetUp() override {
    directory = fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    setenv("HEDDLE_CACHE_DIR", directory.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("HEDDLE_CACHE_DIR");
    fs::remove_all(directory);
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto &entry : fs::recursive_directory_iterator(directory))
      if (entry.is_regular_file())
        found.push_back(entry.path());
    return found;
  }

  fs::path directory;
};

} // namespace

TEST_F(Cache, TakesWhatWasFoundBefore) {
  Outcome first = solveExactlyOnce(sampleProblem());
  ASSERT_TRUE(first.solution);
  ASSERT_EQ(files().size(), 1u);
  // Another schedule of the same problem in its place.
  std::ofstream(files()[0]) << toJson(sampleSolution());
  Outcome second = solveExactlyOnce(sampleProblem());
  ASSERT_TRUE(second.solution);
  EXPECT_EQ(second.solution->start, sampleSolution().start);
  EXPECT_EQ(second.lowerBound, first.lowerBound);
}

TEST_F(Cache, SolvesAgainWhatIsDamaged) {
  Outcome first = solveExactlyOnce(sampleProblem());
  Solution illegal = sampleSolution();
  illegal.start[2] = 0;
  for (const std::string &text :
       {std::string("{"), std::string(), toJson(illegal)}) {
    std::ofstream(files()[0]) << text;
    Outcome again = solveExactlyOnce(sampleProblem());
    ASSERT_TRUE(again.solution);
    EXPECT_EQ(again.solution->start, first.solution->start);
    EXPECT_EQ(files().size(), 1u);
  }
}

TEST_F(Cache, KeepsProblemsApart) {
  solveExactlyOnce(sampleProblem());
  Problem other = sampleProblem();
  other.operations[0].latency += 1;
  solveExactlyOnce(other);
  solveExactlyOnce(sampleProblem(), {1'000'000});
  EXPECT_EQ(files().size(), 3u);
  // What is not worth its code is another answer than the best one.
  solveExactlyOnce(sampleProblem(), {1'000'000}, 500);
  EXPECT_EQ(files().size(), 4u);
}

TEST_F(Cache, IsNoNeed) {
  std::ofstream(directory.string()) << "a file where the folder would be";
  EXPECT_TRUE(solveExactlyOnce(sampleProblem()).solution);
  setenv("HEDDLE_CACHE_DIR", "", 1);
  EXPECT_TRUE(solveExactlyOnce(sampleProblem()).solution);
}
