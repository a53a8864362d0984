//===- Processor.h - What loops cost on a CPU -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures of machines/cpu-*.json, which bench/machine/cpu.py measures: the
// planner of sparse einsums adds them up. All costs are cycles.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_PROCESSOR_H
#define HEDDLE_MACHINE_PROCESSOR_H

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::machine {

/// A cache, or memory itself, which is the last and has no size.
struct MemoryLevel {
  std::string name;
  double bytes = 0;
  double latency = 0;       ///< of a load that the next one waits for
  double random = 0;        ///< of one among independent loads
  double bytesPerCycle = 1; ///< read one behind the other
};

struct Processor {
  std::string name;
  std::vector<std::string> llvmNames; ///< of processors that it describes
  double cores = 1, vectorBytes = 16, vectorRegisters = 16, clockGhz = 1;
  double lineBytes = 64; ///< what caches hold and prefetches ask for
  double fmaLatency = 0, addLatency = 0;
  double vectorFma = 0; ///< one among independent ones
  double loop = 0;      ///< an iteration
  double walk = 0;      ///< an iteration over positions
  double walkStart = 0; ///< entering and leaving a loop of unknown length
  double window = 0;    ///< sums shorter than this do not wait for their chain
  double branchMiss = 0;
  double storeForward = 0; ///< load, add, store, to one address in turn
  double gather = 0;       ///< an element of a gather from the nearest cache
  double scatter = 0;      ///< the same of a scatter
  /// What an instruction of a gather or scatter takes besides its elements; 0
  /// where a description lacks it.
  double gatherStart = 0, scatterStart = 0;
  double laneStep = 0; ///< half of the lanes moved and added
  double mergeStep = 0, bitmapSet = 0, bitmapWalk = 0;
  double forkJoin = 0;
  std::vector<MemoryLevel> levels; ///< the nearest first

  /// Where an array of so many bytes stays while it is used again and again:
  /// the first level that holds it.
  const MemoryLevel &levelFor(double bytes) const;
  /// A random one of so many bytes: each level has the part of them that it
  /// holds beyond the level before. `least` is the cost of the instruction,
  /// which takes the nearest level's place.
  double randomWithin(double bytes, double least = 0) const;
};

/// Reads a description; false with `error`.
bool readProcessor(const std::string &json, Processor &processor,
                   std::string &error);

/// The names in the binary, sorted.
std::vector<std::string> processorNames();
/// Whether a name in the binary, or a file, describes a processor.
bool isProcessor(const std::string &nameOrFile);
bool findProcessor(const std::string &nameOrFile, Processor &processor,
                   std::string &error);

/// The one that plans are made for where none is named.
const Processor &defaultProcessor();

/// The one in the binary that describes a processor by LLVM's name for it; the
/// default if none does.
const Processor &processorFor(const std::string &llvmName);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_PROCESSOR_H
