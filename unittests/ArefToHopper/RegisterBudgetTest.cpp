//===- RegisterBudgetTest.cpp - Registers when loads become copies
//----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Budgets for setmaxnreg, from plain numbers. A sum beyond what the launch
// allocates is no error to the hardware: a warp group waits for registers for
// ever. So the tests look at sums, floors and rounding, and at replicas, which
// have as many as their leader.
//
//===----------------------------------------------------------------------===//

#include "RegisterBudget.h"

#include "gtest/gtest.h"

using namespace heddle::areftohopper;

namespace {

using Budgets = std::vector<int64_t>;

/// Of a block that has a multiprocessor to itself.
const heddle::machine::Limits &kShare = heddle::machine::limitsOf("sm_90a");

/// Of a machine where copies want `copying` registers.
static heddle::machine::Costs::Registers marginsOf(double copying) {
  heddle::machine::Costs::Registers margins;
  margins.copying = copying;
  margins.copyingLeast = 88;
  margins.copyingMore = 16;
  return margins;
}

TEST(RegisterBudget, WithoutCopiesNothingChanges) {
  EXPECT_EQ(
      rebalanceRegisters(
          {{4, 40, 64, false}, {4, 232, 184, false}, {4, 232, 184, false}},
          marginsOf(128), kShare),
      (Budgets{40, 232, 232}));
}

/// A process that is the same as the one in front of it.
RegisterRequest replicaOf(int leader, RegisterRequest request) {
  request.leader = leader;
  return request;
}

// 128, 184 and 192 would be in the pool, too; what is left over goes to the
// copies.
TEST(RegisterBudget, ReplicasPayAlike) {
  RegisterRequest request{4, 232, 184, false};
  EXPECT_EQ(
      rebalanceRegisters({{4, 40, 64, true}, request, replicaOf(1, request)},
                         marginsOf(128), kShare),
      (Budgets{136, 184, 184}));
}

// One of them at its floor keeps both.
TEST(RegisterBudget, ReplicasStayAboveTheFloorOfEach) {
  EXPECT_EQ(rebalanceRegisters({{4, 40, 64, true},
                                {4, 232, 184, false},
                                replicaOf(1, {4, 232, 216, false})},
                               marginsOf(128), kShare),
            (Budgets{72, 216, 216}));
}

TEST(RegisterBudget, CopiesArePaidForByTheLargest) {
  EXPECT_EQ(rebalanceRegisters(
                {{4, 40, 64, true}, {4, 232, 184, false}, {4, 232, 184, false}},
                marginsOf(128), kShare),
            (Budgets{128, 184, 192}));
}

// Above what copies need, those give whose floors are no estimates.
TEST(RegisterBudget, CopiesGetWhatOthersDoNotNeed) {
  auto copying = [](int64_t floor, bool isExact) {
    return rebalanceRegisters({{4, 40, 64, true},
                               {4, 232, floor, false, isExact},
                               {4, 232, floor, false, isExact}},
                              marginsOf(104), kShare);
  };
  EXPECT_EQ(copying(184, true), (Budgets{120, 192, 192}));
  EXPECT_EQ(copying(200, true), (Budgets{104, 200, 200}));
  EXPECT_EQ(copying(184, false), (Budgets{104, 200, 200}));
}

TEST(RegisterBudget, WhatCopiesNeedIsTheMachines) {
  EXPECT_EQ(rebalanceRegisters(
                {{4, 40, 64, true}, {4, 232, 184, false}, {4, 232, 184, false}},
                marginsOf(80), kShare),
            (Budgets{80, 208, 216}));
}

// A launch of 384 threads gets 168 registers each: 128 + 192 + 192 for 128
// threads each would wait for registers that are not there, for ever.
TEST(RegisterBudget, ThePoolIsWhatTheLaunchAllocates) {
  EXPECT_EQ(registerPool({{4, 0, 0, true}, {4, 0, 0, false}, {4, 0, 0, false}},
                         kShare),
            168 * 384);
}

TEST(RegisterBudget, FloorsLimitWhatCopiesGet) {
  EXPECT_EQ(rebalanceRegisters(
                {{4, 40, 64, true}, {4, 232, 216, false}, {4, 232, 216, false}},
                marginsOf(128), kShare),
            (Budgets{72, 216, 216}));
}

TEST(RegisterBudget, CopiesNeverGetLessThanTheyHad) {
  EXPECT_EQ(rebalanceRegisters(
                {{4, 40, 64, true}, {4, 232, 240, false}, {4, 232, 240, false}},
                marginsOf(128), kShare),
            (Budgets{40, 232, 232}));
}

TEST(RegisterBudget, AnUnlimitedProcessLeavesAllAsTheyAre) {
  EXPECT_EQ(rebalanceRegisters({{4, 40, 64, true}, {4, 0, 184, false}},
                               marginsOf(128), kShare),
            (Budgets{40, 0}));
}

// Down to 88, as many loads are under way.
TEST(RegisterBudget, WhoWantsMoreGetsItFromCopies) {
  auto wanting = [](int64_t wanted) {
    RegisterRequest request{4, 240, 160, false, false, wanted};
    return rebalanceRegisters(
        {{4, 24, 56, true}, request, replicaOf(1, request)}, marginsOf(104),
        kShare);
  };
  EXPECT_EQ(wanting(200), (Budgets{104, 200, 200}));
  EXPECT_EQ(wanting(204), (Budgets{88, 208, 208}));
  EXPECT_EQ(wanting(216), (Budgets{88, 208, 208}));
  EXPECT_EQ(wanting(260), (Budgets{88, 208, 208}));
}

TEST(RegisterBudget, PartialWarpGroupsCountWhole) {
  EXPECT_EQ(countRegisters({{1, 40, 24, false}, {4, 232, 24, false}}),
            (40 + 232) * 128);
}

} // namespace
