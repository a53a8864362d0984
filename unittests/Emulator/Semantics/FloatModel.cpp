//===- FloatModel.cpp - Floating-point numbers, exactly -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatModel.h"

using namespace heddle::emulator::model;

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static constexpr Format formats[] = {
    {"f16", 16, 5, 10, true, 0x7FFF},
    {"bf16", 16, 8, 7, true, 0x7FFF},
    {"tf32", 32, 8, 10, true, 0x3FFFF, 13},
    {"e4m3", 8, 4, 3, false, 0x7F},
    {"e5m2", 8, 5, 2, true, 0x7F},
    {"f32", 32, 8, 23, true, 0x7FFFFFFF},
    {"f64", 64, 11, 52, true, 0x7FFFFFFFFFFFFFFF},
};

static std::string_view withoutPair(std::string_view name) {
  return name.ends_with("x2") ? name.substr(0, name.size() - 2) : name;
}

bool heddle::emulator::model::isFormat(std::string_view name) {
  for (const Format &format : formats)
    if (withoutPair(name) == format.name)
      return true;
  return false;
}

const Format &heddle::emulator::model::formatNamed(std::string_view name) {
  for (const Format &format : formats)
    if (withoutPair(name) == format.name)
      return format;
  return formats[0];
}

Mode heddle::emulator::model::modeOf(const Opcode &opcode) {
  return opcode.hasAny("rz", "rzi")   ? Mode::Zero
         : opcode.hasAny("rm", "rmi") ? Mode::Down
         : opcode.hasAny("rp", "rpi") ? Mode::Up
         : opcode.has("rna")          ? Mode::NearestAway
                                      : Mode::Nearest;
}

uint64_t Format::largest() const {
  uint64_t top = ((uint64_t(1) << exponentBits) - 1) << fractionBits;
  // Without infinity the top exponent has numbers, but for the last.
  return hasInfinity ? top - 1 : top + (uint64_t(1) << fractionBits) - 2;
}

//===----------------------------------------------------------------------===//
// Bits and values
//===----------------------------------------------------------------------===//

Value heddle::emulator::model::valueOf(uint64_t bits, const Format &format) {
  bits >>= format.padding;
  Value value;
  value.negative = bits & format.sign();
  uint64_t magnitude = bits & (format.sign() - 1);
  uint64_t infinity = format.largest() + 1;
  if (magnitude >= infinity) {
    value.kind = format.hasInfinity && magnitude == infinity
                     ? Value::Kind::Infinite
                     : Value::Kind::Nan;
    return value;
  }
  uint64_t fraction = magnitude & ((uint64_t(1) << format.fractionBits) - 1);
  int exponent = int(magnitude >> format.fractionBits);
  if (exponent)
    fraction |= uint64_t(1) << format.fractionBits;
  value.magnitude = Natural(fraction);
  value.exponent = std::max(exponent, 1) - format.bias() - format.fractionBits;
  return value;
}

bool heddle::emulator::model::isNan(uint64_t bits, const Format &format) {
  return valueOf(bits, format).isNan();
}

bool heddle::emulator::model::isSubnormal(uint64_t bits, const Format &format) {
  uint64_t magnitude = bits >> format.padding & (format.sign() - 1);
  return magnitude && !(magnitude >> format.fractionBits);
}

uint64_t heddle::emulator::model::flushed(uint64_t bits, const Format &format) {
  return isSubnormal(bits, format) ? bits & (format.sign() << format.padding)
                                   : bits;
}

/// Whether the magnitude goes up, given what was cut off it.
static bool roundsAway(Mode mode, bool negative, bool isOdd, bool half,
                       bool below) {
  switch (mode) {
  case Mode::Nearest:
    return half && (below || isOdd);
  case Mode::NearestAway:
    return half;
  case Mode::Zero:
    return false;
  case Mode::Down:
    return negative && (half || below);
  case Mode::Up:
    return !negative && (half || below);
  }
  return false;
}

uint64_t heddle::emulator::model::roundTo(const Value &value,
                                          const Format &format, Mode mode,
                                          bool saturatesFinite) {
  uint64_t sign = value.negative ? format.sign() : 0;
  auto place = [&](uint64_t bits) { return bits << format.padding; };
  if (value.isNan())
    return place(format.nan);
  uint64_t infinity = saturatesFinite      ? format.largest()
                      : format.hasInfinity ? format.largest() + 1
                                           : format.nan;
  if (value.isInfinite())
    return place(sign | infinity);
  if (value.magnitude.isZero())
    return place(sign);
  int top = value.magnitude.bitLength() - 1 + value.exponent;
  int quantum = std::max(top, format.smallestExponent()) - format.fractionBits;
  int cut = quantum - value.exponent;
  bool half = cut > 0 && value.magnitude.bit(cut - 1);
  bool below = value.isInexact || value.magnitude.anyBelow(cut - 1);
  Natural whole = cut > 0 ? value.magnitude >> cut : value.magnitude << -cut;
  uint64_t fraction = whole.low();
  fraction += roundsAway(mode, value.negative, fraction & 1, half, below);
  // A carry out of the fraction goes to the exponent by itself.
  int exponent = quantum + format.fractionBits + format.bias();
  bool isNormal = fraction >> format.fractionBits;
  uint64_t bits =
      isNormal ? fraction + (uint64_t(exponent - 1) << format.fractionBits)
               : fraction;
  if (bits <= format.largest())
    return place(sign | bits);
  bool staysFinite = mode == Mode::Zero ||
                     (mode == Mode::Down && !value.negative) ||
                     (mode == Mode::Up && value.negative);
  return place(
      sign | (staysFinite && format.hasInfinity ? format.largest() : infinity));
}

//===----------------------------------------------------------------------===//
// Exact operations
//===----------------------------------------------------------------------===//

static Value nan() {
  Value value;
  value.kind = Value::Kind::Nan;
  return value;
}

static Value infinite(bool negative) {
  Value value;
  value.kind = Value::Kind::Infinite;
  value.negative = negative;
  return value;
}

static Value zero(bool negative) {
  Value value;
  value.negative = negative;
  return value;
}

Value heddle::emulator::model::integer(bool negative, Natural magnitude) {
  Value value;
  value.negative = negative;
  value.magnitude = std::move(magnitude);
  return value;
}

Value heddle::emulator::model::negated(Value value) {
  value.negative = !value.negative;
  return value;
}

/// Magnitudes as multiples of one power of two.
static void align(const Value &a, const Value &b, Natural &x, Natural &y,
                  int &exponent) {
  exponent = std::min(a.exponent, b.exponent);
  x = a.magnitude << (a.exponent - exponent);
  y = b.magnitude << (b.exponent - exponent);
}

Value heddle::emulator::model::sum(const Value &a, const Value &b, Mode mode) {
  if (a.isNan() || b.isNan())
    return nan();
  if (a.isInfinite() || b.isInfinite())
    return a.isInfinite() && b.isInfinite() && a.negative != b.negative ? nan()
           : a.isInfinite()                                             ? a
                                                                        : b;
  if (a.isZero() && b.isZero())
    return zero(a.negative == b.negative ? a.negative : mode == Mode::Down);
  if (a.isZero() || b.isZero())
    return a.isZero() ? b : a;
  Natural x, y;
  Value result;
  align(a, b, x, y, result.exponent);
  result.negative = a.negative;
  if (a.negative == b.negative) {
    result.magnitude = x + y;
    return result;
  }
  int order = x.compare(y);
  if (order == 0)
    return zero(mode == Mode::Down);
  result.magnitude = order > 0 ? x - y : y - x;
  result.negative = order > 0 ? a.negative : b.negative;
  return result;
}

Value heddle::emulator::model::product(const Value &a, const Value &b) {
  bool negative = a.negative != b.negative;
  if (a.isNan() || b.isNan() || (a.isInfinite() && b.isZero()) ||
      (a.isZero() && b.isInfinite()))
    return nan();
  if (a.isInfinite() || b.isInfinite())
    return infinite(negative);
  Value result;
  result.negative = negative;
  result.magnitude = a.magnitude * b.magnitude;
  result.exponent = a.exponent + b.exponent;
  return result;
}

Value heddle::emulator::model::quotient(const Value &a, const Value &b) {
  bool negative = a.negative != b.negative;
  if (a.isNan() || b.isNan() || (a.isInfinite() && b.isInfinite()) ||
      (a.isZero() && b.isZero()))
    return nan();
  if (a.isInfinite() || b.isZero())
    return infinite(negative);
  if (b.isInfinite() || a.isZero())
    return zero(negative);
  // At least 64 bits of quotient, and whether any follow.
  int shift =
      std::max(0, 64 + b.magnitude.bitLength() - a.magnitude.bitLength());
  Value result;
  bool isExact;
  result.negative = negative;
  result.magnitude = (a.magnitude << shift).dividedBy(b.magnitude, isExact);
  result.isInexact = !isExact;
  result.exponent = a.exponent - b.exponent - shift;
  return result;
}

Value heddle::emulator::model::squareRoot(const Value &a) {
  if (a.isNan() || a.isZero())
    return a;
  if (a.negative)
    return nan();
  if (a.isInfinite())
    return a;
  // At least 64 bits of root: 128 below it, and an even exponent.
  int shift = std::max(0, 130 - a.magnitude.bitLength());
  shift += (a.exponent - shift) & 1;
  Value result;
  bool isExact;
  result.magnitude = (a.magnitude << shift).squareRoot(isExact);
  result.isInexact = !isExact;
  result.exponent = (a.exponent - shift) / 2;
  return result;
}

int heddle::emulator::model::compare(const Value &a, const Value &b) {
  if (a.isZero() && b.isZero())
    return 0;
  bool aNegative = a.negative && !a.isZero(),
       bNegative = b.negative && !b.isZero();
  if (aNegative != bNegative)
    return aNegative ? -1 : 1;
  int magnitudes;
  if (a.isInfinite() || b.isInfinite()) {
    magnitudes = int(a.isInfinite()) - int(b.isInfinite());
  } else {
    Natural x, y;
    int exponent;
    align(a, b, x, y, exponent);
    magnitudes = x.compare(y);
  }
  return aNegative ? -magnitudes : magnitudes;
}

Value heddle::emulator::model::roundToInteger(const Value &value, Mode mode) {
  if (value.kind != Value::Kind::Number || value.exponent >= 0)
    return value;
  int cut = -value.exponent;
  bool half = value.magnitude.bit(cut - 1);
  bool below = value.isInexact || value.magnitude.anyBelow(cut - 1);
  Natural whole = value.magnitude >> cut;
  if (roundsAway(mode, value.negative, whole.bit(0), half, below))
    whole = whole + Natural(1);
  return integer(value.negative, whole);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// min and max: a NaN loses against a number, -0 is below +0.
static uint64_t extremum(const Opcode &opcode, const Format &format, uint64_t a,
                         uint64_t b) {
  uint64_t sign = format.sign();
  bool signsDiffer = (a & sign) != (b & sign);
  if (opcode.has("xorsign")) {
    a &= ~sign;
    b &= ~sign;
  }
  bool aIsNan = isNan(a, format), bIsNan = isNan(b, format);
  uint64_t result;
  if (aIsNan || bIsNan) {
    if ((aIsNan && bIsNan) || opcode.has("NaN"))
      return format.nan;
    result = aIsNan ? b : a;
  } else {
    int order = compare(valueOf(a, format), valueOf(b, format));
    if (order == 0)
      order = a == b ? 0 : a & sign ? -1 : 1;
    result = (order < 0) == (opcode.name() == "min") ? a : b;
  }
  return opcode.has("xorsign") && signsDiffer ? result | sign : result;
}

uint64_t heddle::emulator::model::evaluateFloat(
    const Opcode &opcode, const Format &format,
    const std::array<uint64_t, 3> &operands) {
  std::array<uint64_t, 3> in = operands;
  bool flushes = opcode.has("ftz");
  if (flushes)
    for (uint64_t &bits : in)
      bits = flushed(bits, format);
  const std::string &name = opcode.name();
  uint64_t result;
  if (name == "abs" || name == "neg")
    return name == "abs" ? in[0] & ~format.sign() : in[0] ^ format.sign();
  if (name == "copysign") // the sign of a, the rest of b
    return (in[0] & format.sign()) | (in[1] & ~format.sign());
  if (name == "min" || name == "max") {
    result = extremum(opcode, format, in[0], in[1]);
  } else {
    Mode mode = modeOf(opcode);
    Value a = valueOf(in[0], format), b = valueOf(in[1], format),
          c = valueOf(in[2], format);
    Value one = integer(false, Natural(1));
    Value exact = name == "add"    ? sum(a, b, mode)
                  : name == "sub"  ? sum(a, negated(b), mode)
                  : name == "mul"  ? product(a, b)
                  : name == "fma"  ? sum(product(a, b), c, mode)
                  : name == "div"  ? quotient(a, b)
                  : name == "rcp"  ? quotient(one, a)
                  : name == "sqrt" ? squareRoot(a)
                                   : nan();
    result = roundTo(exact, format, mode);
  }
  if (flushes)
    result = flushed(result, format);
  bool negative = result & format.sign();
  if (opcode.has("relu"))
    return isNan(result, format) ? format.nan : negative ? 0 : result;
  if (!opcode.has("sat"))
    return result;
  uint64_t one = roundTo(integer(false, Natural(1)), format, Mode::Nearest);
  return isNan(result, format) || negative ? 0 : std::min(result, one);
}

uint64_t heddle::emulator::model::evaluateFloatRegister(
    const Opcode &opcode, const std::array<uint64_t, 3> &operands) {
  const Format &format = formatNamed(opcode.type());
  if (!opcode.type().ends_with("x2"))
    return evaluateFloat(opcode, format, operands);
  std::array<uint64_t, 3> low, high;
  for (size_t i = 0; i < 3; ++i) {
    low[i] = operands[i] & 0xFFFF;
    high[i] = operands[i] >> 16 & 0xFFFF;
  }
  return evaluateFloat(opcode, format, low) |
         evaluateFloat(opcode, format, high) << 16;
}

bool heddle::emulator::model::isSameFloat(uint64_t a, uint64_t b,
                                          const Format &format,
                                          bool nanIsCanonical) {
  return a == b || (!nanIsCanonical && isNan(a, format) && isNan(b, format));
}

std::vector<uint64_t>
heddle::emulator::model::specialValues(const Format &format) {
  uint64_t ulp = 1;
  uint64_t normal = uint64_t(1) << format.fractionBits;
  uint64_t one = uint64_t(format.bias()) << format.fractionBits;
  uint64_t half = one - normal, two = one + normal;
  std::vector<uint64_t> list = {
      0,
      ulp,                        // the smallest subnormal
      normal >> 1,                // one with a single bit
      normal - ulp,               // the largest
      normal,                     // the smallest normal
      normal + ulp,               //
      half,                       //
      one - ulp,                  // below 1
      one,                        //
      one + ulp,                  // above 1
      one + (normal >> 1),        // 1.5
      two,                        //
      two + (normal >> 1),        // 3
      one + normal / 4 * 3 + ulp, // bits at both ends
      one + normal * uint64_t(format.fractionBits / 2),     // a tie's partner
      one + normal * uint64_t(format.fractionBits + 1),     // ulp 2
      one + normal * uint64_t(format.fractionBits + 1) + 1, //
      one - normal * uint64_t(format.precision()),          // half an ulp of 1
      one - normal * uint64_t(format.precision()) + 1,      //
      format.largest() - normal,                            //
      format.largest() - ulp,                               //
      format.largest()};
  for (uint64_t &bits : list)
    bits &= format.sign() - 1;
  if (format.hasInfinity) {
    list.push_back(format.largest() + 1);
    list.push_back(format.largest() + 2); // a signalling NaN
  }
  list.push_back(format.nan);
  for (size_t i = 0, size = list.size(); i < size; ++i)
    list.push_back(list[i] | format.sign());
  for (uint64_t &bits : list)
    bits <<= format.padding;
  return list;
}
