//===- Names.cpp - Shared memory in the manifest's words ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include <algorithm>

using namespace heddle::emulator;
using namespace heddle;

/// Bytes from the start of dynamic shared memory, as the manifest counts.
static int64_t dynamicOffset(const Launch &launch, uint64_t address) {
  return int64_t(address) - int64_t(kSharedBase) -
         launch.entry.dynamicSharedOffset;
}

static std::string join(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

RingBarrier heddle::emulator::findRingBarrier(const Launch &launch,
                                              uint64_t address) {
  int64_t offset = dynamicOffset(launch, address);
  for (const manifest::Ring &ring : launch.variant.rings)
    for (bool isFull : {true, false}) {
      int64_t first = isFull ? ring.fullBarrier : ring.emptyBarrier;
      if (offset >= first && (offset - first) / 8 < ring.depth)
        return {&ring, int((offset - first) / 8), isFull};
    }
  return {};
}

std::string heddle::emulator::nameBarrier(const Launch &launch,
                                          uint64_t address) {
  RingBarrier found = findRingBarrier(launch, address);
  if (!found.ring)
    return "the mbarrier at shared address " + hexadecimal(address);
  return std::string("the ") + (found.isFull ? "full" : "empty") +
         " barrier of slot " + std::to_string(found.slot) + " of ring '" +
         found.ring->name + "' (" +
         (found.isFull ? "filled by " + join(found.ring->producers)
                       : "released by " + join(found.ring->consumers)) +
         ")";
}

std::string heddle::emulator::nameSlot(Cta &cta, uint64_t address,
                                       bool isWrite) {
  int64_t offset = dynamicOffset(cta.launch, address);
  for (const manifest::Ring &ring : cta.launch.variant.rings) {
    int64_t inside = offset - ring.offset;
    if (inside < 0 || inside >= ring.depth * ring.slotBytes)
      continue;
    int64_t slot = inside / ring.slotBytes;
    std::string text =
        " (slot " + std::to_string(slot) + " of ring '" + ring.name + "'";
    int64_t barrierOffset = ring.fullBarrier + slot * 8;
    const Mbarrier *full =
        cta.shared.findBarrier(uint64_t(barrierOffset + int64_t(kSharedBase) +
                                        cta.launch.entry.dynamicSharedOffset));
    if (full && (isWrite || full->phase))
      text += ", turn " + std::to_string(full->phase - !isWrite);
    return text + ")";
  }
  return "";
}

static uint32_t warpsOf(const Launch &launch,
                        const std::vector<std::string> &names) {
  uint32_t mask = 0;
  for (const manifest::Process &process : launch.variant.processes)
    if (std::find(names.begin(), names.end(), process.name) != names.end())
      for (int w = 0; w < process.warpCount && process.firstWarp + w < 32; ++w)
        mask |= uint32_t(1) << (process.firstWarp + w);
  return mask ? mask : ~uint32_t(0);
}

BarrierRoles heddle::emulator::rolesOf(const Launch &launch, uint64_t address) {
  RingBarrier found = findRingBarrier(launch, address);
  if (!found.ring)
    return {};
  uint32_t producers = warpsOf(launch, found.ring->producers);
  uint32_t consumers = warpsOf(launch, found.ring->consumers);
  return found.isFull ? BarrierRoles{producers, consumers}
                      : BarrierRoles{consumers, producers};
}
