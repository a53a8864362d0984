//===- ArgumentDataTest.cpp - Memory of arguments -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments are filled, poisoned and copied, and their strides and bits
// compared. `heddle run` judges kernels by this memory: inputs that a seed does
// not decide cannot be repeated, and a poison that is an ordinary number would
// let a kernel pass that writes nothing.
//
//===----------------------------------------------------------------------===//

#include "SampleArguments.h"
#include "heddle/Run/ElementFormat.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace heddle::tool;
using heddle::manifest::ElementType;

namespace {

TEST(ArgumentData, IsPackedInTheStorageOrder) {
  ArgumentData rows(makeView("a", ElementType::F16, {1, 0}), {4, 6});
  EXPECT_EQ(rows.strides().vec(), (std::vector<int64_t>{6, 1}));
  ArgumentData columns(makeView("a", ElementType::F16, {0, 1}), {4, 6});
  EXPECT_EQ(columns.strides().vec(), (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(columns.sizeBytes(), 48u);
}

TEST(ArgumentData, WithoutElementsHasAnAddress) {
  ArgumentData empty(makeView("a", ElementType::F32), {0, 6});
  EXPECT_NE(empty.data(), nullptr);
  EXPECT_EQ(empty.sizeBytes(), 0u);
}

TEST(ArgumentData, TheSeedDecides) {
  ArgumentData a(makeView("a", ElementType::F32), {8, 8});
  ArgumentData b = a.clone(), c = a.clone();
  a.fillRandom(InputKind::Normal, 1);
  b.fillRandom(InputKind::Normal, 1);
  c.fillRandom(InputKind::Normal, 2);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.sizeBytes()), 0);
  EXPECT_NE(std::memcmp(a.data(), c.data(), a.sizeBytes()), 0);
}

TEST(ArgumentData, IntegersAreSmall) {
  ArgumentData data(makeView("a", ElementType::E4M3), {32, 32});
  data.fillRandom(InputKind::Integers, 3);
  bool negative = false;
  for (int64_t i = 0; i < data.elementCount(); ++i) {
    double value = data.element(i);
    EXPECT_EQ(value, std::nearbyint(value));
    EXPECT_LE(std::fabs(value), 2);
    negative |= value < 0;
  }
  EXPECT_TRUE(negative);
}

TEST(ArgumentData, PoisonIsNan) {
  for (ElementType type : {ElementType::F16, ElementType::BF16,
                           ElementType::F32, ElementType::E4M3}) {
    ArgumentData data(makeView("c", type), {2, 2});
    data.poison();
    EXPECT_TRUE(std::isnan(data.element(3)));
  }
}

TEST(ArgumentData, ScalarsKeepTheirBits) {
  ArgumentData scalar(makeScalar("alpha"), -1.5);
  EXPECT_EQ(scalar.scalarBits(), 0xbfc00000u);
  scalar.makeAbsolute();
  EXPECT_EQ(scalar.scalar(), 1.5);
}

TEST(ElementFormat, LimitsOfTheFormats) {
  EXPECT_EQ(epsilon(ElementType::F16), 0x1p-10);
  EXPECT_EQ(epsilon(ElementType::BF16), 0x1p-7);
  EXPECT_EQ(epsilon(ElementType::I32), 0);
  EXPECT_EQ(smallestNormal(ElementType::F16), 0x1p-14);
  EXPECT_EQ(smallestNormal(ElementType::F32), 0x1p-126);
}

} // namespace
