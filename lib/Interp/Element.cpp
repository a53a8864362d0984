//===- Element.cpp - The element types of run-time values -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/NumberFormat.h"

#include <cfenv>
#include <cstring>

using namespace heddle;
using namespace heddle::interp;

std::optional<Element> Element::get(mlir::Type type) {
  if (mlir::isa<mlir::Float8E4M3FNType>(type))
    return Element(Kind::E4M3, 8);
  if (mlir::isa<mlir::Float8E5M2Type>(type))
    return Element(Kind::E5M2, 8);
  if (type.isF16())
    return Element(Kind::F16, 16);
  if (type.isBF16())
    return Element(Kind::BF16, 16);
  if (type.isTF32())
    return Element(Kind::TF32, 32);
  if (type.isF32())
    return Element(Kind::F32, 32);
  if (type.isF64())
    return Element(Kind::F64, 64);
  if (type.isIndex())
    return Element(Kind::Integer, 64);
  if (mlir::isa<tile::PtrType>(type))
    return Element(Kind::Pointer, 64);
  for (unsigned width : {1, 8, 16, 32, 64})
    if (type.isInteger(width))
      return Element(Kind::Integer, width);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// The exponents of f32 with 10 fraction bits.
static constexpr NumberFormat kTf32{8, 10, true};

double Element::round(double value) const {
  switch (kind) {
  case Kind::E4M3:
    return roundTo<kFloat8E4M3>(value);
  case Kind::E5M2:
    return roundTo<kFloat8E5M2>(value);
  case Kind::F16:
    return roundTo<kFloat16>(value);
  case Kind::BF16:
    return roundTo<kBFloat16>(value);
  case Kind::TF32:
    return roundTo<kTf32>(value);
  case Kind::F32:
    return double(float(value));
  case Kind::F64:
  case Kind::Integer:
  case Kind::Pointer:
    return value;
  }
  llvm_unreachable("unknown element kind");
}

void Element::round(std::vector<double> &values) const {
  if (kind == Kind::F64)
    return;
  if (kind == Kind::F32) {
    for (double &value : values)
      value = double(float(value));
    return;
  }
  for (double &value : values)
    value = round(value);
}

/// The next value of the format beyond `value`, away from or toward zero.
static double neighbour(const Element &element, double value, bool away) {
  if (value == 0) {
    uint64_t smallest = 1;
    return away ? element.fromBits(smallest) : 0.0;
  }
  uint64_t bits = element.toBits(value);
  return element.fromBits(away ? bits + 1 : bits - 1);
}

double Element::round(double value, int mode) const {
  double nearest = round(value);
  if (mode == FE_TONEAREST || nearest == value || std::isnan(value))
    return nearest;
  if (std::isinf(value))
    return nearest;
  bool down = mode == FE_DOWNWARD || (mode == FE_TOWARDZERO && value > 0);
  if (nearest > value && down)
    return nearest > 0    ? neighbour(*this, nearest, /*away=*/false)
           : nearest == 0 ? -neighbour(*this, 0, /*away=*/true)
                          : neighbour(*this, nearest, /*away=*/true);
  if (nearest < value && !down)
    return nearest < 0 ? neighbour(*this, nearest, /*away=*/false)
                       : neighbour(*this, nearest, /*away=*/true);
  return nearest;
}

int64_t Element::wrap(int64_t value) const {
  if (width == 1)
    return value & 1;
  unsigned unused = 64 - width;
  return int64_t(uint64_t(value) << unused) >> unused;
}

void Element::wrap(std::vector<int64_t> &values) const {
  if (width == 64)
    return;
  for (int64_t &value : values)
    value = wrap(value);
}

uint64_t Element::asUnsigned(int64_t value) const {
  return width == 64 ? uint64_t(value)
                     : uint64_t(value) & ((uint64_t(1) << width) - 1);
}

int64_t Element::asSigned(int64_t value) const {
  return width == 1 ? -(value & 1) : value;
}

//===----------------------------------------------------------------------===//
// Memory and bits
//===----------------------------------------------------------------------===//

uint64_t Element::toBits(double value) const {
  switch (kind) {
  case Kind::E4M3:
    return encode<kFloat8E4M3>(value);
  case Kind::E5M2:
    return encode<kFloat8E5M2>(value);
  case Kind::F16:
    return encode<kFloat16>(value);
  case Kind::BF16:
    return encode<kBFloat16>(value);
  case Kind::TF32:
  case Kind::F32:
    return std::bit_cast<uint32_t>(float(value));
  default:
    return std::bit_cast<uint64_t>(value);
  }
}

double Element::fromBits(uint64_t bits) const {
  switch (kind) {
  case Kind::E4M3:
    return decode<kFloat8E4M3>(uint32_t(bits));
  case Kind::E5M2:
    return decode<kFloat8E5M2>(uint32_t(bits));
  case Kind::F16:
    return decode<kFloat16>(uint32_t(bits));
  case Kind::BF16:
    return decode<kBFloat16>(uint32_t(bits));
  case Kind::TF32:
  case Kind::F32:
    return std::bit_cast<float>(uint32_t(bits));
  default:
    return std::bit_cast<double>(bits);
  }
}

static uint64_t loadBits(const void *address, int64_t sizeBytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, address, size_t(sizeBytes)); // little-endian hosts only
  return bits;
}

double Element::loadFloat(const void *address) const {
  return fromBits(loadBits(address, sizeBytes));
}

void Element::storeFloat(double value, void *address) const {
  uint64_t bits = toBits(value);
  std::memcpy(address, &bits, size_t(sizeBytes));
}

int64_t Element::loadInteger(const void *address) const {
  return wrap(int64_t(loadBits(address, sizeBytes)));
}

void Element::storeInteger(int64_t value, void *address) const {
  std::memcpy(address, &value, size_t(sizeBytes));
}
