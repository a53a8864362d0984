//===- SharedPlanTest.cpp - Where rings, scratch and staging lie
//------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where rings, scratch and staging lie in shared memory, without a kernel
// around them. A program that fills shared memory exactly is hard to write
// down, and the edge is where the plan declines staging or reports an overflow.
//
//===----------------------------------------------------------------------===//

#include "SharedPlan.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace heddle::areftohopper;

namespace {

std::string describe(const SharedRequest &request) {
  std::string text;
  llvm::raw_string_ostream os(text);
  planShared(request).print(os, request);
  return text;
}

SharedRequest makeRequest() {
  SharedRequest request;
  request.limitBytes = heddle::machine::limitsOf("sm_90a").sharedBytesPerBlock;
  return request;
}

RingRequest makeRing(std::string name, int64_t depth,
                     std::vector<int64_t> bytes) {
  RingRequest ring{std::move(name), depth, {}};
  for (int64_t size : bytes)
    ring.elements.push_back({size, kSwizzledAlignment});
  return ring;
}

TEST(SharedPlan, TwoBuffersForEachProcess) {
  SharedRequest request = makeRequest();
  request.rings = {makeRing("ab", 4, {8192, 8192, 32768})};
  request.staging = {{"load", 0, 0}, {"mma.0", 8192, 2}, {"mma.1", 8192, 2}};
  EXPECT_EQ(describe(request), "ring ab depth 4 at 0 slot 49152 full 229376 "
                               "empty 229408 elements 0 8192 16384\n"
                               "staging load of 0 at none\n"
                               "staging mma.0 of 8192 at 196608 212992\n"
                               "staging mma.1 of 8192 at 204800 221184\n"
                               "total 229440 fits 232448\n");
}

TEST(SharedPlan, EveryProcessGetsOneBufferBeforeAnyGetsTwo) {
  SharedRequest request = makeRequest();
  request.rings = {makeRing("ab", 4, {49152})};
  request.staging = {{"p", 12288, 2}, {"q", 12288, 2}};
  SharedPlan plan = planShared(request);
  EXPECT_TRUE(plan.fits);
  EXPECT_EQ(plan.staging[0].size(), 1u);
  EXPECT_EQ(plan.staging[1].size(), 1u);
}

TEST(SharedPlan, ReplicasGetStagingTogetherOrNotAtAll) {
  SharedRequest request = makeRequest();
  request.rings = {makeRing("ab", 4, {49152})};
  auto buffers = [&](int64_t bytes, int leader) {
    request.staging = {
        {"load", 0, 0}, {"p", bytes, 2}, {"q", bytes, 2, leader}};
    SharedPlan plan = planShared(request);
    EXPECT_TRUE(plan.fits);
    EXPECT_TRUE(plan.staging[0].empty());
    return std::pair(plan.staging[1].size(), plan.staging[2].size());
  };
  using Counts = std::pair<size_t, size_t>;
  // 35776 bytes are left: room for four, for three, for two, for one.
  EXPECT_EQ(buffers(8192, 1), Counts(2, 2));
  EXPECT_EQ(buffers(11264, -1), Counts(2, 1));
  EXPECT_EQ(buffers(11264, 1), Counts(1, 1));
  EXPECT_EQ(buffers(16384, 1), Counts(1, 1));
  EXPECT_EQ(buffers(32768, -1), Counts(1, 0));
  EXPECT_EQ(buffers(32768, 1), Counts(0, 0));
}

TEST(SharedPlan, WhatReplicasHaveNoRoomForIsLeftToOthers) {
  SharedRequest request = makeRequest();
  request.rings = {makeRing("ab", 4, {49152})};
  request.staging = {{"p", 20480, 2}, {"q", 20480, 2, 0}, {"r", 16384, 2}};
  SharedPlan plan = planShared(request);
  EXPECT_TRUE(plan.staging[0].empty());
  EXPECT_TRUE(plan.staging[1].empty());
  EXPECT_EQ(plan.staging[2].size(), 2u);
}

TEST(SharedPlan, StagingIsDeclinedWhereItDoesNotFit) {
  SharedRequest request = makeRequest();
  request.rings = {makeRing("ab", 7, {32768})};
  request.staging = {{"p", 8192, 2}};
  SharedPlan plan = planShared(request);
  EXPECT_TRUE(plan.fits);
  EXPECT_TRUE(plan.staging[0].empty());
}

TEST(SharedPlan, ASecondBufferIsNotGivenWithoutAFirst) {
  SharedRequest request = makeRequest();
  request.limitBytes = 4096;
  request.staging = {{"large", 8192, 2}, {"small", 1024, 2}};
  SharedPlan plan = planShared(request);
  EXPECT_TRUE(plan.staging[0].empty());
  EXPECT_EQ(plan.staging[1].size(), 2u);
}

TEST(SharedPlan, OverflowSaysWhatDepthWouldFit) {
  SharedRequest request = makeRequest();
  request.rings = {makeRing("a", 4, {49152}), makeRing("b", 3, {16384}),
                   makeRing("c", 1, {65536})};
  SharedPlan plan = planShared(request);
  EXPECT_FALSE(plan.fits);
  EXPECT_EQ(plan.rings[0].depthThatFits, 2);
  EXPECT_EQ(plan.rings[1].depthThatFits, 0);
  EXPECT_EQ(plan.rings[2].depthThatFits, 0);
}

TEST(SharedPlan, ScratchIsRequired) {
  SharedRequest request = makeRequest();
  request.rings = {makeRing("a", 4, {49152})};
  request.scratch = {{"p", 65536}};
  SharedPlan plan = planShared(request);
  EXPECT_FALSE(plan.fits);
  EXPECT_EQ(plan.rings[0].depthThatFits, 3);
  request.rings[0].depth = 3;
  EXPECT_EQ(
      describe(request),
      "ring a depth 3 at 0 slot 49152 full 212992 empty 213016 elements 0\n"
      "scratch p of 65536 at 147456\n"
      "total 213040 fits 232448\n");
}

TEST(SharedPlan, SmallElementsAreNotPaddedToTheSwizzle) {
  SharedRequest request = makeRequest();
  request.rings = {{"v", 2, {{256, 128}, {64, 128}}}};
  SharedPlan plan = planShared(request);
  EXPECT_EQ(plan.rings[0].slotBytes, 384);
  EXPECT_EQ(plan.rings[0].elements, (std::vector<int64_t>{0, 256}));
}

TEST(SharedPlan, ACreditTakesBarriersOnly) {
  SharedRequest request = makeRequest();
  request.rings = {{"go", 2, {}}};
  SharedPlan plan = planShared(request);
  EXPECT_EQ(plan.rings[0].slotBytes, 0);
  EXPECT_EQ(plan.totalBytes, 32);
}

} // namespace
