//===- IntegerModel.cpp - Integer instructions, by definition -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerModel.h"

#include <cctype>

using namespace heddle::emulator;
using namespace heddle::emulator::model;

//===----------------------------------------------------------------------===//
// Whole numbers
//===----------------------------------------------------------------------===//

static uint64_t maskOf(int width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

static Whole whole(bool negative, Natural magnitude) {
  bool isZero = magnitude.isZero();
  return {negative && !isZero, std::move(magnitude)};
}

Whole Whole::of(int64_t value) {
  return whole(value < 0, Natural(value < 0 ? uint64_t(-(value + 1)) + 1
                                            : uint64_t(value)));
}

Whole Whole::ofBits(uint64_t bits, int width, bool isSigned) {
  Natural value(bits & maskOf(width));
  if (!isSigned || !value.bit(width - 1))
    return whole(false, value);
  return whole(true, (Natural(1) << width) - value);
}

uint64_t Whole::bits(int width) const {
  uint64_t low = magnitude.low();
  return (negative ? ~low + 1 : low) & maskOf(width);
}

Whole heddle::emulator::model::operator+(const Whole &a, const Whole &b) {
  if (a.negative == b.negative)
    return whole(a.negative, a.magnitude + b.magnitude);
  return a.magnitude.compare(b.magnitude) >= 0
             ? whole(a.negative, a.magnitude - b.magnitude)
             : whole(b.negative, b.magnitude - a.magnitude);
}

Whole heddle::emulator::model::operator-(const Whole &a, const Whole &b) {
  return a + whole(!b.negative, b.magnitude);
}

Whole heddle::emulator::model::operator*(const Whole &a, const Whole &b) {
  return whole(a.negative != b.negative, a.magnitude * b.magnitude);
}

bool heddle::emulator::model::operator<(const Whole &a, const Whole &b) {
  return (a - b).negative;
}

Whole heddle::emulator::model::clamped(const Whole &value, int width,
                                       bool isSigned) {
  Natural half = Natural(1) << (width - 1);
  Whole low = whole(isSigned, isSigned ? half : Natural());
  Whole high = whole(false, (isSigned ? half : half << 1) - Natural(1));
  return value < low ? low : high < value ? high : value;
}

/// value / 2^count, rounded down.
static Whole shiftedDown(const Whole &value, int count) {
  if (!value.negative)
    return whole(false, value.magnitude >> count);
  Natural up = value.magnitude + ((Natural(1) << count) - Natural(1));
  return whole(true, up >> count);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

int heddle::emulator::model::widthOf(const std::string &type) {
  return std::atoi(type.c_str() + 1);
}

bool heddle::emulator::model::isSignedType(const std::string &type) {
  return type[0] == 's';
}

bool heddle::emulator::model::isIntegerType(const std::string &type) {
  return type.size() > 1 &&
         std::string("usb").find(type[0]) != std::string::npos &&
         std::isdigit(static_cast<unsigned char>(type[1]));
}

std::vector<uint64_t> heddle::emulator::model::specialIntegers(int width) {
  uint64_t top = uint64_t(1) << (width - 1);
  std::vector<uint64_t> list = {0,
                                1,
                                2,
                                3,
                                7,
                                10,
                                uint64_t(width) - 1,
                                uint64_t(width),
                                uint64_t(width) + 1,
                                uint64_t(1) << width / 2,
                                (uint64_t(1) << width / 2) - 1,
                                top - 1,
                                top,
                                top + 1,
                                0x5555555555555555,
                                0xAAAAAAAAAAAAAAAA,
                                0x0123456789ABCDEF,
                                0x80FF7F0180FF7F01,
                                ~uint64_t(0) - 1,
                                ~uint64_t(0) - 6,
                                ~uint64_t(0)};
  for (uint64_t &value : list)
    value &= maskOf(width);
  return list;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// mul and mad of any width, and their kin of 24 bits.
static uint64_t multiply(const Opcode &opcode,
                         const std::array<uint64_t, 3> &in) {
  const std::string &type = opcode.type();
  int width = widthOf(type);
  bool isSigned = isSignedType(type), is24 = opcode.name().ends_with("24");
  int factorWidth = is24 ? 24 : width;
  Whole result = Whole::ofBits(in[0], factorWidth, isSigned) *
                 Whole::ofBits(in[1], factorWidth, isSigned);
  int resultWidth = opcode.has("wide") ? 2 * width : width;
  if (opcode.has("hi"))
    result = shiftedDown(result, is24 ? 16 : width);
  if (!opcode.name().starts_with("mad"))
    return result.bits(resultWidth);
  // What is added to is a number of the result's type.
  result = Whole::ofBits(result.bits(resultWidth), resultWidth, isSigned) +
           Whole::ofBits(in[2], resultWidth, isSigned);
  if (opcode.has("sat"))
    result = clamped(result, resultWidth, isSigned);
  return result.bits(resultWidth);
}

/// Rounds towards 0. Division by 0 is unspecified; all ones, and the dividend
/// as the remainder, are what the hardware gives.
static uint64_t divide(bool isRemainder, int width, const Whole &a,
                       const Whole &b) {
  if (b.magnitude.isZero())
    return isRemainder ? a.bits(width) : maskOf(width);
  bool isExact;
  Whole quotient = whole(a.negative != b.negative,
                         a.magnitude.dividedBy(b.magnitude, isExact));
  return (isRemainder ? a - quotient * b : quotient).bits(width);
}

static uint64_t dotProduct(const Opcode &opcode,
                           const std::array<uint64_t, 3> &in) {
  bool isTwo = opcode.name() == "dp2a";
  int width = isTwo ? 16 : 8, count = isTwo ? 2 : 4;
  int first = opcode.has("hi") ? 2 : 0;
  Whole sum = Whole::ofBits(in[2], 32, false);
  for (int i = 0; i < count; ++i)
    sum = sum + Whole::ofBits(in[0] >> (width * i), width,
                              isSignedType(opcode.type(1))) *
                    Whole::ofBits(in[1] >> (8 * (first + i)), 8,
                                  isSignedType(opcode.type()));
  return sum.bits(32);
}

static bool isArithmetic(const std::string &name) {
  for (const char *known :
       {"add", "sub", "div", "rem", "min", "max", "abs", "neg", "sad"})
    if (name == known)
      return true;
  return false;
}

static uint64_t arithmetic(const Opcode &opcode, int width,
                           const std::array<uint64_t, 3> &in) {
  const std::string &name = opcode.name();
  bool isSigned = isSignedType(opcode.type());
  Whole a = Whole::ofBits(in[0], width, isSigned),
        b = Whole::ofBits(in[1], width, isSigned),
        c = Whole::ofBits(in[2], width, isSigned);
  if (name == "div" || name == "rem")
    return divide(name == "rem", width, a, b);
  Whole result = name == "add"   ? a + b
                 : name == "sub" ? a - b
                 : name == "min" ? (a < b ? a : b)
                 : name == "max" ? (a < b ? b : a)
                 : name == "neg" ? Whole() - a
                 : name == "abs" ? whole(false, a.magnitude)
                                 : c + (a < b ? b - a : a - b); // sad
  if (opcode.has("sat"))
    result = clamped(result, width, isSigned);
  if (opcode.has("relu") && result.negative)
    result = Whole();
  return result.bits(width);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

static bool bitAt(uint64_t value, int index) { return value >> index & 1; }

static uint64_t withBit(uint64_t value, int index, bool bit) {
  uint64_t mask = uint64_t(1) << index;
  return bit ? value | mask : value & ~mask;
}

static uint64_t extractField(int width, bool isSigned, uint64_t a, int position,
                             int length) {
  int msb = width - 1;
  bool sign =
      isSigned && length && bitAt(a, std::min(position + length - 1, msb));
  uint64_t d = 0;
  for (int i = 0; i <= msb; ++i)
    d = withBit(d, i,
                i < length && position + i <= msb ? bitAt(a, position + i)
                                                  : sign);
  return d;
}

static uint64_t insertField(int width, uint64_t a, uint64_t b, int position,
                            int length) {
  for (int i = 0; i < length && position + i < width; ++i)
    b = withBit(b, position + i, bitAt(a, i));
  return b;
}

static uint64_t findLeading(const Opcode &opcode, int width, uint64_t a) {
  if (isSignedType(opcode.type()) && bitAt(a, width - 1))
    a = ~a;
  for (int i = width - 1; i >= 0; --i)
    if (bitAt(a, i))
      return uint64_t(opcode.has("shiftamt") ? width - 1 - i : i);
  return 0xFFFFFFFF;
}

static uint64_t findNthSet(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0)
    return bitAt(mask, int(base)) ? base : 0xFFFFFFFF;
  int64_t count = offset < 0 ? -int64_t(offset) : offset;
  for (int at = int(base); at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
    if (bitAt(mask, at) && --count == 0)
      return uint64_t(at);
  return 0xFFFFFFFF;
}

static uint64_t bitMask(bool clamps, uint32_t position, uint32_t width) {
  uint64_t d = 0;
  if (clamps && position > 31)
    return 0;
  if (!clamps || width > 31)
    width = clamps ? 32 : width & 31;
  for (uint32_t i = 0; i < width && (position & 31) + i < 32; ++i)
    d = withBit(d, int((position & 31) + i), true);
  return d;
}

static uint64_t extended(bool clamps, bool isSigned, uint32_t a,
                         uint32_t width) {
  if (clamps && width > 31)
    return a;
  width &= 31;
  uint64_t d = 0;
  for (uint32_t i = 0; i < 32; ++i)
    d = withBit(d, int(i),
                i < width ? bitAt(a, int(i))
                          : isSigned && width && bitAt(a, int(width - 1)));
  return d;
}

static uint64_t permute(const Opcode &opcode, uint32_t a, uint32_t b,
                        uint32_t c) {
  uint32_t s = c & 3, d = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    uint32_t selector = opcode.has("f4e")    ? s + i
                        : opcode.has("b4e")  ? (s + 8 - i) % 8
                        : opcode.has("rc8")  ? s
                        : opcode.has("ecl")  ? std::max(i, s)
                        : opcode.has("ecr")  ? std::min(i, s)
                        : opcode.has("rc16") ? (s & 1) * 2 + (i & 1)
                                             : c >> (4 * i) & 15;
    uint32_t source = (selector & 4 ? b : a) >> (8 * (selector & 3)) & 255;
    if (selector & 8)
      source = source & 128 ? 255 : 0;
    d |= source << (8 * i);
  }
  return d;
}

/// Bit `index` of the result is `pick(index)`.
template <class Pick> static uint64_t gather(int width, Pick pick) {
  uint64_t d = 0;
  for (int i = 0; i < width; ++i)
    d = withBit(d, i, pick(i));
  return d;
}

static uint64_t shift(const Opcode &opcode, int width, uint64_t a,
                      uint32_t amount) {
  bool sign = isSignedType(opcode.type()) && bitAt(a, width - 1);
  return gather(width, [&](int64_t i) {
    int64_t from = opcode.name() == "shl" ? i - amount : i + int64_t(amount);
    return from < 0 ? false : from >= width ? sign : bitAt(a, int(from));
  });
}

static uint64_t funnel(const Opcode &opcode, uint32_t a, uint32_t b,
                       uint32_t amount) {
  amount = opcode.has("wrap") ? amount % 32 : std::min(amount, 32u);
  return gather(32, [&](int i) {
    int from = opcode.has("l") ? i + 32 - int(amount) : i + int(amount);
    return from < 32 ? bitAt(a, from) : bitAt(b, from - 32);
  });
}

static int countSet(uint64_t a, int width) {
  int count = 0;
  for (int i = 0; i < width; ++i)
    count += bitAt(a, i);
  return count;
}

static int countLeadingZeros(uint64_t a, int width) {
  int count = 0;
  while (count < width && !bitAt(a, width - 1 - count))
    ++count;
  return count;
}

static uint64_t bitwise(const Opcode &opcode, int width,
                        const std::array<uint64_t, 3> &in, uint64_t table) {
  const std::string &name = opcode.name();
  return gather(width, [&](int i) {
    bool a = bitAt(in[0], i), b = bitAt(in[1], i), c = bitAt(in[2], i);
    return name == "and"    ? a && b
           : name == "or"   ? a || b
           : name == "xor"  ? a != b
           : name == "not"  ? !a
           : name == "brev" ? bitAt(in[0], width - 1 - i)
                            : bitAt(table, 4 * a + 2 * b + c); // lop3
  });
}

uint64_t heddle::emulator::model::evaluateInteger(
    const Opcode &opcode, const std::array<uint64_t, 3> &in, uint64_t d) {
  const std::string &name = opcode.name();
  int width = widthOf(opcode.has("b32") ? "b32" : opcode.type());
  bool isSigned = isSignedType(opcode.type());
  if (name.starts_with("mul") || name.starts_with("mad"))
    return multiply(opcode, in);
  if (name.starts_with("dp"))
    return dotProduct(opcode, in);
  if (isArithmetic(name)) {
    if (!opcode.type().ends_with("x2"))
      return arithmetic(opcode, width, in);
    return arithmetic(opcode, 16, {in[0] & 0xFFFF, in[1] & 0xFFFF, 0}) |
           arithmetic(opcode, 16, {in[0] >> 16, in[1] >> 16, 0}) << 16;
  }
  if (name == "shl" || name == "shr")
    return shift(opcode, width, in[0], uint32_t(in[1]));
  if (name == "shf")
    return funnel(opcode, uint32_t(in[0]), uint32_t(in[1]), uint32_t(in[2]));
  if (name == "bfe")
    return extractField(width, isSigned, in[0], int(in[1] & 255),
                        int(in[2] & 255));
  if (name == "bfi")
    return insertField(width, in[0], in[1], int(in[2] & 255), int(d & 255));
  if (name == "bfind")
    return findLeading(opcode, width, in[0]);
  if (name == "fns")
    return findNthSet(uint32_t(in[0]), uint32_t(in[1]), int32_t(in[2]));
  if (name == "bmsk")
    return bitMask(opcode.has("clamp"), uint32_t(in[0]), uint32_t(in[1]));
  if (name == "szext")
    return extended(opcode.has("clamp"), isSigned, uint32_t(in[0]),
                    uint32_t(in[1]));
  if (name == "prmt")
    return permute(opcode, uint32_t(in[0]), uint32_t(in[1]), uint32_t(in[2]));
  if (name == "popc")
    return uint64_t(countSet(in[0], width));
  if (name == "clz")
    return uint64_t(countLeadingZeros(in[0], width));
  if (name == "cnot")
    return countSet(in[0], width) == 0;
  return bitwise(opcode, width, in, d);
}
