//===- AtomicOps.cpp - atom and red ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicOps.h"

#include "Elementwise.h"
#include "FloatFormats.h"
#include "MemoryOps.h"

#include <cstring>

using namespace heddle::emulator;

namespace {
enum Operation : uint32_t {
  kAdd,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXor,
  kExchange,
  kIncrement,
  kDecrement,
  kCompareAndSwap,
};

template <class T>
uint64_t combineIntegers(uint32_t operation, T old, T value) {
  switch (operation) {
  case kAdd:
    return uint64_t(old) + uint64_t(value);
  case kMin:
    return uint64_t(old < value ? old : value);
  case kMax:
    return uint64_t(old > value ? old : value);
  case kAnd:
    return uint64_t(old & value);
  case kOr:
    return uint64_t(old | value);
  case kXor:
    return uint64_t(old ^ value);
  case kIncrement: // wraps at value
    return old >= value ? 0 : uint64_t(old + 1);
  case kDecrement:
    return old == 0 || old > value ? uint64_t(value) : uint64_t(old - 1);
  default:
    return uint64_t(value);
  }
}

template <class Format>
uint64_t combineFloats(uint32_t operation, uint64_t a, uint64_t b) {
  auto old = Format::load(a), value = Format::load(b);
  switch (operation) {
  case kAdd:
    return Format::store(old + value);
  case kMin:
    return Format::store(std::fmin(old, value));
  case kMax:
    return Format::store(std::fmax(old, value));
  default:
    return b;
  }
}

template <class Format>
uint64_t combinePairs(uint32_t operation, uint64_t a, uint64_t b) {
  return combineFloats<Format>(operation, a, b) |
         combineFloats<Format>(operation, a >> 16, b >> 16) << 16;
}
} // namespace

uint64_t heddle::emulator::combineAtomically(uint32_t operation, Type type,
                                             uint64_t old, uint64_t value) {
  switch (type) {
  case Type::U32:
  case Type::B32:
    return uint32_t(combineIntegers(operation, uint32_t(old), uint32_t(value)));
  case Type::S32:
    return uint32_t(combineIntegers(operation, int32_t(old), int32_t(value)));
  case Type::U64:
  case Type::B64:
    return combineIntegers(operation, old, value);
  case Type::S64:
    return combineIntegers(operation, int64_t(old), int64_t(value));
  case Type::B16:
    return uint16_t(value);
  case Type::F16:
    return combineFloats<HalfFormat>(operation, old, value);
  case Type::BF16:
    return combineFloats<BfloatFormat>(operation, old, value);
  case Type::F16x2:
    return combinePairs<HalfFormat>(operation, old, value);
  case Type::BF16x2:
    return combinePairs<BfloatFormat>(operation, old, value);
  case Type::F32:
    return combineFloats<SingleFormat>(operation, old, value);
  case Type::F64:
    return combineFloats<DoubleFormat>(operation, old, value);
  default:
    return value;
  }
}

bool heddle::emulator::takeOperation(Decoder &decoder, uint32_t &operation) {
  static constexpr std::string_view names[] = {
      "add", "min", "max", "and", "or", "xor", "exch", "inc", "dec", "cas"};
  for (uint32_t i = 0; i < std::size(names); ++i)
    if (decoder.takeAny(names[i])) {
      operation = i;
      return true;
    }
  return decoder.failUnknown();
}

/// sources: base, values, and for cas what to write.
static Step execAtomic(ExecContext &context, const Instruction &in,
                       LaneMask mask) {
  uint32_t bytes = uint32_t(bitsOf(in.type)) / 8;
  uint32_t count = in.vectorLength;
  bool returnsOld = !in.destinations.empty();
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = context.lanes(in.a)[lane] + uint64_t(in.immediate);
    uint8_t *data =
        context.access(in, in.space, address, bytes * count, true, lane);
    if (!data)
      return Step::Failed;
    for (uint32_t i = 0; i < count; ++i, data += bytes) {
      uint64_t old = 0;
      std::memcpy(&old, data, bytes);
      uint64_t value = context.lanes(in.sources[1 + i])[lane];
      uint64_t result = in.variant != kCompareAndSwap
                            ? combineAtomically(in.variant, in.type, old, value)
                        : old == value ? context.lanes(in.sources[2])[lane]
                                       : old;
      std::memcpy(data, &result, bytes);
      if (returnsOld)
        context.lanes(in.destinations[i])[lane] = old;
    }
  }
  return Step::Next;
}

static bool decodeAtomic(Decoder &decoder, bool returnsOld) {
  Instruction &out = decoder.out;
  // `.release` and `.acquire` qualify; `.noftz` is the only float behaviour.
  bool hasHint = takeMemoryModifiers(decoder, out.space);
  decoder.takeAny("noftz");
  if (!takeOperation(decoder, out.variant))
    return false;
  out.vectorLength = uint8_t(takeVectorLength(decoder));
  out.type = decoder.takeType();
  if (bitsOf(out.type) < 16 || bitsOf(out.type) > 64)
    return decoder.failUnknown();
  out.exec = execAtomic;
  out.isStrong = out.isAtomic = true;
  if (returnsOld && !decoder.vectorDestination(out.type, out.vectorLength))
    return false;
  if (!decoder.memory(out.immediate) ||
      !decoder.vectorSource(out.type, out.vectorLength))
    return false;
  if (out.variant == kCompareAndSwap && !decoder.source(out.type))
    return false;
  return !hasHint || decoder.nextOperandOrFail();
}

static bool decodeAtom(Decoder &decoder) { return decodeAtomic(decoder, true); }
static bool decodeRed(Decoder &decoder) { return decodeAtomic(decoder, false); }

std::span<const Family> heddle::emulator::atomicFamilies() {
  static constexpr Family families[] = {
      {"atom", decodeAtom},
      {"red", decodeRed},
  };
  return families;
}
