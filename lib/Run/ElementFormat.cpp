//===- ElementFormat.cpp - Elements of memory as numbers ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/ElementFormat.h"

#include "heddle/Support/NumberFormat.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace heddle;
using namespace heddle::tool;
using manifest::ElementType;

namespace {

template <typename T> T readAs(const std::byte *memory, int64_t index) {
  T value;
  std::memcpy(&value, memory + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> void writeAs(std::byte *memory, int64_t index, T value) {
  std::memcpy(memory + index * sizeof(T), &value, sizeof(T));
}

/// Exponent and fraction bits of a floating-point type; {0, 0} for integers.
struct Fields {
  int exponent = 0;
  int fraction = 0;
};

Fields fieldsOf(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return {5, 10};
  case ElementType::BF16:
    return {8, 7};
  case ElementType::F32:
    return {8, 23};
  case ElementType::F64:
    return {11, 52};
  case ElementType::E4M3:
    return {4, 3};
  case ElementType::E5M2:
    return {5, 2};
  default:
    return {};
  }
}

} // namespace

double heddle::tool::readElement(ElementType type, const std::byte *memory,
                                 int64_t index) {
  switch (type) {
  case ElementType::F16:
    return decode<kFloat16>(readAs<uint16_t>(memory, index));
  case ElementType::BF16:
    return decode<kBFloat16>(readAs<uint16_t>(memory, index));
  case ElementType::F32:
    return readAs<float>(memory, index);
  case ElementType::F64:
    return readAs<double>(memory, index);
  case ElementType::I8:
    return readAs<int8_t>(memory, index);
  case ElementType::I16:
    return readAs<int16_t>(memory, index);
  case ElementType::I32:
    return readAs<int32_t>(memory, index);
  case ElementType::I64:
    return double(readAs<int64_t>(memory, index));
  case ElementType::E4M3:
    return decode<kFloat8E4M3>(readAs<uint8_t>(memory, index));
  case ElementType::E5M2:
    return decode<kFloat8E5M2>(readAs<uint8_t>(memory, index));
  }
  return 0;
}

/// The nearest number of the type; 0 for NaN.
template <class T> static T toInteger(double value) {
  constexpr T low = std::numeric_limits<T>::min();
  constexpr T high = std::numeric_limits<T>::max();
  if (std::isnan(value))
    return 0;
  // 2^63 itself is no int64_t, and is what its largest rounds to.
  if (value >= double(high))
    return high;
  return value <= double(low) ? low : T(value);
}

Number heddle::tool::wholeNumber(int64_t whole) {
  return {double(whole), whole};
}

std::optional<Number> heddle::tool::numberOf(llvm::StringRef text) {
  int64_t whole;
  if (!text.getAsInteger(10, whole))
    return wholeNumber(whole);
  Number number;
  if (text.getAsDouble(number.value))
    return std::nullopt;
  // As in 1e3; what a double rounds was another number.
  double exact;
  if (!text.getAsDouble(exact, /*AllowInexact=*/false) &&
      std::fabs(exact) < 0x1p63 && exact == std::trunc(exact))
    number.whole = int64_t(exact);
  return number;
}

bool heddle::tool::isIntegral(ElementType type) {
  return fieldsOf(type).exponent == 0;
}

int64_t heddle::tool::readWhole(ElementType type, const std::byte *memory,
                                int64_t index) {
  if (type == ElementType::I64)
    return readAs<int64_t>(memory, index);
  return int64_t(readElement(type, memory, index));
}

bool heddle::tool::holds(ElementType type, const Number &number) {
  if (!isIntegral(type))
    return true;
  return number.whole &&
         llvm::isIntN(unsigned(manifest::elementBytes(type)) * 8,
                      *number.whole);
}

void heddle::tool::writeNumber(ElementType type, std::byte *memory,
                               int64_t index, const Number &number) {
  if (type == ElementType::I64 && number.whole)
    return writeAs<int64_t>(memory, index, *number.whole);
  writeElement(type, memory, index, number.value);
}

void heddle::tool::writeElement(ElementType type, std::byte *memory,
                                int64_t index, double value) {
  switch (type) {
  case ElementType::F16:
    return writeAs<uint16_t>(memory, index, encode<kFloat16>(value));
  case ElementType::BF16:
    return writeAs<uint16_t>(memory, index, encode<kBFloat16>(value));
  case ElementType::F32:
    return writeAs<float>(memory, index, float(value));
  case ElementType::F64:
    return writeAs<double>(memory, index, value);
  case ElementType::I8:
    return writeAs<int8_t>(memory, index, toInteger<int8_t>(value));
  case ElementType::I16:
    return writeAs<int16_t>(memory, index, toInteger<int16_t>(value));
  case ElementType::I32:
    return writeAs<int32_t>(memory, index, toInteger<int32_t>(value));
  case ElementType::I64:
    return writeAs<int64_t>(memory, index, toInteger<int64_t>(value));
  case ElementType::E4M3:
    return writeAs<uint8_t>(memory, index, encode<kFloat8E4M3>(value));
  case ElementType::E5M2:
    return writeAs<uint8_t>(memory, index, encode<kFloat8E5M2>(value));
  }
}

double heddle::tool::epsilon(ElementType type) {
  Fields fields = fieldsOf(type);
  return fields.exponent ? std::ldexp(1.0, -fields.fraction) : 0;
}

double heddle::tool::smallestNormal(ElementType type) {
  Fields fields = fieldsOf(type);
  return fields.exponent ? std::ldexp(1.0, 2 - (1 << (fields.exponent - 1)))
                         : 0;
}

double heddle::tool::finite(ElementType type, double value) {
  constexpr double kMost = std::numeric_limits<double>::max();
  if (!std::isinf(value))
    return value;
  return std::copysign(std::min(4 / smallestNormal(type), kMost), value);
}
