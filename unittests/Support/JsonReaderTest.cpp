//===- JsonReaderTest.cpp - Integers at the ends of their ranges -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of JSON that are, or are not, integers of 64 bits. LLVM's conversion
// of 2^63, written as a float or with its digits, is undefined; found by
// fuzzing problems and certificates.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/JsonReader.h"

#include <gtest/gtest.h>

using namespace heddle::strict;

static llvm::json::Value parsed(const char *text) {
  return llvm::cantFail(llvm::json::parse(text));
}

TEST(JsonReader, TakesTheGreatestIntegers) {
  EXPECT_EQ(toInteger(parsed("9223372036854775807")), INT64_MAX);
  EXPECT_EQ(toInteger(parsed("-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(toInteger(parsed("9.0e15")), 9'000'000'000'000'000);
  EXPECT_EQ(toUnsigned(parsed("9223372036854775808")), uint64_t(1) << 63);
}

TEST(JsonReader, LeavesWhatIsNone) {
  for (const char *text : {"9223372036854775808", "9.223372036854775808e18",
                           "18446744073709551616", "1e300", "-1e300", "0.5",
                           "\"7\"", "true", "null"})
    EXPECT_EQ(toInteger(parsed(text)), std::nullopt) << text;
  for (const char *text :
       {"18446744073709551616", "1.8446744073709552e19", "-1", "0.5"})
    EXPECT_EQ(toUnsigned(parsed(text)), std::nullopt) << text;
}
