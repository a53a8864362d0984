//===- RoundingsTest.cpp - Roundings that processors have no code for -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: random numbers, and those next to halves. Out: whether what kernels of
// the CPU call to round them to bf16 gives what LLVM's APFloat gives; on
// processors that have an instruction for it nothing else would tell.
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <random>

using namespace heddle;

namespace {

template <typename Function> Function *find(llvm::StringRef wanted) {
  for (auto [name, address] : cpu::callableFunctions())
    if (wanted == name)
      return reinterpret_cast<Function *>(address);
  return nullptr;
}

uint16_t lowBits(float result) {
  return uint16_t(llvm::bit_cast<uint32_t>(result));
}

uint16_t wanted(llvm::APFloat value) {
  bool losesInfo = false;
  value.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return uint16_t(value.bitcastToAPInt().getZExtValue());
}

void expectSame(uint16_t found, uint16_t expected, double value) {
  bool isNan = (expected & 0x7FFF) > 0x7F80;
  if (isNan)
    EXPECT_GT(found & 0x7FFF, 0x7F80) << value;
  else
    EXPECT_EQ(found, expected) << value;
}

TEST(Roundings, F32ToBf16) {
  auto *round = find<float(float)>("__truncsfbf2");
  ASSERT_TRUE(round);
  std::mt19937 draw(1);
  for (int i = 0; i < 200000; ++i) {
    uint32_t bits = draw();
    if (i % 4 == 0) // half way between two, or next to it
      bits = (bits & 0xFFFF0000) + 0x7FFF + i / 4 % 3;
    auto value = llvm::bit_cast<float>(bits);
    expectSame(lowBits(round(value)), wanted(llvm::APFloat(value)), value);
  }
}

TEST(Roundings, F64ToBf16) {
  auto *round = find<float(double)>("__truncdfbf2");
  ASSERT_TRUE(round);
  std::mt19937_64 draw(1);
  for (int i = 0; i < 200000; ++i) {
    auto value = llvm::bit_cast<double>(draw());
    if (i % 2 == 0) { // near halves of bf16, by less than f32 tells
      auto half =
          llvm::bit_cast<float>((uint32_t(draw()) & 0xFFFF0000) + 0x8000);
      value = double(half) * (1 + (i % 6 - 2) * 0x1p-40);
    }
    expectSame(lowBits(round(value)), wanted(llvm::APFloat(value)), value);
  }
}

} // namespace
