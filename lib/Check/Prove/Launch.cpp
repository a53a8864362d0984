//===- Launch.cpp - What holds or fails before the first step ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "heddle/Machine/Limits.h"
#include "heddle/Support/CheckedMath.h"

#include <algorithm>

namespace heddle::check {

static Fault fault(Property property, std::string message, std::string place,
                   std::string ring = {}, std::string process = {}) {
  Fault result;
  result.property = property;
  result.message = std::move(message);
  result.place = std::move(place);
  result.ring = std::move(ring);
  result.process = std::move(process);
  return result;
}

static std::optional<Fault> checkWarps(const Protocol &protocol) {
  int64_t most = protocol.limits.threadsPerBlock;
  if (protocol.threads > most)
    return fault(Property::Registers,
                 "a block has " + std::to_string(protocol.threads) +
                     " threads, more than " + std::to_string(most),
                 protocol.place);
  std::vector<const Process *> owner(
      std::max<int64_t>(protocol.threads / 32, 0));
  for (const Process &process : protocol.processes)
    for (int64_t i = 0; i < process.warps; ++i) {
      int64_t warp = satAdd(process.firstWarp, i);
      if (warp < 0 || warp >= int64_t(owner.size()))
        return fault(Property::Registers,
                     "process '" + process.name + "' has warp " +
                         std::to_string(warp) + " of a block of " +
                         std::to_string(owner.size()),
                     process.place, {}, process.name);
      if (owner[warp])
        return fault(Property::Registers,
                     "processes '" + owner[warp]->name + "' and '" +
                         process.name + "' share warp " + std::to_string(warp),
                     process.place, {}, process.name);
      owner[warp] = &process;
    }
  return std::nullopt;
}

/// A group that raises its budget waits until others gave theirs back: the
/// sum must fit what the launch allocated.
static std::optional<Fault> checkBudgets(const Protocol &protocol) {
  const machine::Limits &limits = protocol.limits;
  if (protocol.threads <= 0 || protocol.blocks <= 0)
    return fault(Property::Registers, "a block has no threads", protocol.place);
  int64_t launched = limits.registersPerMultiprocessor / protocol.threads /
                     protocol.blocks / 8 * 8;
  launched = std::min<int64_t>(launched, limits.registersPerThread);
  int64_t asked = launched * protocol.threads;
  bool adjusts = false;
  for (const Process &process : protocol.processes) {
    if (process.registers == 0)
      continue;
    adjusts = true;
    if (process.registers < 24 || process.registers > 256 ||
        process.registers % 8)
      return fault(Property::Registers,
                   "process '" + process.name + "' asks for " +
                       std::to_string(process.registers) +
                       " registers a thread; it can have a multiple of 8 from "
                       "24 to 256",
                   process.place, {}, process.name);
    if (process.firstWarp % 4 || process.warps % 4)
      return fault(Property::Registers,
                   "process '" + process.name +
                       "' has a register budget, but no whole groups of four "
                       "warps",
                   process.place, {}, process.name);
    asked = satAdd(
        asked, satMul(process.registers - launched, satMul(32, process.warps)));
  }
  if (adjusts && asked > launched * protocol.threads)
    return fault(Property::Registers,
                 "the processes ask for " + std::to_string(asked) +
                     " registers, but the launch has only " +
                     std::to_string(launched * protocol.threads) +
                     ": one of them waits for ever",
                 protocol.place);
  return std::nullopt;
}

static std::optional<Fault> checkPlaces(const Protocol &protocol) {
  struct Range {
    int64_t begin, end;
    const Ring *ring;
    const char *what;
    bool isBarrier;
  };
  std::vector<Range> ranges;
  // No sum of two of these, and no product with a depth, needs 64 bits.
  constexpr int64_t kMost = 1 << 24;
  for (const Ring &ring : protocol.rings) {
    for (int64_t size : {ring.depth, ring.slotBytes, ring.offset, ring.full,
                         ring.empty, ring.fullArrivals, ring.emptyArrivals})
      if (size < -kMost || size > kMost)
        return fault(Property::Places,
                     "ring '" + ring.name + "' has a size or place of " +
                         std::to_string(size),
                     ring.place, ring.name);
    if (ring.depth < 1 || ring.slotBytes < 0 || ring.fullArrivals < 1 ||
        ring.emptyArrivals < 1)
      return fault(Property::Places,
                   "ring '" + ring.name +
                       "' needs a slot, and an arrival for each barrier",
                   ring.place, ring.name);
    auto endOf = [&](int64_t begin, int64_t slotBytes) {
      return satAdd(begin, satMul(ring.depth, slotBytes));
    };
    ranges.push_back({ring.offset, endOf(ring.offset, ring.slotBytes), &ring,
                      "slots", false});
    ranges.push_back(
        {ring.full, endOf(ring.full, 8), &ring, "full barriers", true});
    ranges.push_back(
        {ring.empty, endOf(ring.empty, 8), &ring, "empty barriers", true});
  }
  for (const Range &range : ranges)
    if (range.begin < 0 || range.end > protocol.sharedBytes ||
        (range.isBarrier && range.begin % 8))
      return fault(Property::Places,
                   "the " + std::string(range.what) + " of ring '" +
                       range.ring->name + "' at bytes " +
                       std::to_string(range.begin) + " to " +
                       std::to_string(range.end) +
                       " lie outside the block's shared memory or are not "
                       "aligned",
                   range.ring->place, range.ring->name);
  for (const Range &a : ranges)
    for (const Range &b : ranges)
      if (a.isBarrier && &a != &b && a.begin < b.end && b.begin < a.end)
        return fault(Property::Places,
                     "the " + std::string(a.what) + " of ring '" +
                         a.ring->name + "' lie in the " + b.what +
                         " of ring '" + b.ring->name + "'",
                     a.ring->place, a.ring->name);
  return std::nullopt;
}

/// Tiles outside the rings must not lie on barriers.
static std::optional<Fault>
checkTiles(const Protocol &protocol, const Process &process,
           const std::vector<Statement> &statements) {
  for (const Statement &statement : statements) {
    for (const auto *regions :
         {&statement.event.reads, &statement.event.writes})
      for (const Region &region : *regions)
        for (const Ring &ring : protocol.rings)
          for (int64_t at : {ring.full, ring.empty})
            if (region.ring < 0 &&
                region.offset < satAdd(at, satMul(8, ring.depth)) &&
                at < satAdd(region.offset, region.bytes))
              return fault(Property::Places,
                           "buffer '" + region.name +
                               "' lies on the barriers of ring '" + ring.name +
                               "'",
                           statement.place, ring.name, process.name);
    for (const auto *inner : {&statement.body, &statement.otherwise})
      if (auto found = checkTiles(protocol, process, *inner))
        return found;
  }
  return std::nullopt;
}

std::optional<Fault> checkLaunch(const Protocol &protocol) {
  for (auto *check : {checkWarps, checkBudgets, checkPlaces})
    if (auto found = check(protocol))
      return found;
  for (const Process &process : protocol.processes)
    if (auto found = checkTiles(protocol, process, process.body))
      return found;
  return std::nullopt;
}

} // namespace heddle::check
