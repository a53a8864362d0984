//===- NestingTest.cpp - Bounds on the shape of text ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The count of brackets, aliases and numbers before text reaches a recursive
// parser. A text that hides a bracket from the count overflows the stack, so
// the tests hold what may look like a bracket beside what is one.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Nesting.h"

#include <gtest/gtest.h>

using namespace heddle;

static std::string repeat(const std::string &text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += text;
  return all;
}

/// A chain of aliases, each made of `uses` times the one before.
static std::string aliases(int count, int uses) {
  std::string text = "!t0 = tuple<i32>\n";
  for (int i = 1; i <= count; ++i) {
    std::string before = "!t" + std::to_string(i - 1);
    text += "!t" + std::to_string(i) + " = tuple<" + before +
            repeat(", " + before, uses - 1) + ">\n";
  }
  return text;
}

static bool isRefused(const std::string &text) {
  return findDeepNesting(text).has_value();
}

TEST(Nesting, CountsBracketsOfEveryKind) {
  for (auto [open, close] : {std::pair("(", ")"), std::pair("[", "]"),
                             std::pair("{", "}"), std::pair("tuple<", ">")}) {
    EXPECT_TRUE(isRefused(repeat(open, 257)));
    EXPECT_TRUE(isRefused(repeat(open, 257) + repeat(close, 257)));
    EXPECT_FALSE(isRefused(repeat(open, 256) + repeat(close, 256)));
    EXPECT_FALSE(isRefused(repeat(std::string(open) + close, 1000)));
  }
}

TEST(Nesting, NamesThePlace) {
  auto fault = findDeepNesting("a\n b" + repeat("(", 300));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->line, 2u);
  EXPECT_EQ(fault->column, 3u + 256);
}

TEST(Nesting, StringsAndCommentsHaveNoBrackets) {
  EXPECT_FALSE(isRefused("\"" + repeat("(", 1000) + "\""));
  EXPECT_FALSE(isRefused("// " + repeat("<", 1000) + "\n"));
  EXPECT_TRUE(isRefused("\"a\\\"\" " + repeat("(", 1000)));
  EXPECT_TRUE(isRefused("// comment\n" + repeat("(", 1000)));
}

TEST(Nesting, ArrowsAndComparisonsCloseNothing) {
  // Else a bracket could be hidden behind each arrow.
  EXPECT_TRUE(isRefused(repeat("t<() -> ", 300)));
  EXPECT_TRUE(isRefused(repeat("t<(d0 >= 0, ", 300)));
  // And comparisons do not pile up.
  EXPECT_FALSE(isRefused(repeat("(d0 <= 5)", 1000)));
  EXPECT_FALSE(isRefused(repeat("() -> (i32)\n", 1000)));
}

TEST(Nesting, AliasesStandForWhatTheyName) {
  EXPECT_FALSE(isRefused(aliases(200, 1)));
  EXPECT_TRUE(isRefused(aliases(300, 1)));
  EXPECT_FALSE(isRefused(aliases(5, 2)));
  EXPECT_TRUE(isRefused(aliases(40, 2)));
  EXPECT_TRUE(isRefused(aliases(200, 1) + repeat("(", 100) + "!t200"));
  // In any order, as locations are printed.
  EXPECT_TRUE(isRefused("#b = loc(callsite(#c at #c))\n" + repeat("(", 255) +
                        "#b\n#c = loc(callsite(#d at #d))\n#d = loc(\"x\")"));
  // One in terms of itself is for the parser to refuse.
  EXPECT_FALSE(isRefused("#a = [#b]\n#b = [#a]\n"));
}

TEST(Nesting, AffineExpressionsAndNumbersHaveAnEnd) {
  EXPECT_TRUE(isRefused("affine_map<(d0) -> (" + repeat("-", 5000) + "d0)>"));
  EXPECT_TRUE(isRefused("affine_map<(d0) -> (" + repeat("d0 + ", 5000)));
  EXPECT_FALSE(
      isRefused("affine_map<(d0) -> (" + repeat("d0 + ", 50) + "d0)>"));
  EXPECT_TRUE(isRefused(repeat("9", 1025)));
  EXPECT_FALSE(isRefused(repeat("9", 1024)));
}

TEST(Nesting, JsonNestsInListsAndObjects) {
  EXPECT_TRUE(nestsDeeperThan(repeat("[", 65), 64));
  EXPECT_FALSE(nestsDeeperThan(repeat("[]", 65), 64));
  EXPECT_FALSE(nestsDeeperThan("\"" + repeat("[", 65) + "\"", 64));
}
