//===- ConvertOps.cpp - cvt -----------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every source is read into a `long double`, whose 64-bit mantissa holds all
// integers and floats of PTX exactly, and rounded once into the destination.
// The few conversions that kernels do all the time have handlers of their own.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "FloatFormats.h"

#include <algorithm>
#include <cmath>

using namespace heddle::emulator;

namespace {
struct ConvertDetail : Detail {
  Type to = Type::None;
  Type from = Type::None;
  Rounding rounding = Rounding::NearestEven;
  bool roundsToInteger = false; ///< .rni and its kin
  bool flushes = false;
  bool saturates = false;       ///< .sat
  bool saturatesFinite = false; ///< .satfinite
  bool relu = false;
};

using Exact = long double;

const FloatFormat *formatOf(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return &kHalf;
  case Type::BF16:
  case Type::BF16x2:
    return &kBfloat;
  case Type::E4M3:
  case Type::E4M3x2:
    return &kE4M3;
  case Type::E5M2:
  case Type::E5M2x2:
    return &kE5M2;
  case Type::F32:
    return &kSingle;
  default:
    return nullptr;
  }
}

Exact roundToInteger(Exact value, Rounding rounding) {
  switch (rounding) {
  case Rounding::NearestEven:
  case Rounding::NearestAway:
    return std::nearbyint(value); // the host rounds to even
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  }
  return value;
}

Exact loadValue(uint64_t slot, const ConvertDetail &convert) {
  Type from = convert.from;
  if (!isFloat(from))
    return isSigned(from) ? Exact(signExtend(slot, bitsOf(from)))
                          : Exact(slot & lowBits(bitsOf(from)));
  if (from == Type::F64)
    return DoubleFormat::load(slot);
  if (from == Type::F32) {
    float value = SingleFormat::load(slot);
    return convert.flushes ? flush<SingleFormat>(value) : value;
  }
  return decode(uint32_t(slot & lowBits(bitsOf(from))), *formatOf(from));
}

/// Out-of-range values are clamped. NaN becomes 0, but where doubles or 64-bit
/// integers take part: then the highest bit alone is set.
uint64_t storeInteger(Exact value, const ConvertDetail &convert) {
  int bits = bitsOf(convert.to);
  if (isFloat(convert.from)) {
    if (std::isnan(value))
      return bits == 64 || convert.from == Type::F64 ? uint64_t(1) << (bits - 1)
                                                     : 0;
    value = roundToInteger(value, convert.rounding);
  }
  bool clamps = isFloat(convert.from) || convert.saturates;
  Exact low = isSigned(convert.to) ? -std::ldexp(Exact(1), bits - 1) : 0;
  Exact high = std::ldexp(Exact(1), isSigned(convert.to) ? bits - 1 : bits) - 1;
  if (clamps)
    value = value < low ? low : value > high ? high : value;
  uint64_t whole = value < 0 ? uint64_t(int64_t(value)) : uint64_t(value);
  return whole & lowBits(bits);
}

/// Rounds an exact value to double in the given direction; `encode` then has
/// nothing left to lose for doubles, and its own rounding for the rest is right
/// because sources wider than double are integers going to float formats.
double toDouble(Exact value, Rounding rounding) {
  double nearest = double(value);
  if (Exact(nearest) == value || std::isnan(value))
    return nearest;
  // Round to odd: keeps "inexact" visible for the rounding that follows.
  double truncated = std::fabs(Exact(nearest)) > std::fabs(value)
                         ? std::nextafter(nearest, 0.0)
                         : nearest;
  (void)rounding;
  uint64_t bits = std::bit_cast<uint64_t>(truncated);
  return std::bit_cast<double>(bits | 1);
}

uint64_t storeFloat(Exact value, const ConvertDetail &convert) {
  if (convert.roundsToInteger && !std::isinf(value) && !std::isnan(value))
    value = std::copysign(roundToInteger(value, convert.rounding), value);
  if (convert.saturates)
    value = value > 0 ? (value < 1 ? value : Exact(1)) : Exact(0);
  if (convert.relu && !std::isnan(value) && std::signbit(value))
    value = 0; // -0 as well
  if (convert.to == Type::F64) {
    if (convert.rounding == Rounding::NearestEven || convert.roundsToInteger)
      return DoubleFormat::store(double(value));
    double nearest = double(value);
    bool up = convert.rounding == Rounding::Up ||
              (convert.rounding == Rounding::Zero && value < 0);
    if (up && Exact(nearest) < value)
      nearest = std::nextafter(nearest, HUGE_VAL);
    if (!up && Exact(nearest) > value)
      nearest = std::nextafter(nearest, -HUGE_VAL);
    return DoubleFormat::store(nearest);
  }
  if (convert.to == Type::TF32)
    return uint64_t(encode(toDouble(value, convert.rounding), kTf32,
                           convert.rounding, convert.saturatesFinite))
           << 13;
  const FloatFormat &format = *formatOf(convert.to);
  Rounding rounding =
      convert.roundsToInteger ? Rounding::NearestEven : convert.rounding;
  uint64_t bits = encode(toDouble(value, rounding), format, rounding,
                         convert.saturatesFinite);
  if (convert.flushes && convert.to == Type::F32)
    bits = SingleFormat::store(flush<SingleFormat>(SingleFormat::load(bits)));
  return bits;
}

Step execConvert(ExecContext &context, const Instruction &in, LaneMask mask) {
  const auto &convert = static_cast<const ConvertDetail &>(*in.detail);
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  // A signed result is sign-extended to its register.
  uint64_t registerMask = lowBits(int(in.immediate));
  bool extends = isSigned(convert.to);
  forEachLane(mask, [&](int lane) {
    Exact value = loadValue(a[lane], convert);
    if (isFloat(convert.to)) {
      d[lane] = storeFloat(value, convert);
      return;
    }
    uint64_t bits = storeInteger(value, convert);
    d[lane] =
        extends ? uint64_t(signExtend(bits, bitsOf(convert.to))) & registerMask
                : bits;
  });
  return Step::Next;
}

/// Two sources into one register: a is the upper half.
Step execConvertPair(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  const auto &convert = static_cast<const ConvertDetail &>(*in.detail);
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  int half = bitsOf(convert.to) / 2;
  forEachLane(mask, [&](int lane) {
    uint64_t high = storeFloat(loadValue(a[lane], convert), convert);
    uint64_t low = storeFloat(loadValue(b[lane], convert), convert);
    d[lane] = high << half | low;
  });
  return Step::Next;
}

/// One packed register into another: e4m3x2 to f16x2 and back.
Step execConvertPacked(ExecContext &context, const Instruction &in,
                       LaneMask mask) {
  const auto &convert = static_cast<const ConvertDetail &>(*in.detail);
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  int from = bitsOf(convert.from) / 2, to = bitsOf(convert.to) / 2;
  const FloatFormat &format = *formatOf(convert.from);
  forEachLane(mask, [&](int lane) {
    uint32_t low = uint32_t(a[lane] & lowBits(from));
    uint32_t high = uint32_t(a[lane] >> from & lowBits(from));
    d[lane] = storeFloat(decode(high, format), convert) << to |
              storeFloat(decode(low, format), convert);
  });
  return Step::Next;
}

// The fast ones.
struct HalfToSingle {
  static uint64_t apply(uint64_t a) {
    return std::bit_cast<uint32_t>(floatFromHalf(uint16_t(a)));
  }
};
struct BfloatToSingle {
  static uint64_t apply(uint64_t a) { return uint32_t(a << 16); }
};
struct SingleToHalf {
  static uint64_t apply(uint64_t a) {
    return halfFromFloat(SingleFormat::load(a));
  }
};
struct SingleToBfloat {
  static uint64_t apply(uint64_t a) {
    return bfloatFromFloat(SingleFormat::load(a));
  }
};
template <class Single> struct TwoSingles {
  static uint64_t apply(uint64_t a, uint64_t b) {
    return Single::apply(a) << 16 | Single::apply(b);
  }
};
template <int bits> struct ZeroExtend {
  static uint64_t apply(uint64_t a) { return a & lowBits(bits); }
};
template <int from, int to> struct SignExtend {
  static uint64_t apply(uint64_t a) {
    return uint64_t(signExtend(a, from)) & lowBits(to);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static void takeRounding(Decoder &decoder, ConvertDetail &convert) {
  struct Row {
    std::string_view name;
    Rounding rounding;
    bool toInteger;
  };
  static constexpr Row rows[] = {
      {"rn", Rounding::NearestEven, false},
      {"rz", Rounding::Zero, false},
      {"rm", Rounding::Down, false},
      {"rp", Rounding::Up, false},
      {"rna", Rounding::NearestAway, false},
      {"rni", Rounding::NearestEven, true},
      {"rzi", Rounding::Zero, true},
      {"rmi", Rounding::Down, true},
      {"rpi", Rounding::Up, true},
  };
  for (const Row &row : rows)
    if (decoder.takeAny(row.name)) {
      convert.rounding = row.rounding;
      convert.roundsToInteger = row.toInteger;
    }
}

static ExecFn chooseFast(const ConvertDetail &convert, int registerBits) {
  bool isPlain = !convert.saturates && !convert.relu && !convert.flushes &&
                 !convert.roundsToInteger && !convert.saturatesFinite &&
                 convert.rounding == Rounding::NearestEven;
  Type to = convert.to, from = convert.from;
  if (!isPlain)
    return nullptr;
  if (to == Type::F32 && from == Type::F16)
    return execUnary<HalfToSingle>;
  if (to == Type::F32 && from == Type::BF16)
    return execUnary<BfloatToSingle>;
  if (to == Type::F16 && from == Type::F32)
    return execUnary<SingleToHalf>;
  if (to == Type::BF16 && from == Type::F32)
    return execUnary<SingleToBfloat>;
  if (to == Type::F16x2 && from == Type::F32)
    return execBinary<TwoSingles<SingleToHalf>>;
  if (to == Type::BF16x2 && from == Type::F32)
    return execBinary<TwoSingles<SingleToBfloat>>;
  if (to == Type::S64 && from == Type::S32)
    return execUnary<SignExtend<32, 64>>;
  if (isFloat(to) || isFloat(from) || isSigned(to) ||
      (isSigned(from) && bitsOf(from) < bitsOf(to)))
    return nullptr;
  (void)registerBits;
  switch (std::min(bitsOf(from), bitsOf(to))) {
  case 8:
    return execUnary<ZeroExtend<8>>;
  case 16:
    return execUnary<ZeroExtend<16>>;
  case 32:
    return execUnary<ZeroExtend<32>>;
  default:
    return execUnary<ZeroExtend<64>>;
  }
}

static bool isPacked(Type type) {
  return type == Type::F16x2 || type == Type::BF16x2 || type == Type::E4M3x2 ||
         type == Type::E5M2x2;
}

static bool decodeCvt(Decoder &decoder) {
  auto convert = std::make_shared<ConvertDetail>();
  takeRounding(decoder, *convert);
  convert->flushes = decoder.takeAny("ftz");
  convert->saturatesFinite = decoder.takeAny("satfinite");
  convert->saturates = decoder.takeAny("sat");
  convert->relu = decoder.takeAny("relu");
  convert->to = decoder.takeType();
  convert->from = decoder.takeType();
  Type to = convert->to, from = convert->from;
  if (to == Type::None || from == Type::None || from == Type::TF32)
    return decoder.failUnknown();
  Instruction &out = decoder.out;
  bool isPair = isPacked(to) && from == Type::F32;
  out.detail = convert;
  if (!decodeOperands(decoder, isPair ? 2 : 1, from))
    return false;
  // Relaxed typing: the destination register may be wider than the type.
  Type reg = decoder.registerType(out.destinations[0]);
  out.immediate = reg == Type::None ? 64 : bitsOf(reg);
  out.exec = chooseFast(*convert, int(out.immediate));
  if (!out.exec)
    out.exec = isPair           ? execConvertPair
               : isPacked(from) ? execConvertPacked
                                : execConvert;
  if (isPacked(to) != (isPair || isPacked(from)))
    return decoder.failUnknown();
  return true;
}

/// Two integers, clamped to a narrower type, below which c moves up.
static Step execPackIntegers(ExecContext &context, const Instruction &in,
                             LaneMask mask) {
  const auto &convert = static_cast<const ConvertDetail &>(*in.detail);
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  const uint64_t *c = in.sources.size() > 2 ? context.lanes(in.c) : nullptr;
  int bits = bitsOf(convert.to);
  forEachLane(mask, [&](int lane) {
    uint64_t high = storeInteger(loadValue(a[lane], convert), convert);
    uint64_t low = storeInteger(loadValue(b[lane], convert), convert);
    uint64_t rest = c ? c[lane] << (2 * bits) : 0;
    d[lane] = uint32_t(rest | high << bits | low);
  });
  return Step::Next;
}

/// `cvt.pack.sat.s8.s32.b32 d, a, b, c`; 16-bit types have no c.
static bool decodePackIntegers(Decoder &decoder) {
  auto convert = std::make_shared<ConvertDetail>();
  convert->saturates = decoder.take("sat");
  convert->to = decoder.takeType();
  convert->from = decoder.takeType();
  decoder.out.detail = convert;
  decoder.out.exec = execPackIntegers;
  int bits = bitsOf(convert->to);
  bool hasRest = bits == 8;
  if (!convert->saturates || (bits != 8 && bits != 16) ||
      isFloat(convert->to) || convert->from != Type::S32 ||
      (hasRest && decoder.takeType() != Type::B32))
    return decoder.failUnknown();
  return decodeOperands(decoder, hasRest ? 3 : 2, Type::B32);
}

std::span<const Family> heddle::emulator::convertFamilies() {
  static constexpr Family families[] = {{"cvt", decodeCvt},
                                        {"cvt.pack", decodePackIntegers}};
  return families;
}
