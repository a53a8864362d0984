//===- ConvertModel.cpp - Conversions, exactly ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvertModel.h"

#include "FloatModel.h"
#include "IntegerModel.h"

using namespace heddle::emulator;
using namespace heddle::emulator::model;

int heddle::emulator::model::elementBits(const std::string &type) {
  return isIntegerType(type) ? widthOf(type) : formatNamed(type).width;
}

static Value load(const Opcode &opcode, const std::string &from,
                  uint64_t bits) {
  if (isIntegerType(from)) {
    Whole whole = Whole::ofBits(bits, widthOf(from), isSignedType(from));
    return integer(whole.negative, whole.magnitude);
  }
  const Format &format = formatNamed(from);
  if (format.width < 64)
    bits &= (uint64_t(1) << format.width) - 1;
  // .ftz is about singles alone.
  if (opcode.has("ftz") && from == "f32")
    bits = flushed(bits, format);
  return valueOf(bits, format);
}

static uint64_t toInteger(const Opcode &opcode, const std::string &to,
                          const std::string &from, const Value &value) {
  int width = widthOf(to);
  bool isSigned = isSignedType(to);
  if (value.isNan())
    return from == "f64" || width == 64 ? uint64_t(1) << (width - 1) : 0;
  Whole whole;
  whole.negative = value.negative;
  // Beyond every type.
  whole.magnitude = Natural(1) << 100;
  if (!value.isInfinite()) {
    Value rounded = roundToInteger(value, modeOf(opcode));
    whole.magnitude = rounded.exponent > 0
                          ? rounded.magnitude << rounded.exponent
                          : rounded.magnitude >> -rounded.exponent;
    whole.negative &= !whole.magnitude.isZero();
  }
  if (!isIntegerType(from) || opcode.has("sat"))
    whole = clamped(whole, width, isSigned);
  return whole.bits(width);
}

static uint64_t toFloat(const Opcode &opcode, const std::string &to,
                        Value value) {
  const Format &format = formatNamed(to);
  Mode mode = modeOf(opcode);
  if (opcode.hasAny("rni", "rzi", "rmi", "rpi")) {
    value = roundToInteger(value, mode);
    mode = Mode::Nearest;
  }
  uint64_t bits = roundTo(value, format, mode, opcode.has("satfinite"));
  if (opcode.has("ftz") && to == "f32")
    bits = flushed(bits, format);
  bool negative = bits >> format.padding & format.sign();
  if (opcode.has("relu"))
    return isNan(bits, format) ? format.nan << format.padding
           : negative          ? 0
                               : bits;
  if (!opcode.has("sat"))
    return bits;
  uint64_t one = roundTo(integer(false, Natural(1)), format, Mode::Nearest);
  return isNan(bits, format) || negative ? 0 : std::min(bits, one);
}

uint64_t heddle::emulator::model::evaluateConvert(
    const Opcode &opcode, const std::array<uint64_t, 3> &in, int registerBits) {
  const std::string &to = opcode.type(1), &from = opcode.type();
  if (isIntegerType(to)) {
    uint64_t bits = toInteger(opcode, to, from, load(opcode, from, in[0]));
    return Whole::ofBits(bits, widthOf(to), isSignedType(to))
        .bits(registerBits);
  }
  if (!to.ends_with("x2"))
    return toFloat(opcode, to, load(opcode, from, in[0]));
  bool isPacked = from.ends_with("x2");
  uint64_t high = isPacked ? in[0] >> elementBits(from) : in[0];
  uint64_t low = isPacked ? in[0] : in[1];
  return toFloat(opcode, to, load(opcode, from, high)) << elementBits(to) |
         toFloat(opcode, to, load(opcode, from, low));
}
