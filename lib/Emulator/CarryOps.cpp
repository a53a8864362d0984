//===- CarryOps.cpp - Arithmetic with a carry -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// add.cc, addc, sub.cc, subc, mad.cc and madc: wide integers in several
// instructions. The carry flag is a pseudo-register of each lane.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

using namespace heddle::emulator;

namespace {
enum class Operation : uint8_t { Add, Subtract, MultiplyAdd };

struct CarryDetail : Detail {
  Operation operation = Operation::Add;
  bool takesHigh = false; ///< mad: the upper half of the product
  bool readsCarry = false;
  bool writesCarry = false;
  uint32_t carry = 0; ///< register
};

/// The half of a product that mad adds to.
uint64_t halfOfProduct(Type type, bool isHigh, uint64_t a, uint64_t b) {
  int bits = bitsOf(type);
  using Wide = __int128;
  Wide product = isSigned(type)
                     ? Wide(signExtend(a, bits)) * Wide(signExtend(b, bits))
                     : Wide((unsigned __int128)(a)*b);
  return uint64_t(isHigh ? product >> bits : product) & lowBits(bits);
}

Step execCarry(ExecContext &context, const Instruction &in, LaneMask mask) {
  const auto &detail = static_cast<const CarryDetail &>(*in.detail);
  uint64_t *d = context.lanes(in.d);
  uint64_t *carry = context.lanes(detail.carry);
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  const uint64_t *c = context.lanes(in.c);
  int bits = bitsOf(in.type);
  forEachLane(mask, [&](int lane) {
    using Wide = unsigned __int128;
    Wide left = a[lane], right = b[lane];
    if (detail.operation == Operation::MultiplyAdd) {
      left = halfOfProduct(in.type, detail.takesHigh, a[lane], b[lane]);
      right = c[lane];
    }
    Wide carryIn = detail.readsCarry ? carry[lane] : 0;
    // A borrow is a difference below zero, whose upper bits are then set.
    Wide result = detail.operation == Operation::Subtract
                      ? left - right - carryIn
                      : left + right + carryIn;
    d[lane] = uint64_t(result) & lowBits(bits);
    if (detail.writesCarry)
      carry[lane] = uint64_t(result >> bits) & 1;
  });
  return Step::Next;
}

template <Operation operation, bool readsCarry, bool takesHigh = false>
bool decode(Decoder &decoder) {
  auto detail = std::make_shared<CarryDetail>();
  detail->operation = operation;
  detail->readsCarry = readsCarry;
  detail->takesHigh = takesHigh || decoder.takeAny("hi");
  decoder.takeAny("lo");
  detail->writesCarry = decoder.takeAny("cc") || !readsCarry;
  detail->carry = decoder.pool.special("%carry");
  decoder.out.detail = detail;
  decoder.out.exec = execCarry;
  Type type = decoder.takeType();
  if (isFloat(type) || bitsOf(type) < 32 || bitsOf(type) > 64)
    return decoder.failUnknown();
  return decodeOperands(decoder, operation == Operation::MultiplyAdd ? 3 : 2,
                        type);
}
} // namespace

std::span<const Family> heddle::emulator::carryFamilies() {
  static constexpr Family families[] = {
      {"add.cc", decode<Operation::Add, false>},
      {"addc", decode<Operation::Add, true>},
      {"sub.cc", decode<Operation::Subtract, false>},
      {"subc", decode<Operation::Subtract, true>},
      {"mad.lo.cc", decode<Operation::MultiplyAdd, false>},
      {"mad.hi.cc", decode<Operation::MultiplyAdd, false, true>},
      {"madc", decode<Operation::MultiplyAdd, true>},
  };
  return families;
}
