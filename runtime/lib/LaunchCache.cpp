//===- LaunchCache.cpp - Prepared launches by their arguments -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of a launch's arguments go in; the prepared launch comes out, or
// null. A new launch replaces the oldest one, so a lookup writes nothing. Whole
// keys are compared: where two hashes agree, a launch with the other key's
// addresses would corrupt memory.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

using namespace heddle::runtime;

// A model's training step calls a kernel with hundreds of different sets of
// tensors, at addresses that come back in the next one. A launch takes some
// kilobytes.
static constexpr size_t kSlots = 1024;

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
  auto found = slotOfHash.find(hashOf(key));
  if (found == slotOfHash.end() || slots[found->second].key != key)
    return nullptr;
  return slots[found->second].launch;
}

void LaunchCache::insert(const std::vector<uint64_t> &key,
                         std::shared_ptr<const PreparedLaunch> launch) {
  uint64_t hash = hashOf(key);
  Slot slot = {hash, key, std::move(launch)};
  size_t index = next;
  // Where memory runs out, the cache is as it was, with a slot that nobody
  // finds at most.
  if (index == slots.size()) {
    slots.push_back(std::move(slot));
  } else {
    // Where another key has the same hash, the later one is found.
    auto oldest = slotOfHash.find(slots[index].hash);
    if (oldest != slotOfHash.end() && oldest->second == index)
      slotOfHash.erase(oldest);
    slots[index] = std::move(slot);
  }
  next = (next + 1) % kSlots;
  slotOfHash[hash] = index;
}
