//===- SharedMemory.cpp - One CTA's shared memory -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

using namespace heddle::emulator;

void SharedMemory::reset(int64_t sizeBytes, Causality &order,
                         const Shadow::Rules &rules) {
  end = kSharedBase + uint64_t(sizeBytes);
  bytes.assign(end + 16, 0xFF);
  table.clear();
  barrierAt.assign(end / 8 + 2, -1);
  accesses.reset(order, rules);
}

bool SharedMemory::overlapsBarrier(uint64_t address, uint64_t size) const {
  if (table.empty())
    return false;
  for (uint64_t g = address / 8; g <= (address + size - 1) / 8; ++g)
    if (barrierAt[g] >= 0)
      return true;
  return false;
}

Mbarrier *SharedMemory::findBarrier(uint64_t address) {
  int index = address % 8 ? -1 : barrierAt[address / 8];
  return index < 0 ? nullptr : &table[index];
}

Mbarrier &SharedMemory::createBarrier(uint64_t address, uint32_t count) {
  Mbarrier *barrier = findBarrier(address);
  uint32_t earlier = 0;
  for (const Mbarrier &former : table)
    if (former.address == address)
      earlier = former.earlier + uint32_t(former.phase) + 1;
  if (!barrier) {
    barrierAt[address / 8] = int16_t(table.size());
    table.push_back({});
    barrier = &table.back();
  }
  *barrier = {};
  barrier->address = uint32_t(address);
  barrier->earlier = earlier;
  barrier->expected = barrier->pending = count;
  return *barrier;
}

void SharedMemory::dropBarrier(uint64_t address) {
  barrierAt[address / 8] = -1;
}
