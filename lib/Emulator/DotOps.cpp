//===- DotOps.cpp - Products of narrow integers ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dp4a and dp2a: dot products inside a register. mul24 and mad24: products of
// the low 24 bits.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <algorithm>

using namespace heddle::emulator;

namespace {
/// Element `index` of `bits` bits.
int64_t elementOf(uint64_t value, int index, int bits, bool isSigned) {
  uint64_t element = value >> (index * bits) & lowBits(bits);
  return isSigned ? signExtend(element, bits) : int64_t(element);
}

struct DotDetail : Detail {
  int count = 4;
  int bitsOfA = 8;
  int firstOfB = 0;
  bool isSignedA = false, isSignedB = false;
};

Step execDot(ExecContext &context, const Instruction &in, LaneMask mask) {
  const auto &dot = static_cast<const DotDetail &>(*in.detail);
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  const uint64_t *c = context.lanes(in.c);
  forEachLane(mask, [&](int lane) {
    uint64_t sum = c[lane];
    for (int i = 0; i < dot.count; ++i)
      sum += uint64_t(elementOf(a[lane], i, dot.bitsOfA, dot.isSignedA) *
                      elementOf(b[lane], dot.firstOfB + i, 8, dot.isSignedB));
    d[lane] = uint32_t(sum);
  });
  return Step::Next;
}

bool decodeDot(Decoder &decoder, std::shared_ptr<DotDetail> dot) {
  Type a = decoder.takeType(), b = decoder.takeType();
  dot->isSignedA = isSigned(a);
  dot->isSignedB = isSigned(b);
  decoder.out.detail = dot;
  decoder.out.exec = execDot;
  if (bitsOf(a) != 32 || bitsOf(b) != 32)
    return decoder.failUnknown();
  return decodeOperands(decoder, 3, Type::S32);
}

bool decodeDp4a(Decoder &decoder) {
  return decodeDot(decoder, std::make_shared<DotDetail>());
}

bool decodeDp2a(Decoder &decoder) {
  auto dot = std::make_shared<DotDetail>();
  dot->count = 2;
  dot->bitsOfA = 16;
  dot->firstOfB = decoder.take("hi") ? 2 : 0;
  if (!dot->firstOfB && !decoder.take("lo"))
    return decoder.failUnknown();
  return decodeDot(decoder, dot);
}

/// The lower or the upper 32 of a product's 48 bits.
template <bool isSigned, bool isHigh> struct Mul24 {
  static uint64_t apply(uint64_t a, uint64_t b) {
    int64_t product =
        elementOf(a, 0, 24, isSigned) * elementOf(b, 0, 24, isSigned);
    return uint32_t(isHigh ? product >> 16 : product);
  }
};
template <bool isSigned, bool isHigh> struct Mad24 {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    return uint32_t(Mul24<isSigned, isHigh>::apply(a, b) + c);
  }
};
struct SaturatingMad24 {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    int64_t sum = int64_t(int32_t(Mul24<true, true>::apply(a, b))) + int32_t(c);
    return uint32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  }
};

bool decode24(Decoder &decoder, bool adds) {
  bool isHigh = decoder.take("hi");
  decoder.take("lo");
  bool saturates = decoder.take("sat");
  Type type = decoder.takeType();
  if (bitsOf(type) != 32 || (saturates && !(adds && isHigh && isSigned(type))))
    return decoder.failUnknown();
  static constexpr ExecFn products[] = {
      execBinary<Mul24<false, false>>, execBinary<Mul24<false, true>>,
      execBinary<Mul24<true, false>>, execBinary<Mul24<true, true>>};
  static constexpr ExecFn sums[] = {
      execTernary<Mad24<false, false>>, execTernary<Mad24<false, true>>,
      execTernary<Mad24<true, false>>, execTernary<Mad24<true, true>>};
  int which = 2 * isSigned(type) + isHigh;
  decoder.out.exec = saturates ? execTernary<SaturatingMad24>
                     : adds    ? sums[which]
                               : products[which];
  return decodeOperands(decoder, adds ? 3 : 2, type);
}

bool decodeMul24(Decoder &decoder) { return decode24(decoder, false); }
bool decodeMad24(Decoder &decoder) { return decode24(decoder, true); }
} // namespace

std::span<const Family> heddle::emulator::dotFamilies() {
  static constexpr Family families[] = {
      {"dp4a", decodeDp4a},
      {"dp2a", decodeDp2a},
      {"mul24", decodeMul24},
      {"mad24", decodeMad24},
  };
  return families;
}
