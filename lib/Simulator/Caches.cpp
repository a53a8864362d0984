//===- Caches.cpp - When lines of memory arrive ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A miss holds one of its cache's places for lines under way until the line
// comes, and whoever asks for that line meanwhile gets it with it. A unit
// whose requests are all under way waits with the next.
//
//===----------------------------------------------------------------------===//

#include "Caches.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::simulator;

Caches::Level::Level(const machine::Cache &cache, int64_t lineBytes)
    : cache(cache),
      sets(std::max<int64_t>(1, cache.bytes / (cache.ways * lineBytes))),
      ways(size_t(sets * cache.ways)), misses(cache.outstanding) {}

Caches::Caches(const machine::Units &units)
    : units(units), channelFree(size_t(units.channels)) {
  for (const machine::Cache &cache : units.caches)
    levels.emplace_back(cache, units.lineBytes);
  for (const machine::Unit &unit : units.units)
    outstanding.emplace(unit.name, Slots(unit.outstanding));
}

int64_t Caches::Slots::room(int64_t time) {
  while (!ends.empty() && ends.top() <= time)
    ends.pop();
  while (int64_t(ends.size()) >= most) {
    time = std::max(time, ends.top());
    ends.pop();
  }
  return time;
}

Caches::Level &Caches::levelOf(const std::string &name) {
  return *std::find_if(levels.begin(), levels.end(), [&](const Level &level) {
    return level.cache.name == name;
  });
}

Caches::Way *Caches::find(Level &level, int64_t line) {
  Way *set = &level.ways[size_t(line % level.sets * level.cache.ways)];
  for (Way *way = set; way != set + level.cache.ways; ++way)
    if (way->line == line)
      return way;
  return nullptr;
}

void Caches::keep(Level &level, int64_t line) {
  Way *set = &level.ways[size_t(line % level.sets * level.cache.ways)];
  Way *oldest = std::min_element(
      set, set + level.cache.ways,
      [](const Way &a, const Way &b) { return a.used < b.used; });
  *oldest = {line, ++clock};
}

int64_t Caches::askMemory(int64_t line, int64_t time) {
  ++lines;
  int64_t channel = line * units.lineBytes / units.interleave % units.channels;
  int64_t start = std::max(time, channelFree[size_t(channel)]);
  channelFree[size_t(channel)] = start + units.interval;
  return start + units.interval + units.latency;
}

int64_t Caches::askLevel(const std::string &cache, int64_t line, int64_t time,
                         bool streamed) {
  if (cache.empty())
    return askMemory(line, time);
  Level &level = levelOf(cache);
  ++level.asked;
  int64_t start = std::max(time, level.free);
  level.free = start + level.cache.interval;
  int64_t found = start + level.cache.latency;
  auto coming = level.coming.find(line);
  bool isComing = coming != level.coming.end() && coming->second > start;
  if (Way *way = find(level, line)) {
    way->used = ++clock;
    ++level.hits;
    return isComing ? std::max(found, coming->second) : found;
  }
  if (isComing)
    return std::max(found, coming->second);
  // The tags have been looked at when the next level is asked.
  int64_t asks = level.misses.room(found);
  int64_t arrival = askLevel(level.cache.next, line, asks, streamed);
  level.misses.take(arrival);
  level.coming[line] = arrival;
  if (!streamed)
    keep(level, line);
  return arrival;
}

Caches::Answer Caches::ask(const std::string &unit, int64_t address,
                           int64_t time, bool streamed) {
  Slots &slots = outstanding.at(unit);
  Answer answer;
  answer.accepted = slots.room(time);
  answer.arrival =
      askLevel(units.findUnit(unit)->cache, address / units.lineBytes,
               answer.accepted, streamed);
  slots.take(answer.arrival);
  return answer;
}

std::vector<MemoryUse> Caches::uses() const {
  std::vector<MemoryUse> uses;
  for (const Level &level : levels)
    uses.push_back({level.cache.name, level.asked, level.hits});
  uses.push_back({"memory", lines, 0});
  return uses;
}
