//===- Integers.cpp - Arithmetic as the checker knows it --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here overflows: sums and products of two numbers are made in 128
// bits, or without a sign.
//
//===----------------------------------------------------------------------===//

#include "heddle/Check/Integers.h"

#include <algorithm>
#include <bit>

namespace heddle::check {

using Wide = __int128;

Range rangeOfBits(int bits) {
  if (bits >= 64)
    return {};
  int64_t half = int64_t(1) << (bits - 1);
  return {-half, half - 1};
}

/// The lowest bits, without a sign.
static uint64_t withoutSign(int bits, int64_t number) {
  return bits >= 64 ? uint64_t(number)
                    : uint64_t(number) & ((uint64_t(1) << bits) - 1);
}

int64_t wrapTo(int bits, uint64_t number) {
  if (bits >= 64)
    return int64_t(number);
  uint64_t sign = uint64_t(1) << (bits - 1);
  uint64_t low = number & ((sign << 1) - 1);
  return int64_t(low ^ sign) - int64_t(sign);
}

const char *nameOf(Arith arith) {
  static const char *const names[] = {
      "add",      "sub",      "mul",      "div", "udiv", "rem",  "urem",
      "ceildiv",  "uceildiv", "floordiv", "min", "umin", "max",  "umax",
      "shl",      "shr",      "ushr",     "xor", "and",  "or",   "select",
      "truncate", "widen",    "eq",       "ne",  "lt",   "le",   "gt",
      "ge",       "ult",      "ule",      "ugt", "uge",  "other"};
  return names[int(arith)];
}

/// A quotient rounded towards zero, down or up; the divisor is not 0.
static Wide quotient(Arith arith, Wide a, Wide b) {
  Wide down = a / b;
  bool isExact = down * b == a, isBelow = (a < 0) != (b < 0);
  if (arith == Arith::CeilDiv && !isExact && !isBelow)
    return down + 1;
  if (arith == Arith::FloorDiv && !isExact && isBelow)
    return down - 1;
  return down;
}

std::optional<int64_t> evaluate(Arith arith, int from, int bits,
                                const std::vector<int64_t> &of) {
  auto result = [&](uint64_t number) { return wrapTo(bits, number); };
  if (of.size() == 1) {
    if (arith == Arith::Truncate)
      return result(uint64_t(of[0]));
    if (arith == Arith::Widen)
      return result(withoutSign(from, of[0]));
  }
  if (arith == Arith::Select && of.size() == 3)
    return of[0] != 0 ? of[1] : of[2];
  if (of.size() != 2)
    return std::nullopt;
  int64_t a = of[0], b = of[1];
  uint64_t ua = withoutSign(from, a), ub = withoutSign(from, b);
  bool isOverflow = a == rangeOfBits(from).low && b == -1;
  switch (arith) {
  case Arith::Add:
    return result(uint64_t(a) + uint64_t(b));
  case Arith::Sub:
    return result(uint64_t(a) - uint64_t(b));
  case Arith::Mul:
    return result(uint64_t(a) * uint64_t(b));
  case Arith::Div:
  case Arith::CeilDiv:
  case Arith::FloorDiv:
    if (b == 0 || isOverflow)
      return std::nullopt;
    return result(uint64_t(quotient(arith, a, b)));
  case Arith::Rem:
    if (b == 0 || isOverflow)
      return std::nullopt;
    return a % b;
  case Arith::DivU:
    return ub == 0 ? std::nullopt : std::optional(result(ua / ub));
  case Arith::CeilDivU:
    return ub == 0 ? std::nullopt
                   : std::optional(result(ua == 0 ? 0 : (ua - 1) / ub + 1));
  case Arith::RemU:
    return ub == 0 ? std::nullopt : std::optional(result(ua % ub));
  case Arith::Min:
    return std::min(a, b);
  case Arith::Max:
    return std::max(a, b);
  case Arith::MinU:
    return ua < ub ? a : b;
  case Arith::MaxU:
    return ua < ub ? b : a;
  case Arith::Shl:
    return ub >= uint64_t(from) ? std::nullopt
                                : std::optional(result(ua << ub));
  case Arith::ShrS:
    return ub >= uint64_t(from) ? std::nullopt : std::optional(a >> ub);
  case Arith::ShrU:
    return ub >= uint64_t(from) ? std::nullopt
                                : std::optional(result(ua >> ub));
  case Arith::Xor:
    return a ^ b;
  case Arith::And:
    return a & b;
  case Arith::Or:
    return a | b;
  case Arith::Equal:
    return result(a == b);
  case Arith::NotEqual:
    return result(a != b);
  case Arith::Less:
    return result(a < b);
  case Arith::LessEqual:
    return result(a <= b);
  case Arith::Greater:
    return result(a > b);
  case Arith::GreaterEqual:
    return result(a >= b);
  case Arith::LessU:
    return result(ua < ub);
  case Arith::LessEqualU:
    return result(ua <= ub);
  case Arith::GreaterU:
    return result(ua > ub);
  case Arith::GreaterEqualU:
    return result(ua >= ub);
  case Arith::Select:
  case Arith::Truncate:
  case Arith::Widen:
  case Arith::Other:
    break;
  }
  return std::nullopt;
}

/// The numbers between the least and the greatest, if they have so many bits;
/// else an operation wraps, and its result can be anything.
static Range within(int bits, std::initializer_list<Wide> numbers) {
  Range all = rangeOfBits(bits);
  Wide low = *std::min_element(numbers.begin(), numbers.end());
  Wide high = *std::max_element(numbers.begin(), numbers.end());
  if (low < all.low || high > all.high)
    return all;
  return {int64_t(low), int64_t(high)};
}

static Range shiftRight(Range a, Range b) {
  std::initializer_list<int64_t> ends = {a.low >> b.low, a.low >> b.high,
                                         a.high >> b.low, a.high >> b.high};
  return {std::min(ends), std::max(ends)};
}

/// All bits up to the highest that one of the numbers has.
static int64_t bitsBelow(int64_t number) {
  return int64_t((uint64_t(1) << std::bit_width(uint64_t(number))) - 1);
}

static Range rangeOfTwo(Arith arith, int from, int bits, Range a, Range b) {
  Range all = rangeOfBits(bits);
  bool isPositive = a.low >= 0 && b.low >= 0;
  switch (arith) {
  case Arith::Add:
    return within(bits, {Wide(a.low) + b.low, Wide(a.high) + b.high});
  case Arith::Sub:
    return within(bits, {Wide(a.low) - b.high, Wide(a.high) - b.low});
  case Arith::Mul:
    return within(bits, {Wide(a.low) * b.low, Wide(a.low) * b.high,
                         Wide(a.high) * b.low, Wide(a.high) * b.high});
  case Arith::Div:
  case Arith::CeilDiv:
  case Arith::FloorDiv:
    if (b.low < 1)
      return all;
    return within(bits, {quotient(arith, a.low, b.low),
                         quotient(arith, a.low, b.high),
                         quotient(arith, a.high, b.low),
                         quotient(arith, a.high, b.high)});
  case Arith::Rem:
    if (b.low < 1)
      return all;
    return {a.low >= 0 ? 0 : std::max(a.low, 1 - b.high),
            a.high <= 0 ? 0 : std::min(a.high, b.high - 1)};
  case Arith::RemU:
    return b.low < 1 ? all : Range{0, b.high - 1};
  case Arith::DivU:
    return isPositive ? rangeOfTwo(Arith::Div, from, bits, a, b) : all;
  case Arith::CeilDivU:
    return isPositive ? rangeOfTwo(Arith::CeilDiv, from, bits, a, b) : all;
  case Arith::Min:
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  case Arith::Max:
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  case Arith::MinU: // at most an operand that is not negative
    if (a.low < 0 && b.low < 0)
      return all;
    if (isPositive)
      return rangeOfTwo(Arith::Min, from, bits, a, b);
    return {0, a.low >= 0 ? a.high : b.high};
  case Arith::MaxU:
    return isPositive ? rangeOfTwo(Arith::Max, from, bits, a, b) : all;
  case Arith::Shl:
    if (b.low != b.high || b.low < 0 || b.low >= from)
      return all;
    return within(bits, {Wide(a.low) * (Wide(1) << b.low),
                         Wide(a.high) * (Wide(1) << b.low)});
  case Arith::ShrS:
    return b.low < 0 || b.high >= from ? all : shiftRight(a, b);
  case Arith::ShrU:
    if (b.low < 0 || b.high >= from)
      return all;
    if (a.low >= 0)
      return shiftRight(a, b);
    return b.low < 1 ? all : within(bits, {0, (Wide(1) << (from - b.low)) - 1});
  case Arith::And:
    if (a.low < 0 && b.low < 0)
      return all;
    return {0, std::min(a.low < 0 ? INT64_MAX : a.high,
                        b.low < 0 ? INT64_MAX : b.high)};
  case Arith::Xor:
  case Arith::Or:
    return isPositive ? Range{0, bitsBelow(std::max(a.high, b.high))} : all;
  case Arith::Equal:
  case Arith::NotEqual:
  case Arith::Less:
  case Arith::LessEqual:
  case Arith::Greater:
  case Arith::GreaterEqual:
  case Arith::LessU:
  case Arith::LessEqualU:
  case Arith::GreaterU:
  case Arith::GreaterEqualU:
    return {std::min<int64_t>(0, wrapTo(bits, 1)),
            std::max<int64_t>(0, wrapTo(bits, 1))};
  case Arith::Select:
  case Arith::Truncate:
  case Arith::Widen:
  case Arith::Other:
    break;
  }
  return all;
}

Range rangeOf(Arith arith, int from, int bits, const std::vector<Range> &of) {
  Range all = rangeOfBits(bits);
  if (arith == Arith::Select && of.size() == 3)
    return {std::min(of[1].low, of[2].low), std::max(of[1].high, of[2].high)};
  if (arith == Arith::Truncate && of.size() == 1)
    return within(bits, {of[0].low, of[0].high});
  if (arith == Arith::Widen && of.size() == 1) {
    if (of[0].low >= 0)
      return of[0];
    return within(bits, {0, (Wide(1) << from) - 1});
  }
  return of.size() == 2 ? rangeOfTwo(arith, from, bits, of[0], of[1]) : all;
}

} // namespace heddle::check
