//===- MmaOps.cpp - mma.sync ----------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The m16n8 shapes of one warp. Done at once: mma.sync is synchronous.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "ExecContext.h"
#include "MatrixElements.h"

#include <cstdio>

using namespace heddle::emulator;

namespace {
struct MmaDetail : Detail {
  int k = 0;
  int registersA = 0, registersB = 0, registersC = 0;
  Type typeA = Type::F16, typeB = Type::F16;
  Type typeC = Type::F32, typeD = Type::F32;
  bool saturates = false;
};

constexpr int kM = 16, kN = 8, kMaxK = 64;
} // namespace

/// Registers of an accumulator: two f16 values share one.
static int perRegister(Type accumulator) {
  return accumulator == Type::F16 ? 2 : 1;
}

static void loadA(ExecContext &context, const Instruction &in,
                  const MmaDetail &mma, double *a) {
  int bits = bitsOf(mma.typeA), each = 32 / bits;
  for (int i = 0; i < mma.registersA; ++i) {
    const uint64_t *reg = context.lanes(in.sources[i]);
    for (int lane = 0; lane < kLanes; ++lane) {
      FragmentPlace place = operandPlace(lane, i, each);
      for (int e = 0; e < each; ++e)
        a[place.row * mma.k + place.column + e] =
            elementValue(mma.typeA, uint32_t(reg[lane]) >> (e * bits % 32));
    }
  }
}

static void loadB(ExecContext &context, const Instruction &in,
                  const MmaDetail &mma, double *b) {
  int bits = bitsOf(mma.typeB), each = 32 / bits;
  for (int i = 0; i < mma.registersB; ++i) {
    const uint64_t *reg = context.lanes(in.sources[mma.registersA + i]);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int e = 0; e < each; ++e) {
        int k = lane % 4 * each + e + i * 4 * each;
        b[k * kN + lane / 4] =
            elementValue(mma.typeB, uint32_t(reg[lane]) >> (e * bits % 32));
      }
  }
}

static Step execMma(ExecContext &context, const Instruction &in, LaneMask) {
  const auto &mma = static_cast<const MmaDetail &>(*in.detail);
  double a[kM * kMaxK], b[kMaxK * kN], sums[kM * kN];
  loadA(context, in, mma, a);
  loadB(context, in, mma, b);
  int each = perRegister(mma.typeC);
  for (int i = 0; i < 4; ++i) {
    const uint64_t *reg =
        context.lanes(in.sources[mma.registersA + mma.registersB + i / each]);
    for (int lane = 0; lane < kLanes; ++lane) {
      FragmentPlace place = accumulatorPlace(lane, i);
      sums[place.row * kN + place.column] = accumulatorValue(
          mma.typeC, uint32_t(reg[lane]) >> (each == 2 ? i % 2 * 16 : 0));
    }
  }
  multiplyAccumulate(a, b, sums, kM, kN, mma.k);
  each = perRegister(mma.typeD);
  for (int i = 0; i < 4; ++i) {
    uint64_t *reg = context.lanes(in.destinations[i / each]);
    for (int lane = 0; lane < kLanes; ++lane) {
      FragmentPlace place = accumulatorPlace(lane, i);
      uint64_t bits = accumulatorBits(
          mma.typeD, sums[place.row * kN + place.column], mma.saturates);
      if (each == 1)
        reg[lane] = bits;
      else
        reg[lane] = i % 2 ? (reg[lane] & 0xFFFF) | bits << 16 : bits;
    }
  }
  return Step::Next;
}

static bool decodeMma(Decoder &decoder) {
  auto mma = std::make_shared<MmaDetail>();
  decoder.drop({"sync", "aligned"});
  int m = 0, n = 0;
  std::string shape(decoder.takeModifier());
  if (std::sscanf(shape.c_str(), "m%dn%dk%d", &m, &n, &mma->k) != 3 ||
      m != kM || n != kN)
    return decoder.failUnknown();
  if (!decoder.take("row") || !decoder.take("col"))
    return decoder.failUnknown();
  mma->saturates = decoder.takeAny("satfinite");
  mma->typeD = decoder.takeType();
  mma->typeA = decoder.takeType();
  mma->typeB = decoder.takeType();
  mma->typeC = decoder.takeType();
  int bits = bitsOf(mma->typeA);
  bool isUnknown = std::isnan(elementValue(mma->typeA, 0)) ||
                   std::isnan(elementValue(mma->typeB, 0));
  if (isUnknown || bits != bitsOf(mma->typeB) || mma->k * bits % 128 ||
      mma->k > kMaxK)
    return decoder.failUnknown();
  mma->registersB = mma->k * bits / 128;
  mma->registersA = 2 * mma->registersB;
  mma->registersC = 4 / perRegister(mma->typeC);
  decoder.out.exec = execMma;
  decoder.out.detail = mma;
  decoder.out.needsFullWarp = true;
  return decoder.vectorDestination(mma->typeD, 4 / perRegister(mma->typeD)) &&
         decoder.vectorSource(Type::B32, mma->registersA) &&
         decoder.vectorSource(Type::B32, mma->registersB) &&
         decoder.vectorSource(mma->typeC, mma->registersC);
}

std::span<const Family> heddle::emulator::mmaFamilies() {
  static constexpr Family families[] = {{"mma", decodeMma}};
  return families;
}
