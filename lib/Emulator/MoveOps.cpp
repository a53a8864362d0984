//===- MoveOps.cpp - mov and the address space conversions ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mov` in its forms (copies, packing, unpacking, clocks), conversions between
// address spaces, and `createpolicy`. A space other than global is a window in
// the top byte of a generic address, so a conversion is an addition and
// `isspacep` compares that byte.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

using namespace heddle::emulator;

namespace {
struct Copy {
  static uint64_t apply(uint64_t a) { return a; }
};
} // namespace

/// `mov.b64 d, {a, b}`: the first element is the lowest.
static Step execPack(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  int bits = bitsOf(in.type) / int(in.sources.size());
  forEachLane(mask, [&](int lane) {
    uint64_t value = 0;
    for (size_t i = 0; i < in.sources.size(); ++i)
      value |= (context.lanes(in.sources[i])[lane] & lowBits(bits))
               << (bits * int(i));
    d[lane] = value;
  });
  return Step::Next;
}

/// `mov.b64 {a, b}, s`
static Step execUnpack(ExecContext &context, const Instruction &in,
                       LaneMask mask) {
  int bits = bitsOf(in.type) / int(in.destinations.size());
  forEachLane(mask, [&](int lane) {
    uint64_t value = context.lanes(in.a)[lane]; // may be a destination as well
    for (size_t i = 0; i < in.destinations.size(); ++i)
      context.lanes(in.destinations[i])[lane] =
          value >> (bits * int(i)) & lowBits(bits);
  });
  return Step::Next;
}

/// A clock that advances: one tick an instruction of the CTA.
static Step execClock(ExecContext &context, const Instruction &in,
                      LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  uint64_t now = (uint64_t(context.cta.steps) + context.cta.skippedTime) &
                 lowBits(bitsOf(in.type));
  forEachLane(mask, [&](int lane) { d[lane] = now; });
  return Step::Next;
}

static bool isClock(std::string_view name) {
  return name == "%clock" || name == "%clock64" || name == "%clock_hi" ||
         name == "%globaltimer" || name == "%globaltimer_lo";
}

static bool decodeMov(Decoder &decoder) {
  Type type = decoder.takeType();
  Instruction &out = decoder.out;
  out.type = type;
  if (bitsOf(type) > 64 || type == Type::None)
    return decoder.failUnknown();
  const auto &operands = decoder.parsed.operands;
  if (operands.size() != 2)
    return decoder.fail("expected two operands");
  if (operands[0].kind == Operand::Kind::Vector) {
    out.exec = execUnpack;
    return decoder.vectorDestination(type, int(operands[0].elements.size())) &&
           decoder.source(type);
  }
  if (operands[1].kind == Operand::Kind::Vector) {
    out.exec = execPack;
    return decoder.destination(type) &&
           decoder.vectorSource(type, int(operands[1].elements.size()));
  }
  if (operands[1].kind == Operand::Kind::Special && isClock(operands[1].name)) {
    out.exec = execClock;
    decoder.entry.readsClock = true;
    decoder.destination(type);
    return decoder.nextOperandOrFail() != nullptr;
  }
  out.exec = execUnary<Copy>;
  return decodeOperands(decoder, 1, type);
}

//===----------------------------------------------------------------------===//
// Address spaces
//===----------------------------------------------------------------------===//

static bool takeSpace(Decoder &decoder, Space &space) {
  static constexpr std::pair<std::string_view, Space> names[] = {
      {"shared", Space::Shared},
      {"shared::cta", Space::Shared},
      {"shared::cluster", Space::Shared},
      {"global", Space::Global},
      {"local", Space::Local},
      {"const", Space::Const},
      {"param", Space::Param},
      {"param::entry", Space::Param},
  };
  for (auto [name, value] : names)
    if (decoder.take(name)) {
      space = value;
      return true;
    }
  return decoder.fail("unknown address space");
}

/// Adds the window (immediate) to each address; the other way it is negative.
static Step execConvertAddress(ExecContext &context, const Instruction &in,
                               LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  forEachLane(mask,
              [&](int lane) { d[lane] = a[lane] + uint64_t(in.immediate); });
  return Step::Next;
}

static bool decodeCvta(Decoder &decoder) {
  bool isToSpace = decoder.take("to");
  Space space;
  if (!takeSpace(decoder, space))
    return false;
  int64_t window = int64_t(windowOf(space));
  decoder.out.immediate = isToSpace ? -window : window;
  decoder.out.exec = execConvertAddress;
  return decodeOperands(decoder, 1, decoder.takeType());
}

static Step execIsSpace(ExecContext &context, const Instruction &in,
                        LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  uint64_t window = uint64_t(in.immediate);
  forEachLane(mask,
              [&](int lane) { d[lane] = (a[lane] >> 56 << 56) == window; });
  return Step::Next;
}

static bool decodeIsspacep(Decoder &decoder) {
  Space space;
  if (!takeSpace(decoder, space))
    return false;
  decoder.out.immediate = int64_t(windowOf(space));
  decoder.out.exec = execIsSpace;
  return decodeOperands(decoder, 1, Type::U64);
}

/// Cache policies change no value.
static bool decodeCreatePolicy(Decoder &decoder) {
  while (decoder.hasModifiers())
    decoder.takeModifier();
  if (!decoder.destination(Type::B64))
    return false;
  while (decoder.operandsLeft())
    decoder.nextOperandOrFail();
  decoder.out.sources.push_back(decoder.pool.bits(0));
  decoder.out.exec = execUnary<Copy>;
  return true;
}

std::span<const Family> heddle::emulator::moveFamilies() {
  static constexpr Family families[] = {
      {"mov", decodeMov},
      {"cvta", decodeCvta},
      {"isspacep", decodeIsspacep},
      {"createpolicy", decodeCreatePolicy},
  };
  return families;
}
