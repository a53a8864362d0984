//===- CompileTest.cpp - Tests of heddle_compile --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs and options as JSON go in; outcomes and texts are compared. The
// tests cover the promises of compiler.h: each text is there, a schedule
// compiles on to the same PTX, messages name lines and options, and threads
// that compile at once get the same bytes.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "gtest/gtest.h"

#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

using namespace heddle::test;

TEST(Compile, GivesAllTexts) {
  Call call(kTwice, R"({"path": "twice.mlir"})");
  ASSERT_EQ(call.outcome, HEDDLE_FINE) << call.messages();
  EXPECT_EQ(call.text(HEDDLE_TEXT_NAME), "twice");
  EXPECT_NE(call.text(HEDDLE_TEXT_PTX).find(".entry twice"), std::string::npos);
  EXPECT_NE(call.text(HEDDLE_TEXT_MANIFEST).find("heddle-manifest-1"),
            std::string::npos);
  EXPECT_NE(call.text(HEDDLE_TEXT_CERTIFICATE).find("\"twice\""),
            std::string::npos);
  EXPECT_NE(call.text(HEDDLE_TEXT_REPORT).find("kernel twice"),
            std::string::npos);
}

TEST(Compile, GoesOnFromItsSchedule) {
  Call call(kTwice);
  Call again(call.text(HEDDLE_TEXT_SCHEDULE));
  ASSERT_EQ(again.outcome, HEDDLE_FINE) << again.messages();
  EXPECT_EQ(again.text(HEDDLE_TEXT_PTX), call.text(HEDDLE_TEXT_PTX));
  EXPECT_EQ(call.text(HEDDLE_TEXT_PICTURE).substr(0, 4), "<svg");
}

TEST(Compile, NamesTheLine) {
  Call call("tile.kernel @f() {\n  tile.nothing\n}\n", R"({"path": "f.mlir"})");
  EXPECT_EQ(call.outcome, HEDDLE_BAD_INPUT);
  EXPECT_EQ(call.messages().substr(0, 22), "f.mlir:2:3: error: cus");
  EXPECT_EQ(heddle_result_kernel_count(nullptr), 0u);
  EXPECT_EQ(call.text(HEDDLE_TEXT_PTX), "");
}

TEST(Compile, ObjectsToOptions) {
  EXPECT_EQ(
      Call(kTwice, R"({"shedule": "exact"})").messages(),
      "error: there is no option 'shedule'; there are path, settings, or_tile, "
      "schedule, machine, assume, debug_waits [usage]\n");
  EXPECT_EQ(Call(kTwice, R"({"settings": [1]})").messages(),
            "error: option 'settings' must be a list of NAME=VALUE [usage]\n");
  EXPECT_EQ(Call(kTwice, "[]").messages(),
            "error: the options must be a JSON object [usage]\n");
  EXPECT_EQ(Call(kTwice, R"({"settings": ["BM=1"]})").outcome,
            HEDDLE_BAD_INPUT);
}

TEST(Compile, LaunchesChooseAmongTiles) {
  std::ifstream file(HEDDLE_EXAMPLES "/gemm.mlir");
  std::string gemm(std::istreambuf_iterator<char>(file), {});
  Call one(gemm), two(gemm, R"({"or_tile": [["BM=64", "BN=64"]]})");
  ASSERT_EQ(two.outcome, HEDDLE_FINE) << two.messages();
  auto has = [](const Call &call, const char *text) {
    return call.text(HEDDLE_TEXT_MANIFEST).find(text) != std::string::npos;
  };
  EXPECT_TRUE(has(two, R"("entry": "gemm_BM64_BN64")"));
  // Each says its time, the own one with a margin.
  const char *faster = R"("cycles": {"floordiv")";
  EXPECT_TRUE(has(two, faster));
  EXPECT_FALSE(has(one, faster));
  EXPECT_NE(two.text(HEDDLE_TEXT_PTX).find(".entry gemm_BM64_BN64"),
            std::string::npos);
  // The program's own tiles are what it tells of.
  EXPECT_EQ(two.text(HEDDLE_TEXT_SCHEDULE), one.text(HEDDLE_TEXT_SCHEDULE));

  Call chosen(gemm, R"({"or_tile": "auto", "settings": ["BM=64"]})");
  ASSERT_EQ(chosen.outcome, HEDDLE_FINE) << chosen.messages();
  EXPECT_NE(chosen.messages().find("launches choose among"), std::string::npos);
  EXPECT_TRUE(has(chosen, R"("entry": "gemm_BN)"));
  EXPECT_EQ(Call(gemm, R"({"or_tile": "auto", "machine": "h300"})").outcome,
            HEDDLE_BAD_INPUT);

  EXPECT_EQ(Call(gemm, R"({"or_tile": [["BM=7"]]})").outcome, HEDDLE_BAD_INPUT);
  EXPECT_EQ(Call(gemm, R"({"or_tile": ["BM=64"]})").messages(),
            "error: option 'or_tile' must be a list of lists of NAME=VALUE, "
            "auto, or auto:COUNT with a COUNT of 1 to 64 [usage]\n");
  EXPECT_EQ(Call(gemm, R"({"or_tile": "auto:0"})").outcome, HEDDLE_BAD_INPUT);
  Call counted(gemm, R"({"or_tile": "auto:1", "settings": ["BM=64"]})");
  ASSERT_EQ(counted.outcome, HEDDLE_FINE) << counted.messages();
  EXPECT_TRUE(has(counted, R"("entry": "gemm_BN)"));
}

TEST(Compile, ListedTilesAreFewAndDiffer) {
  std::ifstream file(HEDDLE_EXAMPLES "/gemm.mlir");
  std::string gemm(std::istreambuf_iterator<char>(file), {});
  Call twice(gemm, R"({"or_tile": [["BM=64"], ["BM=64"]]})");
  EXPECT_NE(twice.messages().find("error: the further tiles BM=64 are listed "
                                  "twice; once is enough [setting]"),
            std::string::npos)
      << twice.messages();
  Call none(gemm, R"({"or_tile": [[]]})");
  EXPECT_NE(none.messages().find("error: further tiles that set nothing are "
                                 "the program's own [setting]"),
            std::string::npos)
      << none.messages();
  std::string list = R"(["BM=64"])";
  for (int i = 0; i < 999; ++i)
    list += R"(, ["BM=64"])";
  list = R"({"or_tile": [)" + list + "]}";
  Call many(gemm, list.c_str());
  EXPECT_NE(many.messages().find("error: 1000 further tiles are listed; at "
                                 "most 64 are compiled [setting]"),
            std::string::npos)
      << many.messages();
}

TEST(Compile, ManyThreadsGiveTheSameBytes) {
  std::string expected = Call(kTwice).text(HEDDLE_TEXT_PTX);
  std::vector<std::string> found(8);
  std::vector<std::thread> threads;
  for (std::string &ptx : found)
    threads.emplace_back([&] { ptx = Call(kTwice).text(HEDDLE_TEXT_PTX); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &ptx : found)
    EXPECT_EQ(ptx, expected);
}
