//===- LaunchCache.cpp - Prepared launches by their arguments -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

using namespace heddle::runtime;

// Enough for a caller that rotates over buffers larger than the L2; a scan of
// this many hashes costs less than one driver call.
static constexpr size_t kSlots = 64;

static uint64_t hashOf(const std::vector<uint64_t> &key) {
  uint64_t hash = 0x9e3779b97f4a7c15;
  for (uint64_t word : key) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash;
}

std::shared_ptr<const PreparedLaunch>
LaunchCache::find(const std::vector<uint64_t> &key) const {
  uint64_t hash = hashOf(key);
  for (const Slot &slot : slots)
    if (slot.hash == hash && slot.key == key)
      return slot.launch;
  return nullptr;
}

void LaunchCache::insert(const std::vector<uint64_t> &key,
                         std::shared_ptr<const PreparedLaunch> launch) {
  Slot slot = {hashOf(key), key, std::move(launch)};
  if (slots.size() < kSlots) {
    slots.push_back(std::move(slot));
    return;
  }
  slots[next] = std::move(slot);
  next = (next + 1) % kSlots;
}
