//===- LimitsTest.cpp - Limits are read strictly ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits of the H200 stand twice, in machines/h200.json and compiled in,
// and must be equal. The errors of a bad file and the rounding of a launch's
// registers are tested beside that.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Limits.h"

#include "gtest/gtest.h"
#include <string>

using namespace heddle::machine;

TEST(Limits, NamesTheBadField) {
  Limits limits;
  std::string error;
  EXPECT_FALSE(readLimits(R"({"limits": {"multiprocessors": {"value": 132}}})",
                          limits, error));
  EXPECT_EQ(error,
            "limits.multiprocessors: expected a positive value and its source");
}

TEST(Limits, LaunchRegistersRoundDownToEight) {
  EXPECT_EQ(launchRegisters(limitsOf("sm_90a"), 384), 168);
  EXPECT_EQ(launchRegisters(limitsOf("sm_90a"), 128), 255);
  EXPECT_EQ(launchRegisters(limitsOf("sm_90a"), 512), 128);
  // A kernel whose processes are all empty.
  EXPECT_EQ(launchRegisters(limitsOf("sm_90a"), 0), 255);
}
