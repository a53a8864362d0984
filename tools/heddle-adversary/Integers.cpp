//===- Integers.cpp - Integers of a width, exactly ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"

#include <algorithm>

using namespace heddle::adversary;
using Whole = __int128; // holds every product of two numbers of 64 bits

uint64_t heddle::adversary::bitsOf(int width, int64_t number) {
  return width >= 64 ? uint64_t(number)
                     : uint64_t(number) & ((uint64_t(1) << width) - 1);
}

int64_t heddle::adversary::wrap(int width, int64_t number) {
  uint64_t bits = bitsOf(width, number);
  if (width < 64 && bits >> (width - 1) & 1)
    bits |= ~uint64_t(0) << width;
  return int64_t(bits);
}

static std::optional<int64_t> divide(Arith op, int width, int64_t a,
                                     int64_t b) {
  bool isUnsigned =
      op == Arith::DivU || op == Arith::RemU || op == Arith::CeilDivU;
  Whole x = isUnsigned ? Whole(bitsOf(width, a)) : Whole(a);
  Whole y = isUnsigned ? Whole(bitsOf(width, b)) : Whole(b);
  if (y == 0)
    return std::nullopt;
  Whole quotient = x / y, rest = x % y;
  if (!isUnsigned && quotient == Whole(1) << (width - 1))
    return std::nullopt; // the least number by -1
  bool isOpposite = (rest < 0) != (y < 0);
  switch (op) {
  case Arith::RemS:
  case Arith::RemU:
    return wrap(width, int64_t(rest));
  case Arith::CeilDivS:
  case Arith::CeilDivU:
    quotient += rest != 0 && !isOpposite;
    break;
  case Arith::FloorDivS:
    quotient -= rest != 0 && isOpposite;
    break;
  default:
    break;
  }
  return wrap(width, int64_t(quotient));
}

static std::optional<int64_t> shift(Arith op, int width, int64_t a, int64_t b) {
  uint64_t by = bitsOf(width, b);
  if (by >= uint64_t(width))
    return std::nullopt;
  if (op == Arith::Shl)
    return wrap(width, int64_t(uint64_t(a) << by));
  if (op == Arith::ShrU)
    return wrap(width, int64_t(bitsOf(width, a) >> by));
  return a >> by;
}

/// Of an i1: true is -1.
static int64_t truth(bool holds) { return holds ? -1 : 0; }

std::optional<int64_t> heddle::adversary::compute(Arith op, int width,
                                                  int64_t a, int64_t b) {
  uint64_t ua = bitsOf(width, a), ub = bitsOf(width, b);
  switch (op) {
  case Arith::Add:
    return wrap(width, int64_t(uint64_t(a) + uint64_t(b)));
  case Arith::Sub:
    return wrap(width, int64_t(uint64_t(a) - uint64_t(b)));
  case Arith::Mul:
    return wrap(width, int64_t(uint64_t(a) * uint64_t(b)));
  case Arith::DivS:
  case Arith::DivU:
  case Arith::CeilDivS:
  case Arith::CeilDivU:
  case Arith::FloorDivS:
  case Arith::RemS:
  case Arith::RemU:
    return divide(op, width, a, b);
  case Arith::MinS:
    return std::min(a, b);
  case Arith::MaxS:
    return std::max(a, b);
  case Arith::MinU:
    return ua < ub ? a : b;
  case Arith::MaxU:
    return ua > ub ? a : b;
  case Arith::Xor:
    return a ^ b;
  case Arith::And:
    return a & b;
  case Arith::Or:
    return a | b;
  case Arith::Shl:
  case Arith::ShrS:
  case Arith::ShrU:
    return shift(op, width, a, b);
  case Arith::Eq:
    return truth(a == b);
  case Arith::Ne:
    return truth(a != b);
  case Arith::Slt:
    return truth(a < b);
  case Arith::Sle:
    return truth(a <= b);
  case Arith::Sgt:
    return truth(a > b);
  case Arith::Sge:
    return truth(a >= b);
  case Arith::Ult:
    return truth(ua < ub);
  case Arith::Ule:
    return truth(ua <= ub);
  case Arith::Ugt:
    return truth(ua > ub);
  case Arith::Uge:
    return truth(ua >= ub);
  case Arith::ExtS:
    return a;
  case Arith::ExtU:
    return int64_t(ua);
  case Arith::Trunc:
    return wrap(width, a);
  }
  return std::nullopt;
}
