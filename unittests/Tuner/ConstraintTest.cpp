//===- ConstraintTest.cpp - The language of constraints -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a text means for a point, and what is said of texts that mean nothing.
// A space of one point is empty if and only if the constraint does not hold.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

using namespace heddle::tuner;

namespace {

/// Whether the text holds for a = 6, b = 4, z = 0, h = 0.5, l = "nhwc" and
/// p = (2, 0, 1).
bool holds(const std::string &text) {
  std::vector<Parameter> parameters = {
      ordinal("a", {6}),   ordinal("b", {4}),          ordinal("z", {0}),
      ordinal("h", {0.5}), categorical("l", {"nhwc"}), permutation("p", 3)};
  llvm::Expected<Space> made =
      Space::make(parameters, texts({text, "p_0 == 2", "p_1 == 0"}));
  if (made)
    return true;
  std::string error = llvm::toString(made.takeError());
  EXPECT_NE(error.find("[tuner-space-empty]"), std::string::npos) << error;
  return false;
}

std::string reason(const std::string &text) {
  std::string error = fault({upTo("a", 3), upTo("b", 3),
                             categorical("l", {"x", "y"}), permutation("p", 3)},
                            {text});
  return error;
}

} // namespace

TEST(Constraint, Arithmetic) {
  EXPECT_TRUE(holds("a + b * 2 == 14"));
  EXPECT_TRUE(holds("(a + b) * 2 == 20"));
  EXPECT_TRUE(holds("a - b - 1 == 1"));
  EXPECT_TRUE(holds("a / b == 1.5"));
  EXPECT_TRUE(holds("a // b == 1"));
  EXPECT_TRUE(holds("-7 // 2 == -4"));
  EXPECT_TRUE(holds("a % b == 2"));
  EXPECT_TRUE(holds("-7 % 4 == -3"));
  EXPECT_TRUE(holds("2 ** 3 ** 2 == 512"));
  EXPECT_TRUE(holds("-2 ** 2 == -4"));
  EXPECT_TRUE(holds("- - a == 6"));
  EXPECT_TRUE(holds("min(a, b, 5) == 4 and max(a, b, 5) == 6"));
  EXPECT_TRUE(holds("abs(b - a) == 2"));
  EXPECT_TRUE(holds("floor(a / b) == 1 and ceil(a / b) == 2"));
  EXPECT_TRUE(holds("sqrt(b) == 2 and log2(b) == 2 and log(1) == 0"));
  EXPECT_TRUE(holds("where(a > b, a, b) == 6"));
  EXPECT_TRUE(holds("h * 2 == 1"));
  EXPECT_TRUE(holds("1e3 == 1000 and .5 == h"));
}

TEST(Constraint, FractionsAreExact) {
  // 49 * (1 / 49) is less than 1 in doubles.
  EXPECT_TRUE(holds("49 * (1 / 49) >= 1"));
  EXPECT_TRUE(holds("1 / 3 + 1 / 3 + 1 / 3 == 1"));
  EXPECT_TRUE(holds("9007199254740993 - 9007199254740992 == 1"));
  EXPECT_TRUE(holds("9223372036854775807 + 1 > 9223372036854770000"));
  EXPECT_FALSE(holds("3037000500 * 3037000500 < 0"));
}

TEST(Constraint, UndefinedHoldsNowhere) {
  EXPECT_FALSE(holds("a / z > 0"));
  EXPECT_FALSE(holds("a / z <= 0"));
  EXPECT_FALSE(holds("a % z == 0"));
  EXPECT_FALSE(holds("log(z) < 0"));
  EXPECT_FALSE(holds("sqrt(b - a) >= 0"));
  EXPECT_TRUE(holds("z == 0 or a / z > 0"));
  EXPECT_TRUE(holds("not (a / z > 0)"));
}

TEST(Constraint, Conditions) {
  EXPECT_TRUE(holds("(a > b) & (b > z)"));
  EXPECT_TRUE(holds("(a < b) | (b > z)"));
  EXPECT_TRUE(holds("a < b or not b < z and a != b"));
  EXPECT_TRUE(holds("a < b || !(b < z) && a != b"));
  EXPECT_TRUE(holds("~(a < b)"));
  EXPECT_TRUE(holds("(a < b) == (b < z)"));
  EXPECT_TRUE(holds("not not a > b"));
}

TEST(Constraint, TextsAndOrders) {
  EXPECT_TRUE(holds("l == 'nhwc' and l != \"nchw\""));
  EXPECT_FALSE(holds("l == 'nchw'"));
  EXPECT_TRUE(holds("p_0 == 2 and p_1 == 0 and p_2 == 1"));
  EXPECT_TRUE(holds("p_i0 == 1 and p_i1 == 2 and p_i2 == 0"));
  EXPECT_TRUE(holds("pos(p, 2) < pos(p, 0) and item(p, 2) == 1"));
}

TEST(Constraint, Faults) {
  EXPECT_EQ(reason("a <"),
            "constraint 1 (a <): column 4: expected a number, a name or '(', "
            "found the end [tuner-constraint]");
  EXPECT_EQ(reason("a < c"),
            "constraint 1 (a < c): column 5: there is no parameter 'c'; the "
            "parameters are a, b, l, p [tuner-constraint]");
  EXPECT_EQ(reason("a < 2 & b < 2"),
            "constraint 1 (a < 2 & b < 2): column 7: '&' takes conditions, and "
            "its left side is a number; put comparisons in parentheses, or "
            "write 'and' [tuner-constraint]");
  EXPECT_EQ(reason("a + b"),
            "constraint 1 (a + b): column 1: a constraint is a condition, and "
            "this is a number [tuner-constraint]");
  EXPECT_EQ(reason("1 < a < 3"),
            "constraint 1 (1 < a < 3): column 7: comparisons do not chain; "
            "write 'a < b and b < c' [tuner-constraint]");
  EXPECT_EQ(reason("l == 1"),
            "constraint 1 (l == 1): column 3: '==' compares a text with a "
            "number [tuner-constraint]");
  EXPECT_EQ(reason("l < 'x'"),
            "constraint 1 (l < 'x'): column 3: '<' orders numbers, and this is "
            "a text [tuner-constraint]");
  EXPECT_EQ(reason("p == 1"),
            "constraint 1 (p == 1): column 1: 'p' is a permutation; 'p_0' is "
            "its first item and 'p_i0' the position of item 0 "
            "[tuner-constraint]");
  EXPECT_EQ(reason("p_3 == 1"),
            "constraint 1 (p_3 == 1): column 1: 'p' has positions 0 to 2, and "
            "this is 3 [tuner-constraint]");
  EXPECT_EQ(reason("pos(a, 0) == 1"),
            "constraint 1 (pos(a, 0) == 1): column 5: 'a' is no permutation "
            "[tuner-constraint]");
  EXPECT_EQ(
      reason("sin(a) < 1"),
      "constraint 1 (sin(a) < 1): column 1: there is no function 'sin'; "
      "those here are min, max, abs, floor, ceil, sqrt, log, log2, where, "
      "pos and item [tuner-constraint]");
  EXPECT_EQ(reason("abs(a, b) < 1"),
            "constraint 1 (abs(a, b) < 1): column 1: abs takes 1 argument, and "
            "here are 2 [tuner-constraint]");
  EXPECT_EQ(reason("l == 'x"),
            "constraint 1 (l == 'x): column 6: a text without its closing "
            "quote [tuner-constraint]");
  EXPECT_EQ(reason("(a < b"),
            "constraint 1 ((a < b): column 7: expected ')', found the end "
            "[tuner-constraint]");
  EXPECT_EQ(reason("a < b b"),
            "constraint 1 (a < b b): column 7: expected an operator or the "
            "end, found 'b' [tuner-constraint]");
  EXPECT_EQ(reason("a $ b"),
            "constraint 1 (a $ b): column 3: expected an operator or the end, "
            "found '$' [tuner-constraint]");
}

TEST(Constraint, LongTextsEnd) {
  std::string deep(7000, '(');
  EXPECT_NE(reason(deep).find("nested deeper than 100 levels"),
            std::string::npos);
  std::string sum = "a";
  for (int k = 0; k < 2000; ++k)
    sum += "+a";
  EXPECT_EQ(fault({upTo("a", 3)}, {sum + "== 4002"}), "");
  EXPECT_NE(fault({upTo("a", 3)}, {sum + sum + sum + sum + "== 4002"})
                .find("longer than 8000 characters"),
            std::string::npos);
}
