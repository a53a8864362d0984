//===- Caches.h - When lines of memory arrive -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of a machine of units, in time and without contents: which lines
// the caches hold, which are on their way, and how busy the channels are. Only
// timed runs ask. Requests come in the order of time; each is answered at once
// with the cycle at which its line will be there, so nothing here has events.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_CACHES_H
#define HEDDLE_LIB_SIMULATOR_CACHES_H

#include "heddle/Machine/Units.h"
#include "heddle/Simulator/Timing.h"

#include <map>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::simulator {

class Caches {
public:
  explicit Caches(const machine::Units &units);

  struct Answer {
    int64_t accepted = 0; ///< when the request left its unit
    int64_t arrival = 0;  ///< when the line is there
  };
  /// `unit` asks for the line of `address` at `time`. What is `streamed` stays
  /// in no cache.
  Answer ask(const std::string &unit, int64_t address, int64_t time,
             bool streamed);

  int64_t lineBytes() const { return units.lineBytes; }
  /// What went where, by the description's names.
  std::vector<MemoryUse> uses() const;

private:
  /// So many things under way, each until its time.
  class Slots {
  public:
    explicit Slots(int64_t most = 1) : most(most) {}
    /// The first time from `time` on at which there is room.
    int64_t room(int64_t time);
    void take(int64_t until) { ends.push(until); }

  private:
    int64_t most;
    std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> ends;
  };

  struct Way {
    int64_t line = -1;
    int64_t used = 0;
  };
  struct Level {
    explicit Level(const machine::Cache &cache, int64_t lineBytes);
    machine::Cache cache;
    int64_t sets;
    std::vector<Way> ways;                       ///< of set 0, set 1, ...
    std::unordered_map<int64_t, int64_t> coming; ///< line, when it is there
    Slots misses;
    int64_t free = 0; ///< when it takes the next request
    int64_t hits = 0, asked = 0;
  };

  int64_t askLevel(const std::string &cache, int64_t line, int64_t time,
                   bool streamed);
  int64_t askMemory(int64_t line, int64_t time);
  Level &levelOf(const std::string &name);
  static Way *find(Level &level, int64_t line);
  void keep(Level &level, int64_t line);

  machine::Units units;
  std::vector<Level> levels;
  std::map<std::string, Slots> outstanding; ///< by unit
  std::vector<int64_t> channelFree;
  int64_t lines = 0; ///< from memory
  int64_t clock = 0; ///< of uses
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_CACHES_H
