//===- AsyncState.cpp - What is under way at a point of a process -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncState.h"

#include "heddle/Dialect/Hopper/Cluster.h"

using namespace mlir;

namespace heddle::hopper {

int64_t AsyncState::ageOf(Value flight) const {
  auto found = flightAge.find(flight.getAsOpaquePointer());
  return found == flightAge.end() ? kRetired : found->second;
}

void AsyncState::setAge(Value flight, int64_t age) {
  if (age >= kRetired)
    flightAge.erase(flight.getAsOpaquePointer());
  else
    flightAge[flight.getAsOpaquePointer()] = age;
}

void AsyncState::commitGroup() {
  for (auto &[flight, age] : flightAge)
    ++age;
}

void AsyncState::retireGroups(int64_t pending) {
  std::erase_if(flightAge,
                [&](const auto &entry) { return entry.second >= pending; });
}

void AsyncState::fence() {
  for (auto &[name, tile] : tiles)
    if (tile.written == Written::Fresh || tile.written == Written::Met)
      tile.written = Written::Fenced;
}

void AsyncState::meet() {
  for (auto &[name, tile] : tiles) {
    if (tile.written == Written::Fenced)
      tile.written = Written::Visible;
    else if (tile.written == Written::Fresh)
      tile.written = Written::Met;
    tile.loaded = false;
    tile.storeDone = false;
  }
}

void AsyncState::commitStore(const std::string &name) {
  for (auto &[other, tile] : tiles)
    if (tile.storeAge < kRetired)
      ++tile.storeAge;
  tiles[name].storeAge = 0;
}

void AsyncState::waitStores(int64_t pending, bool alone) {
  for (auto &[name, tile] : tiles)
    if (tile.storeAge < kRetired && tile.storeAge >= pending) {
      tile.storeAge = kRetired;
      tile.storeDone = !alone;
    }
}

void AsyncState::join(const AsyncState &other) {
  for (const auto &[flight, age] : other.flightAge) {
    auto [entry, isNew] = flightAge.insert({flight, age});
    entry->second = std::min(entry->second, age);
  }
  for (const auto &[name, theirs] : other.tiles) {
    TileState &ours = tiles[name];
    ours.written = std::max(ours.written, theirs.written);
    ours.loaded |= theirs.loaded;
    ours.storeAge = std::min(ours.storeAge, theirs.storeAge);
    ours.storeDone |= theirs.storeDone;
  }
}

std::string getTileName(Value tile) {
  if (auto peer = tile.getDefiningOp<ClusterTileOp>())
    tile = peer.getTile();
  while (auto trans = tile.getDefiningOp<SharedTransOp>())
    tile = trans.getTile();
  if (auto slot = tile.getDefiningOp<SlotOp>())
    return "ring '" + slot.getRing().str() + "' at " +
           std::to_string(slot.getOffset());
  if (auto buffer = tile.getDefiningOp<BufferOp>())
    return "shared memory at " + std::to_string(buffer.getOffset());
  return "a tile";
}

} // namespace heddle::hopper
