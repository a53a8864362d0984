//===- ClusterOps.cpp - Addresses and stores across a cluster -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mapa, getctarank and st.async. The last is done at once: its bytes arrive
// before its mbarrier counts them, which is all that a waiter can see.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Decoder.h"
#include "ExecContext.h"
#include "MbarrierOps.h"
#include "MemoryOps.h"

#include <cstring>

using namespace heddle::emulator;

//===----------------------------------------------------------------------===//
// mapa and getctarank
//===----------------------------------------------------------------------===//

static uint64_t rankOf(const Cta &cta, uint64_t address) {
  uint64_t field = (address & lowBits(32)) >> kRankShift;
  return field ? field - 1 : cta.rank;
}

static Step execMapa(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  const Cta &cta = context.cta;
  size_t size = cta.cluster ? cta.cluster->size() : 1;
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a), *rank = context.lanes(in.b);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    if (rank[lane] >= size)
      return context.fail(in, lane,
                          "maps an address to CTA " +
                              std::to_string(rank[lane]) + " of a cluster of " +
                              std::to_string(size));
    // The CTA's own shared memory keeps its plain addresses.
    d[lane] =
        rank[lane] == cta.rank
            ? a[lane] & ~(lowBits(32) & ~lowBits(kRankShift))
            : (a[lane] & ~lowBits(32)) | clusterAddress(a[lane], rank[lane]);
  }
  return Step::Next;
}

static bool decodeMapa(Decoder &decoder) {
  decoder.take("shared::cluster");
  Type type = decoder.takeType();
  decoder.out.type = type;
  decoder.out.exec = execMapa;
  return decoder.destination(type) && decoder.source(type) &&
         decoder.source(Type::U32);
}

static Step execRank(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  forEachLane(mask, [&](int lane) { d[lane] = rankOf(context.cta, a[lane]); });
  return Step::Next;
}

static bool decodeRank(Decoder &decoder) {
  decoder.take("shared::cluster");
  Type type = decoder.takeType();
  decoder.out.exec = execRank;
  return decoder.destination(Type::U32) && decoder.source(type);
}

//===----------------------------------------------------------------------===//
// st.async
//===----------------------------------------------------------------------===//

/// Sources: address, values, mbarrier (+ immediate2), both in one CTA.
static Step execStoreAsync(ExecContext &context, const Instruction &in,
                           LaneMask mask) {
  uint32_t bytes = uint32_t(bitsOf(in.type)) / 8;
  uint32_t count = in.vectorLength;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = context.lanes(in.a)[lane] + uint64_t(in.immediate);
    uint64_t barrier =
        context.lanes(in.sources.back())[lane] + uint64_t(in.immediate2);
    if (rankOf(context.cta, address) != rankOf(context.cta, barrier))
      return context.fail(in, lane,
                          "the mbarrier lies in another CTA than the data");
    uint8_t *data =
        context.access(in, Space::Shared, address, bytes * count, true, lane);
    if (!data)
      return Step::Failed;
    for (uint32_t i = 0; i < count; ++i)
      std::memcpy(data + i * bytes, &context.lanes(in.sources[1 + i])[lane],
                  bytes);
    Cta *target = reach(context.cta, in, context.warp, lane, barrier);
    if (!target)
      return Step::Failed;
    Mbarrier *object = requireBarrier(*target, in, context.warp, lane, barrier);
    if (object)
      object->delivery = {&in,
                          &context.warp,
                          lane,
                          "st.async",
                          address & lowBits(kRankShift),
                          bytes * count,
                          object->deliveryMoment()};
    if (!object ||
        !completeBytes(*target, in, context.warp, lane, barrier,
                       int64_t(bytes) * count, object->deliveryMoment()))
      return Step::Failed;
  }
  return Step::Next;
}

static bool decodeStoreAsync(Decoder &decoder) {
  Instruction &out = decoder.out;
  takeMemoryModifiers(decoder, out.space);
  decoder.drop({"mbarrier::complete_tx::bytes"});
  out.vectorLength = uint8_t(takeVectorLength(decoder));
  out.type = decoder.takeType();
  out.exec = execStoreAsync;
  if (bitsOf(out.type) < 32 || bitsOf(out.type) > 64)
    return decoder.failUnknown();
  return decoder.memory(out.immediate) &&
         decoder.vectorSource(out.type, out.vectorLength) &&
         decoder.memory(out.immediate2);
}

std::span<const Family> heddle::emulator::clusterFamilies() {
  static constexpr Family families[] = {
      {"mapa", decodeMapa},
      {"getctarank", decodeRank},
      {"st.async", decodeStoreAsync},
  };
  return families;
}
