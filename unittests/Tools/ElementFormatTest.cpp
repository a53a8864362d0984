//===- ElementFormatTest.cpp - Elements of an argument's memory -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Doubles are written as an element and read back, at and beyond the ends of
// each integer type. A C++ conversion to an integer that cannot hold the value
// is undefined, so these cases depend on the compiler unless the code cuts
// first.
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/ElementFormat.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace heddle;
using namespace heddle::tool;
using manifest::ElementType;

static double written(ElementType type, double value) {
  std::byte memory[8] = {};
  writeElement(type, memory, 0, value);
  return readElement(type, memory, 0);
}

// A conversion that does not fit has no meaning in C.
TEST(ElementFormat, IntegersAreCutToTheNearest) {
  EXPECT_EQ(written(ElementType::I8, 2.3e18), 127);
  EXPECT_EQ(written(ElementType::I8, -1000), -128);
  EXPECT_EQ(written(ElementType::I16, 40000), 32767);
  EXPECT_EQ(written(ElementType::I32, 1e300), 2147483647);
  EXPECT_EQ(written(ElementType::I32, -INFINITY), -2147483648.0);
  EXPECT_EQ(written(ElementType::I64, 1e300), std::ldexp(1.0, 63));
  EXPECT_EQ(written(ElementType::I64, NAN), 0);
  EXPECT_EQ(written(ElementType::I32, -7), -7);
}

bool fits(ElementType type, const char *text) {
  std::optional<Number> number = numberOf(text);
  EXPECT_TRUE(number) << text;
  return number && holds(type, *number);
}

TEST(ElementFormat, SaysWhatFits) {
  EXPECT_TRUE(fits(ElementType::I8, "-128"));
  EXPECT_FALSE(fits(ElementType::I8, "128"));
  EXPECT_TRUE(fits(ElementType::I64, "9223372036854775807"));
  EXPECT_FALSE(fits(ElementType::I64, "9223372036854775808"));
  EXPECT_TRUE(fits(ElementType::I64, "-9223372036854775808"));
  EXPECT_FALSE(fits(ElementType::I64, "-9223372036854775809"));
  EXPECT_TRUE(fits(ElementType::I32, "1e3"));
  EXPECT_FALSE(fits(ElementType::I32, "1.5"));
  EXPECT_FALSE(
      fits(ElementType::I64, "9007199254740993.0")); // would be rounded
  EXPECT_FALSE(fits(ElementType::I32, "nan"));
  EXPECT_TRUE(fits(ElementType::F16, "1e300")); // infinite
  EXPECT_FALSE(numberOf("many"));
}

TEST(ElementFormat, WholeNumbersKeepAllBits) {
  for (int64_t whole : {INT64_MAX, INT64_MIN, (int64_t(1) << 53) + 1}) {
    std::byte memory[8];
    writeNumber(ElementType::I64, memory, 0, wholeNumber(whole));
    EXPECT_EQ(readWhole(ElementType::I64, memory, 0), whole);
  }
}
