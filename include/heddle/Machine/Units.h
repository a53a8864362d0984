//===- Units.h - A machine made of named units ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine that runs processes on units by name and reaches memory through
// caches, as machines/NAME.json describes it for a target of that model
// (Target.h), `"target": "units"` for one. Such a machine is simulated; no code
// is made for it. All times are in cycles, all
// sizes in bytes. Each number of the file has its source beside it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_UNITS_H
#define HEDDLE_MACHINE_UNITS_H

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::machine {

/// A unit runs one process; `count` units of a name run as many at once.
struct Unit {
  std::string name;
  int64_t count = 1;
  /// Of a process that takes or fills a turn of a ring, and for each number
  /// among what the turn carries.
  int64_t turn = 0, number = 0;
  /// An iteration of a loop, an operation on numbers.
  int64_t loop = 0, scalar = 0;
  /// An operation on tiles takes so long for each `vectorBytes` of the wider of
  /// what it reads and makes; its result may be read after `latency`, that of
  /// an addition or a comparison of floats after `sumLatency`.
  int64_t vectorBytes = 1, arithmetic = 0, latency = 0, sumLatency = 0;
  /// A load or store, for each `vectorBytes`.
  int64_t access = 0;
  /// Requests for lines that it may have under way.
  int64_t outstanding = 1;
  /// The cache that it asks first; "" is memory itself.
  std::string cache;
};

/// Set-associative; the line that was used longest ago makes room.
struct Cache {
  std::string name;
  int64_t bytes = 0, ways = 1;
  int64_t latency = 0;     ///< of a hit
  int64_t interval = 1;    ///< between two lines that it hands out
  int64_t outstanding = 1; ///< lines that it may be waiting for
  std::string next;        ///< "" is memory
};

struct Units {
  std::string name;
  std::vector<Unit> units;
  std::vector<Cache> caches;
  int64_t lineBytes = 64;
  /// Neighbouring `interleave` bytes lie in neighbouring channels. A channel
  /// hands out a line every `interval` cycles.
  int64_t latency = 0, channels = 1, interleave = 64, interval = 1;
  /// From the last arrival at a slot until who waits for it goes on; what all
  /// slots of a program hold together.
  int64_t handOver = 0, ringBytes = 0;

  const Unit *findUnit(const std::string &name) const;
  const Cache *findCache(const std::string &name) const;
};

/// Reads a description; false with `error`.
bool readUnits(const std::string &json, Units &units, std::string &error);

/// The names in the binary, sorted.
std::vector<std::string> unitMachineNames();
/// Whether a name in the binary, or a file, describes a machine of units.
bool isMachineOfUnits(const std::string &nameOrFile);
bool findUnits(const std::string &nameOrFile, Units &units, std::string &error);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_UNITS_H
