//===- SharedMemory.h - One CTA's shared memory ------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes, the mbarriers that live among them, and who wrote what through which
// proxy. Every write passes `noteWrite`: this is the one place that knows.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_SHAREDMEMORY_H
#define HEDDLE_LIB_EMULATOR_SHAREDMEMORY_H

#include <cstdint>
#include <vector>

namespace heddle::emulator {

/// The hardware keeps the first KiB of a CTA's window to itself.
inline constexpr uint64_t kSharedBase = 1024;

struct Mbarrier {
  uint32_t address = 0;
  uint32_t expected = 0; ///< arrivals a phase
  uint32_t pending = 0;  ///< arrivals still missing in this phase
  int64_t bytes = 0;     ///< expect_tx minus complete_tx
  uint64_t phase = 0;    ///< phases completed

  /// Whether the phase with this parity is over, as try_wait.parity asks.
  bool isOver(uint32_t parity) const { return (phase & 1) != (parity & 1); }
  void completeIfDone() {
    if (pending || bytes)
      return;
    ++phase;
    pending = expected;
  }
};

enum class Proxy : uint8_t { Generic, Async };

class SharedMemory {
public:
  /// All bytes become 0xFF: NaN in every format, so that what was never
  /// written shows in results.
  void reset(int64_t sizeBytes);

  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= kSharedBase && address < end && bytes <= end - address;
  }
  uint8_t *at(uint64_t address) { return bytes.data() + address; }
  uint64_t endAddress() const { return end; }

  /// Records a write by `thread`. False when it overwrites a live mbarrier.
  bool noteWrite(uint64_t address, uint64_t size, Proxy proxy, uint32_t thread);
  /// A thread's writes so far become visible to the async proxy.
  void fenceProxy(uint32_t thread) { ++fences[thread]; }
  /// Counts writes, to tell what was overwritten after a given moment.
  uint64_t now() const { return writes; }
  /// Whether any byte of the range was written after `moment`.
  bool isWrittenSince(uint64_t address, uint64_t size, uint64_t moment) const;
  /// A thread whose unfenced generic write lies in the range, or -1.
  int unfencedWriter(uint64_t address, uint64_t size) const;

  Mbarrier *findBarrier(uint64_t address);
  Mbarrier &createBarrier(uint64_t address, uint32_t count);
  void dropBarrier(uint64_t address);
  const std::vector<Mbarrier> &barriers() const { return table; }

private:
  static constexpr uint32_t kThreadShift = 20;

  std::vector<uint8_t> bytes;
  uint64_t end = 0;
  std::vector<Mbarrier> table;
  std::vector<int16_t> barrierAt; ///< per 8 bytes; -1 for none
  std::vector<uint32_t> writer;   ///< per 16 bytes: thread + 1, its fence count
  std::vector<uint64_t> writtenAt; ///< per 16 bytes: `writes` then
  std::vector<uint32_t> fences;    ///< per thread
  uint64_t writes = 0;
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_SHAREDMEMORY_H
