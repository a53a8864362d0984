//===- MmaOps.cpp - mma.sync ----------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shapes of one warp: m16n8 and m8n8 with one column of rows. Done at once:
// mma.sync is synchronous.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "ExecContext.h"
#include "MatrixElements.h"

#include <cstdio>

using namespace heddle::emulator;

namespace {
struct MmaDetail : Detail {
  int m = 0, k = 0;
  int registersA = 0, registersB = 0, registersC = 0;
  Type typeA = Type::F16, typeB = Type::F16;
  Type typeC = Type::F32, typeD = Type::F32;
  bool saturates = false;
};

constexpr int kMaxM = 16, kN = 8, kMaxK = 64;
} // namespace

/// Registers of an accumulator: two f16 values share one.
static int perRegister(Type accumulator) {
  return accumulator == Type::F16 ? 2 : 1;
}

/// Neighbours along k in one register: an f64 has one of 64 bits for itself.
static int perOperandRegister(Type type) {
  return type == Type::F64 ? 1 : 32 / bitsOf(type);
}

static double operandValue(Type type, uint64_t reg, int element) {
  if (type == Type::F64)
    return std::bit_cast<double>(reg);
  return elementValue(type, uint32_t(reg) >> (element * bitsOf(type) % 32));
}

static void loadA(ExecContext &context, const Instruction &in,
                  const MmaDetail &mma, double *a) {
  int each = perOperandRegister(mma.typeA);
  for (int i = 0; i < mma.registersA; ++i) {
    const uint64_t *reg = context.lanes(in.sources[i]);
    for (int lane = 0; lane < kLanes; ++lane) {
      // Registers alternate between the upper and the lower eight rows.
      FragmentPlace place = operandPlace(lane, mma.m == 8 ? 2 * i : i, each);
      for (int e = 0; e < each; ++e)
        a[place.row * mma.k + place.column + e] =
            operandValue(mma.typeA, reg[lane], e);
    }
  }
}

static void loadB(ExecContext &context, const Instruction &in,
                  const MmaDetail &mma, double *b) {
  int each = perOperandRegister(mma.typeB);
  for (int i = 0; i < mma.registersB; ++i) {
    const uint64_t *reg = context.lanes(in.sources[mma.registersA + i]);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int e = 0; e < each; ++e) {
        int k = lane % 4 * each + e + i * 4 * each;
        b[k * kN + lane / 4] = operandValue(mma.typeB, reg[lane], e);
      }
  }
}

static void loadC(ExecContext &context, const Instruction &in,
                  const MmaDetail &mma, double *sums) {
  int each = perRegister(mma.typeC);
  for (int i = 0; i < mma.m / 4; ++i) {
    const uint64_t *reg =
        context.lanes(in.sources[mma.registersA + mma.registersB + i / each]);
    for (int lane = 0; lane < kLanes; ++lane) {
      FragmentPlace place = accumulatorPlace(lane, i);
      sums[place.row * kN + place.column] =
          mma.typeC == Type::F64
              ? std::bit_cast<double>(reg[lane])
              : accumulatorValue(mma.typeC,
                                 uint32_t(reg[lane] >> (i % each * 16)));
    }
  }
}

static void storeD(ExecContext &context, const Instruction &in,
                   const MmaDetail &mma, const double *sums) {
  int each = perRegister(mma.typeD);
  for (int i = 0; i < mma.m / 4; ++i) {
    uint64_t *reg = context.lanes(in.destinations[i / each]);
    for (int lane = 0; lane < kLanes; ++lane) {
      FragmentPlace place = accumulatorPlace(lane, i);
      double sum = sums[place.row * kN + place.column];
      if (mma.typeD == Type::F64) {
        reg[lane] = std::bit_cast<uint64_t>(sum);
        continue;
      }
      uint64_t bits = accumulatorBits(mma.typeD, sum, mma.saturates);
      reg[lane] =
          i % each ? (reg[lane] & 0xFFFF) | bits << 16 : bits; // the low first
    }
  }
}

/// Products of doubles are not exact; each is added by one fused operation.
static void multiplyDoubles(const double *a, const double *b, double *sums,
                            int m, int k) {
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < kN; ++column)
      for (int i = 0; i < k; ++i)
        sums[row * kN + column] = std::fma(a[row * k + i], b[i * kN + column],
                                           sums[row * kN + column]);
}

static Step execMma(ExecContext &context, const Instruction &in, LaneMask) {
  const auto &mma = static_cast<const MmaDetail &>(*in.detail);
  double a[kMaxM * kMaxK], b[kMaxK * kN], sums[kMaxM * kN];
  loadA(context, in, mma, a);
  loadB(context, in, mma, b);
  loadC(context, in, mma, sums);
  if (mma.typeA == Type::F64)
    multiplyDoubles(a, b, sums, mma.m, mma.k);
  else
    multiplyAccumulate(a, b, sums, mma.m, kN, mma.k);
  storeD(context, in, mma, sums);
  return Step::Next;
}

/// The shapes of the manual that have the layout above.
static bool isKnownShape(const MmaDetail &mma) {
  if (mma.k < 1 || mma.k > kMaxK)
    return false;
  int bits = bitsOf(mma.typeA), rowBits = mma.k * bits;
  if (mma.typeA == Type::F64)
    return mma.m == 8 ? mma.k == 4 : mma.k == 4 || mma.k == 8 || mma.k == 16;
  if (mma.m == 8)
    return bits == 8 && mma.k == 16 && mma.typeC == Type::S32;
  return rowBits == 128 || rowBits == 256;
}

/// Whether the four types go together.
static bool areKnownTypes(const MmaDetail &mma) {
  auto isInteger = [](Type type) {
    return type == Type::S8 || type == Type::U8;
  };
  if (mma.typeA == Type::F64)
    return mma.typeB == Type::F64 && mma.typeC == Type::F64 &&
           mma.typeD == Type::F64;
  if (isInteger(mma.typeA))
    return isInteger(mma.typeB) && mma.typeC == Type::S32 &&
           mma.typeD == Type::S32;
  auto isSum = [](Type type) { return type == Type::F32 || type == Type::F16; };
  bool isKnown = !std::isnan(elementValue(mma.typeA, 0)) &&
                 !std::isnan(elementValue(mma.typeB, 0));
  return isKnown && !isInteger(mma.typeB) &&
         bitsOf(mma.typeA) == bitsOf(mma.typeB) && isSum(mma.typeC) &&
         isSum(mma.typeD);
}

static bool decodeMma(Decoder &decoder) {
  auto mma = std::make_shared<MmaDetail>();
  decoder.drop({"sync", "aligned"});
  int n = 0;
  std::string shape(decoder.takeModifier());
  if (std::sscanf(shape.c_str(), "m%dn%dk%d", &mma->m, &n, &mma->k) != 3 ||
      (mma->m != 8 && mma->m != 16) || n != kN)
    return decoder.failUnknown();
  if (!decoder.take("row") || !decoder.take("col"))
    return decoder.failUnknown();
  mma->saturates = decoder.takeAny("satfinite");
  mma->typeD = decoder.takeType();
  mma->typeA = decoder.takeType();
  mma->typeB = decoder.takeType();
  mma->typeC = decoder.takeType();
  if (!areKnownTypes(*mma) || !isKnownShape(*mma))
    return decoder.failUnknown();
  mma->registersB = mma->k / 4 / perOperandRegister(mma->typeA);
  mma->registersA = mma->m / 8 * mma->registersB;
  mma->registersC = mma->m / 4 / perRegister(mma->typeC);
  decoder.out.exec = execMma;
  decoder.out.detail = mma;
  decoder.out.needsFullWarp = true;
  Type operand = mma->typeA == Type::F64 ? Type::F64 : Type::B32;
  return decoder.vectorDestination(mma->typeD,
                                   mma->m / 4 / perRegister(mma->typeD)) &&
         decoder.vectorSource(operand, mma->registersA) &&
         decoder.vectorSource(operand, mma->registersB) &&
         decoder.vectorSource(mma->typeC, mma->registersC);
}

std::span<const Family> heddle::emulator::mmaFamilies() {
  static constexpr Family families[] = {{"mma", decodeMma}};
  return families;
}
