//===- SharedMemory.cpp - One CTA's shared memory -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

using namespace heddle::emulator;

void SharedMemory::reset(int64_t sizeBytes) {
  end = kSharedBase + uint64_t(sizeBytes);
  bytes.assign(end + 16, 0xFF);
  table.clear();
  barrierAt.assign(end / 8 + 2, -1);
  writer.assign(end / 16 + 2, 0);
  writtenAt.assign(end / 16 + 2, 0);
  fences.assign(1024, 0);
  writes = 0;
}

bool SharedMemory::noteWrite(uint64_t address, uint64_t size, Proxy proxy,
                             uint32_t thread) {
  constexpr uint32_t countMask = (1u << kThreadShift) - 1;
  uint32_t tag = proxy == Proxy::Generic ? (thread + 1) << kThreadShift |
                                               (fences[thread] & countMask)
                                         : 0;
  ++writes;
  for (uint64_t g = address / 16; g <= (address + size - 1) / 16; ++g) {
    writer[g] = tag;
    writtenAt[g] = writes;
  }
  if (table.empty())
    return true;
  for (uint64_t g = address / 8; g <= (address + size - 1) / 8; ++g)
    if (barrierAt[g] >= 0)
      return false;
  return true;
}

bool SharedMemory::isWrittenSince(uint64_t address, uint64_t size,
                                  uint64_t moment) const {
  for (uint64_t g = address / 16; g <= (address + size - 1) / 16; ++g)
    if (writtenAt[g] > moment)
      return true;
  return false;
}

int SharedMemory::unfencedWriter(uint64_t address, uint64_t size) const {
  constexpr uint32_t countMask = (1u << kThreadShift) - 1;
  for (uint64_t g = address / 16; g <= (address + size - 1) / 16; ++g) {
    uint32_t tag = writer[g];
    if (!tag)
      continue;
    uint32_t thread = (tag >> kThreadShift) - 1;
    if ((tag & countMask) == (fences[thread] & countMask))
      return int(thread);
  }
  return -1;
}

Mbarrier *SharedMemory::findBarrier(uint64_t address) {
  int index = address % 8 ? -1 : barrierAt[address / 8];
  return index < 0 ? nullptr : &table[index];
}

Mbarrier &SharedMemory::createBarrier(uint64_t address, uint32_t count) {
  Mbarrier *barrier = findBarrier(address);
  if (!barrier) {
    barrierAt[address / 8] = int16_t(table.size());
    table.push_back({});
    barrier = &table.back();
  }
  *barrier = {};
  barrier->address = uint32_t(address);
  barrier->expected = barrier->pending = count;
  return *barrier;
}

void SharedMemory::dropBarrier(uint64_t address) {
  barrierAt[address / 8] = -1;
}
