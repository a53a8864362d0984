//===- FakeDriver.h - What the fake libcuda records -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fake is a shared library with the driver's symbols, loaded the way the
// real one is. It has two devices (9.0 and 8.0), computes nothing, and records
// launches, tensor maps and attributes. Tests read and set its state through
// fake_driver_state().
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_RUNTIME_FAKEDRIVER_H
#define HEDDLE_UNITTESTS_RUNTIME_FAKEDRIVER_H

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

struct FakeTensorMap {
  int dtype = 0;
  uint32_t rank = 0;
  uint64_t address = 0;
  std::vector<uint64_t> dims, strides; ///< strides: rank - 1 of them
  std::vector<uint32_t> box, elementStrides;
  int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
  uint32_t pixels = 0; ///< of im2col mode; 0: tiled
  std::vector<int> lower, upper;
};

struct FakeLaunch {
  std::string entry;
  unsigned grid[3] = {}, block[3] = {}, cluster[3] = {1, 1, 1};
  unsigned sharedBytes = 0;
  uint64_t stream = 0;
  uint64_t context = 0;
  /// The first 8 bytes of each parameter; for a tensor map its index in `maps`.
  std::vector<uint64_t> params;
};

struct FakeDriverState {
  std::mutex mutex;
  // What the tests set.
  size_t paramCount = 0; ///< parameters the launched entry takes
  int initResult = 0;
  int deviceCount = 2;
  int loadResult = 0;
  int launchResult = 0;
  int synchronizeResult = 0;
  int allocResult = 0;
  int encodeResult = 0;
  uint64_t unreachable = 0;       ///< an address of host memory
  std::map<uint64_t, int> owners; ///< devices of addresses that are not on 0
  std::set<uint64_t> managed;
  std::string infoLog, errorLog;
  std::string missingEntry; ///< cuModuleGetFunction does not find this one
  int registers = 168, localBytes = 0, staticShared = 0, maxThreads = 384;
  // What the fake records.
  std::vector<std::pair<uint64_t, uint64_t>> waits; ///< stream, event
  uint64_t capturing = ~uint64_t(0); ///< the stream whose launches make a graph
  int inits = 0, modulesLoaded = 0, modulesUnloaded = 0, primaryRetains = 0;
  int eventsAlive = 0;
  std::string ptx;
  std::set<std::string> entries; ///< a function is its name in here
  std::vector<FakeTensorMap> maps;
  std::vector<FakeLaunch> launches;
  std::vector<std::string> attributes; ///< "entry 8 = 197120"
  std::map<uint64_t, std::vector<char>> memory;
  /// Of pools, in their order: "0 + 4096 on 119" is a piece of the pool of
  /// device 0 in stream 119, "- 512 on 119" its address given back there.
  std::vector<std::string> pieces;
  std::vector<int> pools;     ///< by device
  void *hostMemory = nullptr; ///< the last page-locked piece
};

extern "C" FakeDriverState *fake_driver_state();
/// Back to a fresh driver; also forgets the calling thread's context.
extern "C" void fake_driver_reset();

#endif // HEDDLE_UNITTESTS_RUNTIME_FAKEDRIVER_H
