//===- LeftOutTest.cpp ----------------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bodies that cmake/LeftOut.ld gives to what heddle leaves out of LLVM,
// called as a linked program would call them.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

extern "C" {
void heddle_left_out();
void *heddle_nothing();
}

TEST(LeftOut, WhatIsReachedEndsTheProgramWithItsReason) {
  EXPECT_DEATH(heddle_left_out(), "leaves out a part of LLVM");
}

TEST(LeftOut, NothingIsNull) { EXPECT_EQ(heddle_nothing(), nullptr); }
