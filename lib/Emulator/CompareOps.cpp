//===- CompareOps.cpp - Comparisons and selections ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `setp`, `set`, `selp` and `slct`. A comparison is the set of outcomes for
// which it holds, with unordered as the fourth. So one table serves the
// spellings with a sign, without one and for NaN, and each type is compared
// once.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "FloatFormats.h"

using namespace heddle::emulator;

namespace {
/// A comparison is a set of outcomes for which it holds.
enum : uint8_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

struct ComparisonName {
  std::string_view name;
  uint8_t holds;
};

constexpr ComparisonName comparisons[] = {
    {"eq", kEqual},
    {"ne", kLess | kGreater},
    {"lt", kLess},
    {"le", kLess | kEqual},
    {"gt", kGreater},
    {"ge", kGreater | kEqual},
    {"lo", kLess},
    {"ls", kLess | kEqual},
    {"hi", kGreater},
    {"hs", kGreater | kEqual},
    {"equ", kEqual | kUnordered},
    {"neu", kLess | kGreater | kUnordered},
    {"ltu", kLess | kUnordered},
    {"leu", kLess | kEqual | kUnordered},
    {"gtu", kGreater | kUnordered},
    {"geu", kGreater | kEqual | kUnordered},
    {"num", kLess | kEqual | kGreater},
    {"nan", kUnordered},
};

enum : uint32_t {
  kHoldsMask = 15,
  kAnd = 16,
  kOr = 32,
  kXor = 64,
  kNegatesOperand = 128, ///< the combined predicate is `!c`
  kFlush = 256,
  kFloatResult = 512, ///< set.*.f32 gives 1.0 instead of all ones
};

template <class T> uint8_t outcome(T a, T b) {
  return a < b ? kLess : a == b ? kEqual : a > b ? kGreater : kUnordered;
}

template <class T> struct IntegerCompare {
  static uint8_t of(uint64_t a, uint64_t b, uint32_t) {
    return outcome(T(a), T(b));
  }
};
template <class Format> struct FloatCompare {
  static uint8_t of(uint64_t a, uint64_t b, uint32_t variant) {
    auto x = Format::load(a), y = Format::load(b);
    if (variant & kFlush) {
      x = flush<Format>(x);
      y = flush<Format>(y);
    }
    return outcome(x, y);
  }
};

bool combine(uint32_t variant, bool result, bool other) {
  if (variant & kNegatesOperand)
    other = !other;
  return variant & kAnd   ? result && other
         : variant & kOr  ? result || other
         : variant & kXor ? result != other
                          : result;
}

/// `setp.CmpOp[.BoolOp].type p[|q], a, b[, [!]c]`
template <class Compare>
Step execSetp(ExecContext &context, const Instruction &in, LaneMask mask) {
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  uint64_t *d = context.lanes(in.d);
  uint32_t variant = in.variant;
  uint8_t holds = variant & kHoldsMask;
  if (in.destinations.size() == 1 && in.sources.size() == 2) {
    forEachLane(mask, [&](int lane) {
      d[lane] = (Compare::of(a[lane], b[lane], variant) & holds) != 0;
    });
    return Step::Next;
  }
  uint64_t *q =
      in.destinations.size() > 1 ? context.lanes(in.destinations[1]) : nullptr;
  const uint64_t *c = in.sources.size() > 2 ? context.lanes(in.c) : nullptr;
  forEachLane(mask, [&](int lane) {
    bool result = Compare::of(a[lane], b[lane], variant) & holds;
    bool other = c && c[lane];
    d[lane] = combine(variant, result, other);
    if (q)
      q[lane] = combine(variant, !result, other);
  });
  return Step::Next;
}

template <class Compare>
Step execSet(ExecContext &context, const Instruction &in, LaneMask mask) {
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  const uint64_t *c = in.sources.size() > 2 ? context.lanes(in.c) : nullptr;
  uint64_t *d = context.lanes(in.d);
  uint64_t yes = in.variant & kFloatResult ? 0x3F800000 : 0xFFFFFFFF;
  forEachLane(mask, [&](int lane) {
    bool result =
        Compare::of(a[lane], b[lane], in.variant) & in.variant & kHoldsMask;
    d[lane] = combine(in.variant, result, c && c[lane]) ? yes : 0;
  });
  return Step::Next;
}

template <class Compare> struct Setp {
  static constexpr ExecFn run = execSetp<Compare>;
};
template <class Compare> struct Set {
  static constexpr ExecFn run = execSet<Compare>;
};

/// Two halves, two predicates.
template <class Format>
Step execSetpPair(ExecContext &context, const Instruction &in, LaneMask mask) {
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  uint64_t *p = context.lanes(in.destinations[0]);
  uint64_t *q = context.lanes(in.destinations[1]);
  forEachLane(mask, [&](int lane) {
    uint64_t x = a[lane], y = b[lane];
    uint32_t variant = in.variant;
    p[lane] = (FloatCompare<Format>::of(x, y, variant) & variant & 15) != 0;
    q[lane] = (FloatCompare<Format>::of(x >> 16, y >> 16, variant) & variant &
               15) != 0;
  });
  return Step::Next;
}
} // namespace

template <template <class> class Exec> static ExecFn chooseCompare(Type type) {
  switch (type) {
  case Type::U16:
  case Type::B16:
    return Exec<IntegerCompare<uint16_t>>::run;
  case Type::U32:
  case Type::B32:
    return Exec<IntegerCompare<uint32_t>>::run;
  case Type::U64:
  case Type::B64:
    return Exec<IntegerCompare<uint64_t>>::run;
  case Type::S16:
    return Exec<IntegerCompare<int16_t>>::run;
  case Type::S32:
    return Exec<IntegerCompare<int32_t>>::run;
  case Type::S64:
    return Exec<IntegerCompare<int64_t>>::run;
  case Type::F16:
    return Exec<FloatCompare<HalfFormat>>::run;
  case Type::BF16:
    return Exec<FloatCompare<BfloatFormat>>::run;
  case Type::F32:
    return Exec<FloatCompare<SingleFormat>>::run;
  case Type::F64:
    return Exec<FloatCompare<DoubleFormat>>::run;
  default:
    return nullptr;
  }
}

/// Reads `.lt.and.ftz`, of which only the comparison must be there.
static bool takeComparison(Decoder &decoder) {
  std::string_view name = decoder.takeModifier();
  uint32_t &variant = decoder.out.variant;
  for (const ComparisonName &comparison : comparisons)
    if (comparison.name == name)
      variant = comparison.holds;
  if (!variant)
    return decoder.fail("unknown comparison '" + std::string(name) + "'");
  variant |= decoder.take("and")   ? kAnd
             : decoder.take("or")  ? kOr
             : decoder.take("xor") ? kXor
                                   : 0;
  if (decoder.takeAny("ftz"))
    variant |= kFlush;
  return true;
}

static bool takeCombined(Decoder &decoder) {
  if (!(decoder.out.variant & (kAnd | kOr | kXor)))
    return true;
  const Operand *operand = decoder.nextOperandOrFail();
  uint32_t reg;
  if (!operand || !decoder.registerFor(*operand, Type::Pred, reg))
    return false;
  if (operand->isNegated)
    decoder.out.variant |= kNegatesOperand;
  decoder.out.sources.push_back(reg);
  return true;
}

static bool decodeSetp(Decoder &decoder) {
  if (!takeComparison(decoder))
    return false;
  Type type = decoder.takeType();
  decoder.out.type = type;
  bool isPair = type == Type::F16x2 || type == Type::BF16x2;
  decoder.out.exec = type == Type::F16x2    ? execSetpPair<HalfFormat>
                     : type == Type::BF16x2 ? execSetpPair<BfloatFormat>
                                            : chooseCompare<Setp>(type);
  if (!decoder.out.exec)
    return decoder.failUnknown();
  if (!decodeOperands(decoder, 2, type) || !takeCombined(decoder))
    return false;
  if (isPair &&
      (decoder.out.destinations.size() != 2 || decoder.out.sources.size() != 2))
    return decoder.fail("a packed comparison is known with p|q and no "
                        "combined predicate");
  return true;
}

static bool decodeSet(Decoder &decoder) {
  if (!takeComparison(decoder))
    return false;
  Type result = decoder.takeType();
  Type type = decoder.takeType();
  if (result == Type::F32)
    decoder.out.variant |= kFloatResult;
  decoder.out.exec = bitsOf(result) == 32 ? chooseCompare<Set>(type) : nullptr;
  if (!decoder.out.exec)
    return decoder.failUnknown();
  return decodeOperands(decoder, 2, type) && takeCombined(decoder);
}

namespace {
struct Select {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t p) {
    return p ? a : b;
  }
};
struct SelectBySign {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    return int32_t(c) >= 0 ? a : b;
  }
};
/// -0 counts as not negative, and with .ftz so does a negative subnormal.
template <bool flushes> struct SelectByFloat {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    float value = SingleFormat::load(c);
    return (flushes ? flush<SingleFormat>(value) : value) >= 0 ? a : b;
  }
};
} // namespace

static bool decodeSelp(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.out.exec = execTernary<Select>;
  return decodeOperands(decoder, 2, type) && decoder.source(Type::Pred);
}

static bool decodeSlct(Decoder &decoder) {
  bool flushes = decoder.takeAny("ftz");
  Type type = decoder.takeType();
  Type condition = decoder.takeType();
  decoder.out.exec =
      condition == Type::F32 ? (flushes ? execTernary<SelectByFloat<true>>
                                        : execTernary<SelectByFloat<false>>)
      : condition == Type::S32 && !flushes ? execTernary<SelectBySign>
                                           : nullptr;
  if (!decoder.out.exec)
    return decoder.failUnknown();
  return decodeOperands(decoder, 2, type) && decoder.source(condition);
}

std::span<const Family> heddle::emulator::compareFamilies() {
  static constexpr Family families[] = {
      {"setp", decodeSetp},
      {"set", decodeSet},
      {"selp", decodeSelp},
      {"slct", decodeSlct},
  };
  return families;
}
