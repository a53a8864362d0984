//===- MemoryOps.cpp - ld and st ------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores happen at once, in program order of each lane. Qualifiers of
// order decide what is a race (RaceCheck.h); those of scope and caching are
// read and have no effect.
//
//===----------------------------------------------------------------------===//

#include "MemoryOps.h"

#include <cstring>

using namespace heddle::emulator;

bool heddle::emulator::takeMemoryModifiers(Decoder &decoder, Space &space) {
  static constexpr std::pair<std::string_view, Space> spaces[] = {
      {"global", Space::Global},      {"shared", Space::Shared},
      {"shared::cta", Space::Shared}, {"shared::cluster", Space::Shared},
      {"local", Space::Local},        {"param", Space::Param},
      {"param::entry", Space::Param}, {"const", Space::Const},
  };
  space = Space::Generic;
  for (auto [name, value] : spaces)
    if (decoder.takeAny(name))
      space = value;
  Instruction &out = decoder.out;
  bool isBoth = decoder.takeAny("acq_rel") || decoder.takeAny("sc");
  out.acquires = decoder.takeAny("acquire") || isBoth;
  out.releases = decoder.takeAny("release") || isBoth;
  out.isStrong = decoder.takeAny("relaxed") || decoder.takeAny("volatile") ||
                 decoder.takeAny("mmio") || out.acquires || out.releases;
  // `.L2::cache_hint` brings an operand, which the caller takes.
  bool hasHint = decoder.takeAny("L2::cache_hint");
  decoder.drop({"weak",
                "cta",
                "cluster",
                "gpu",
                "sys",
                "nc",
                "ca",
                "cg",
                "cs",
                "cv",
                "lu",
                "wb",
                "wt",
                "L1::evict_normal",
                "L1::evict_unchanged",
                "L1::evict_first",
                "L1::evict_last",
                "L1::no_allocate",
                "L2::evict_last",
                "L2::evict_normal",
                "L2::evict_first",
                "L2::64B",
                "L2::128B",
                "L2::256B",
                "unified"});
  return hasHint;
}

/// `.v2` or `.v4`, else 1.
int heddle::emulator::takeVectorLength(Decoder &decoder) {
  return decoder.takeAny("v2")   ? 2
         : decoder.takeAny("v4") ? 4
         : decoder.takeAny("v8") ? 8
                                 : 1;
}

static Step execLoad(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  const uint64_t *base = context.lanes(in.a);
  uint32_t bytes = uint32_t(bitsOf(in.type)) / 8;
  uint32_t count = in.vectorLength;
  bool extends = isSigned(in.type);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = base[lane] + uint64_t(in.immediate);
    const uint8_t *data =
        context.access(in, in.space, address, bytes * count, false, lane);
    if (!data)
      return Step::Failed;
    // All elements are read before one is written: a destination may be the
    // base register.
    uint64_t values[8];
    for (uint32_t i = 0; i < count; ++i) {
      uint64_t value = 0;
      std::memcpy(&value, data + i * bytes, bytes);
      if (extends)
        value = uint64_t(signExtend(value, int(bytes) * 8)) &
                uint64_t(in.immediate2);
      values[i] = value;
    }
    for (uint32_t i = 0; i < count; ++i)
      context.lanes(in.destinations[i])[lane] = values[i];
  }
  return Step::Next;
}

static Step execStore(ExecContext &context, const Instruction &in,
                      LaneMask mask) {
  const uint64_t *base = context.lanes(in.a);
  uint32_t bytes = uint32_t(bitsOf(in.type)) / 8;
  uint32_t count = in.vectorLength;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = base[lane] + uint64_t(in.immediate);
    uint8_t values[64];
    for (uint32_t i = 0; i < count; ++i)
      std::memcpy(values + i * bytes, &context.lanes(in.sources[1 + i])[lane],
                  bytes);
    uint8_t *data = context.access(in, in.space, address, bytes * count, true,
                                   lane, values);
    if (!data)
      return Step::Failed;
    std::memcpy(data, values, bytes * count);
  }
  return Step::Next;
}

static bool skipHint(Decoder &decoder, bool hasHint) {
  return !hasHint || decoder.nextOperandOrFail();
}

static bool decodeLoad(Decoder &decoder) {
  Instruction &out = decoder.out;
  bool hasHint = takeMemoryModifiers(decoder, out.space);
  out.vectorLength = uint8_t(takeVectorLength(decoder));
  out.type = decoder.takeType();
  if (out.type == Type::None || bitsOf(out.type) < 8 || bitsOf(out.type) > 64)
    return decoder.failUnknown();
  out.exec = execLoad;
  if (!decoder.vectorDestination(out.type, out.vectorLength) ||
      !decoder.memory(out.immediate))
    return false;
  Type reg = decoder.registerType(out.destinations[0]);
  out.immediate2 = int64_t(lowBits(reg == Type::None ? 64 : bitsOf(reg)));
  return skipHint(decoder, hasHint);
}

static bool decodeStore(Decoder &decoder) {
  Instruction &out = decoder.out;
  bool hasHint = takeMemoryModifiers(decoder, out.space);
  out.vectorLength = uint8_t(takeVectorLength(decoder));
  out.type = decoder.takeType();
  if (out.type == Type::None || bitsOf(out.type) < 8 || bitsOf(out.type) > 64)
    return decoder.failUnknown();
  out.exec = execStore;
  return decoder.memory(out.immediate) &&
         decoder.vectorSource(out.type, out.vectorLength) &&
         skipHint(decoder, hasHint);
}

static Step execNothing(ExecContext &, const Instruction &, LaneMask) {
  return Step::Next;
}

/// Prefetches bring nothing into a memory without caches.
static bool decodePrefetch(Decoder &decoder) {
  while (decoder.hasModifiers())
    decoder.takeModifier();
  while (decoder.operandsLeft())
    decoder.nextOperandOrFail();
  decoder.out.exec = execNothing;
  return true;
}

std::span<const Family> heddle::emulator::memoryFamilies() {
  static constexpr Family families[] = {
      {"ld", decodeLoad},
      {"ldu", decodeLoad},
      {"st", decodeStore},
      {"prefetch", decodePrefetch},
      {"prefetchu", decodePrefetch},
      {"discard", decodePrefetch},
      {"applypriority", decodePrefetch},
  };
  return families;
}
