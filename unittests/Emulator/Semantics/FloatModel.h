//===- FloatModel.h - Floating-point numbers, exactly -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What PTX's floating-point instructions give, worked out from the definitions:
// operands become exact numbers, an operation gives an exact number (or one
// that is known to lie strictly between two), and one rounding ends it. Nothing
// here is shared with lib/Emulator, nor does the host's arithmetic take part.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_FLOATMODEL_H
#define HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_FLOATMODEL_H

#include "Natural.h"
#include "Opcode.h"

#include <array>

namespace heddle::emulator::model {

struct Format {
  const char *name;
  int width;
  int exponentBits;
  int fractionBits;
  bool hasInfinity;
  uint64_t nan;    ///< the canonical one
  int padding = 0; ///< unused low bits: tf32 in 32

  int precision() const { return fractionBits + 1; }
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int smallestExponent() const { return 1 - bias(); }
  uint64_t sign() const { return uint64_t(1) << (width - 1 - padding); }
  uint64_t largest() const; ///< magnitude of the largest number
};

/// f16, bf16, tf32, e4m3, e5m2, f32 or f64; `x2` at the end is ignored.
const Format &formatNamed(std::string_view name);
/// Whether a format has this name.
bool isFormat(std::string_view name);

enum class Mode { Nearest, Zero, Down, Up, NearestAway };
/// From `.rn`, `.rz`, `.rm`, `.rp`, `.rna`; nearest even without.
Mode modeOf(const Opcode &opcode);

/// (-1)^negative * magnitude * 2^exponent. `isInexact`: the true magnitude is
/// larger, by less than 2^exponent.
struct Value {
  enum class Kind { Nan, Infinite, Number };
  Kind kind = Kind::Number;
  bool negative = false;
  bool isInexact = false;
  Natural magnitude;
  int exponent = 0;

  bool isNan() const { return kind == Kind::Nan; }
  bool isInfinite() const { return kind == Kind::Infinite; }
  bool isZero() const { return kind == Kind::Number && magnitude.isZero(); }
};

Value valueOf(uint64_t bits, const Format &format);
/// Rounds once.
uint64_t roundTo(const Value &value, const Format &format, Mode mode,
                 bool saturatesFinite = false);
bool isNan(uint64_t bits, const Format &format);
bool isSubnormal(uint64_t bits, const Format &format);
/// Subnormals become zeros of their sign.
uint64_t flushed(uint64_t bits, const Format &format);

/// An integer, or a fraction of a power of two.
Value integer(bool negative, Natural magnitude);
/// Rounds to an integer.
Value roundToInteger(const Value &value, Mode mode);

Value negated(Value value);
Value sum(const Value &a, const Value &b, Mode mode);
Value product(const Value &a, const Value &b);
Value quotient(const Value &a, const Value &b);
Value squareRoot(const Value &a);
/// -1, 0 or 1; nobody may be NaN.
int compare(const Value &a, const Value &b);

/// The result of an arithmetic instruction on elements of its type.
uint64_t evaluateFloat(const Opcode &opcode, const Format &format,
                       const std::array<uint64_t, 3> &operands);
/// The same for the whole register, which may hold two elements.
uint64_t evaluateFloatRegister(const Opcode &opcode,
                               const std::array<uint64_t, 3> &operands);
/// Equal, or both NaN where PTX does not say which one.
bool isSameFloat(uint64_t a, uint64_t b, const Format &format,
                 bool nanIsCanonical);

/// Values at which an instruction's definition bends.
std::vector<uint64_t> specialValues(const Format &format);

} // namespace heddle::emulator::model

#endif // HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_FLOATMODEL_H
