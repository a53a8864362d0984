//===- LinearFormTest.cpp - Sums of multiples of program values -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of multiples: terms that cancel, their order, common divisors, and forms
// that leave the exact range. A lost form must stay lost, whatever is done to
// it, or bounds would be proved from wrong numbers.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/LinearForm.h"

#include <gtest/gtest.h>

using namespace heddle;

static LinearForm x() { return LinearForm::atom(0); }
static LinearForm y() { return LinearForm::atom(1); }

TEST(LinearForm, WhatIsCommonCancels) {
  LinearForm form = x() * 3 + y() - 5;
  EXPECT_EQ(form - y() - x() * 3, LinearForm(-5));
  EXPECT_TRUE((form - form).isConstant());
  EXPECT_EQ(form.factorOf(0), Wide(3));
  EXPECT_EQ(form.factorOf(7), Wide(0));
}

TEST(LinearForm, TermsStandInOneOrder) {
  EXPECT_EQ(x() + y(), y() + x());
  LinearForm form = y() + x();
  EXPECT_EQ(form.getTerms().front().first, 0);
}

TEST(LinearForm, FindsWhatDividesIt) {
  EXPECT_EQ((x() * 16 + y() * 24 - 8).commonDivisor(), Wide(8));
  EXPECT_EQ(LinearForm(0).commonDivisor(), Wide(0));
}

TEST(LinearForm, IsLostWhereItWouldNotBeExact) {
  Wide most = Wide(1) << 63;
  EXPECT_FALSE((x() * most).isLost());
  LinearForm large = x() * most + x();
  EXPECT_TRUE(large.isLost());
  EXPECT_FALSE(large.isConstant());
  EXPECT_TRUE((large * 0 + y()).isLost());
  EXPECT_TRUE((large - large).isLost());
  EXPECT_TRUE((y() + large).isLost());
}

TEST(LinearForm, IsNegativeWhereItsLowestTermsAre) {
  EXPECT_EQ((LinearForm(130) - x() * 64).inLowestTerms(), LinearForm(2) - x());
  EXPECT_EQ((x() * 6 - y() * 4 - 3).inLowestTerms(), x() * 3 - y() * 2 - 2);
  EXPECT_EQ((x() - 5).inLowestTerms(), x() - 5);
  EXPECT_EQ(LinearForm(-7).inLowestTerms(), LinearForm(-7));
  for (int constant = -9; constant <= 9; ++constant)
    for (int factor : {-4, -3, 2, 6})
      for (int number = -9; number <= 9; ++number) {
        LinearForm lowest = (x() * factor + constant).inLowestTerms();
        Wide value = lowest.factorOf(0) * number + lowest.getConstant();
        EXPECT_EQ(factor * number + constant < 0, value < 0);
      }
}
