//===- Shuffle.cpp - Changing a layout by shuffles within a warp ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Shuffle.h"

#include "heddle/Machine/Times.h"
#include "heddle/Machine/WordExchange.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::machine {

static constexpr int kLanes = 1 << kLaneBits;

namespace {
struct Holder {
  int lane, index;
};
using Holders = std::map<Coord, Holder>;
} // namespace

/// Who holds an element of warp 0: the lowest lane and register.
static Holders findHolders(const Layout &layout) {
  Holders holders;
  for (int lane = 0; lane < kLanes; ++lane)
    for (int index = 0; index < layout.registerCount(); ++index)
      holders.try_emplace(layout.coordinate(lane, 0, index),
                          Holder{lane, index});
  return holders;
}

int Shuffle::count() const {
  return int(std::set<int>(source.begin(), source.end()).size());
}

/// Expresses the lanes to read as a sum over the bits of the own lane.
static bool fitLanes(const std::array<int, kLanes> &lanes, Shuffle &shuffle) {
  shuffle.constant = lanes[0];
  int used = 0;
  for (int bit = 0; bit < kLaneBits; ++bit) {
    shuffle.ofBit[bit] = lanes[1 << bit] ^ lanes[0];
    if (used & shuffle.ofBit[bit])
      return false;
    used |= shuffle.ofBit[bit];
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    int sum = shuffle.constant;
    for (int bit = 0; bit < kLaneBits; ++bit)
      if (lane >> bit & 1)
        sum ^= shuffle.ofBit[bit];
    if (sum != lanes[lane])
      return false;
  }
  return true;
}

std::optional<std::vector<Shuffle>> planShuffles(const Layout &from,
                                                 const Layout &to) {
  if (from.rank != to.rank || from.warp != to.warp)
    return std::nullopt;
  Holders holders = findHolders(from);
  std::vector<Shuffle> plan;
  for (int index = 0; index < to.registerCount(); ++index) {
    Shuffle &shuffle = plan.emplace_back();
    std::array<int, kLanes> lanes = {};
    for (int lane = 0; lane < kLanes; ++lane) {
      auto found = holders.find(to.coordinate(lane, 0, index));
      if (found == holders.end())
        return std::nullopt;
      lanes[lane] = found->second.lane;
      shuffle.source[lane] = found->second.index;
    }
    if (!fitLanes(lanes, shuffle))
      return std::nullopt;
  }
  return plan;
}

bool prefersShuffles(const Layout &from, const Layout &to, int elementBits,
                     const Costs &costs) {
  Times times(costs);
  if (std::optional<WordExchange> words =
          planWordExchange(from, to, elementBits))
    return times.shuffles(words->count()) <=
           times.roundTrip(from.registerCount() + to.registerCount());
  std::optional<std::vector<Shuffle>> plan = planShuffles(from, to);
  if (!plan)
    return false;
  int shuffles = 0;
  for (const Shuffle &shuffle : *plan)
    shuffles += shuffle.count();
  return times.shuffles(shuffles) <=
         times.roundTrip(from.registerCount() + to.registerCount());
}

} // namespace heddle::machine
