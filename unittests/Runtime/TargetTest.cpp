//===- TargetTest.cpp - Which device runs which target --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of targets and compute capabilities go in; the answer says whether code
// for the target runs there. A rule that is too strict refuses a device that
// works, and one that is too lax leaves the refusal to a message of the driver.
//
//===----------------------------------------------------------------------===//

#include "../../runtime/lib/Module.h"
#include "gtest/gtest.h"

using heddle::runtime::targetRunsOn;

TEST(Target, ArchitectureSpecificCodeRunsOnExactlyThatOne) {
  EXPECT_TRUE(targetRunsOn("sm_90a", 9, 0));
  EXPECT_FALSE(targetRunsOn("sm_90a", 10, 0));
  EXPECT_FALSE(targetRunsOn("sm_90a", 8, 9));
  EXPECT_TRUE(targetRunsOn("sm_103a", 10, 3));
}

TEST(Target, FamilyCodeRunsInItsFamily) {
  EXPECT_TRUE(targetRunsOn("sm_100f", 10, 3));
  EXPECT_FALSE(targetRunsOn("sm_103f", 10, 0));
  EXPECT_FALSE(targetRunsOn("sm_100f", 12, 0));
}

TEST(Target, PlainCodeRunsOnLaterOnes) {
  EXPECT_TRUE(targetRunsOn("sm_80", 9, 0));
  EXPECT_TRUE(targetRunsOn("sm_90", 12, 0));
  EXPECT_FALSE(targetRunsOn("sm_90", 8, 9));
}
