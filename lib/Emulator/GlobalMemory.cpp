//===- GlobalMemory.cpp - The host memory a kernel may touch --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"

#include <algorithm>
#include <cstdio>

using namespace heddle::emulator;

std::string heddle::emulator::hexadecimal(uint64_t value) {
  char buffer[24];
  std::snprintf(buffer, sizeof(buffer), "0x%llx",
                static_cast<unsigned long long>(value));
  return buffer;
}

GlobalMemory::GlobalMemory(std::vector<MemoryRange> list)
    : ranges(std::move(list)) {
  ranges.push_back({});
  std::sort(ranges.begin(), ranges.end(),
            [](const MemoryRange &a, const MemoryRange &b) {
              return a.base < b.base ||
                     (a.base == b.base && a.sizeBytes < b.sizeBytes);
            });
}

bool GlobalMemory::search(uint64_t address, uint64_t bytes, bool isWrite) {
  auto it = std::upper_bound(ranges.begin(), ranges.end(), address,
                             [](uint64_t value, const MemoryRange &range) {
                               return value < range.base;
                             });
  // Views may overlap, so an enclosing range may lie further down.
  while (it != ranges.begin()) {
    --it;
    if (address - it->base < it->sizeBytes &&
        bytes <= it->sizeBytes - (address - it->base) &&
        (it->writable || !isWrite)) {
      last = size_t(it - ranges.begin());
      return true;
    }
  }
  return false;
}

std::string GlobalMemory::name(uint64_t address) const {
  for (const MemoryRange &range : ranges)
    if (address - range.base < range.sizeBytes)
      return hexadecimal(address) + " ('" + range.name + "' + " +
             std::to_string(address - range.base) + ")";
  return hexadecimal(address);
}

std::string GlobalMemory::explain(uint64_t address, uint64_t bytes,
                                  bool isWrite) const {
  const MemoryRange *nearest = nullptr;
  uint64_t distance = ~uint64_t(0);
  for (const MemoryRange &range : ranges) {
    if (!range.sizeBytes)
      continue;
    uint64_t end = range.base + range.sizeBytes;
    if (address >= range.base && address + bytes <= end)
      return "'" + range.name + "' is read-only";
    uint64_t gap = address < range.base ? range.base - address
                   : address >= end     ? address - end
                                        : 0;
    if (gap < distance) {
      distance = gap;
      nearest = &range;
    }
  }
  if (!nearest || distance > (1u << 30))
    return "outside all memory the launch passed";
  std::string where = "'" + nearest->name + "' (" + hexadecimal(nearest->base) +
                      ", " + std::to_string(nearest->sizeBytes) + " bytes)";
  if (address < nearest->base)
    return std::to_string(distance) + " bytes before the start of " + where;
  if (distance)
    return std::to_string(distance) + " bytes behind the end of " + where;
  if (address < nearest->base + nearest->sizeBytes)
    return "across the end of " + where;
  return "right behind the end of " + where;
}
