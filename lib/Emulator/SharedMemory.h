//===- SharedMemory.h - One CTA's shared memory ------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes, the mbarriers that live among them, and the shadow that knows who
// accessed what. Every access passes RaceCheck.h.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_SHAREDMEMORY_H
#define HEDDLE_LIB_EMULATOR_SHAREDMEMORY_H

#include "Instruction.h"
#include "Shadow.h"

#include <cstdint>
#include <vector>

namespace heddle::emulator {

/// The hardware keeps the first KiB of a CTA's window to itself.
inline constexpr uint64_t kSharedBase = 1024;

class Warp;

/// Asynchronous work that has signalled an mbarrier.
struct Delivery {
  const Instruction *in = nullptr;
  const Warp *warp = nullptr; ///< the issuer, perhaps of another CTA
  int lane = 0;
  const char *what = ""; ///< "bulk load"
  uint64_t address = 0;  ///< where its bytes are
  uint64_t bytes = 0;
  uint32_t moment = 0; ///< of the barrier; 0: there was none
};

/// Who has announced bytes.
struct Announcer {
  const Instruction *in = nullptr;
  const Warp *warp = nullptr;
  int lane = 0;
};

struct Mbarrier {
  uint32_t address = 0;
  uint32_t expected = 0; ///< arrivals a phase
  uint32_t pending = 0;  ///< arrivals still missing in this phase
  int64_t bytes = 0;     ///< expect_tx minus complete_tx
  uint64_t phase = 0;    ///< phases completed
  uint32_t earlier = 0;  ///< phases of former mbarriers at this address
  uint32_t arrivingWarps = ~uint32_t(0); ///< that the manifest allows
  uint32_t waitingWarps = ~uint32_t(0);
  uint32_t arrivedWarps = 0; ///< in this phase
  Delivery delivery;         ///< the last one
  Announcer announcer;       ///< the last one
  uint32_t observed = 0;     ///< moments that somebody has found complete
  uint64_t completedAt = 0;  ///< event in which the last phase ended
  Clock arrived;             ///< what this phase's arrivals released
  Clock completed;           ///< what those of the last complete phase did

  /// Whether the phase with this parity is over, as try_wait.parity asks.
  bool isOver(uint32_t parity) const { return (phase & 1) != (parity & 1); }
  /// A waiter has found the last phase complete, and so all before it.
  void observe() { observed = earlier + uint32_t(phase); }
  /// The moment of the engine that delivers in this phase.
  uint32_t deliveryMoment() const { return earlier + uint32_t(phase) + 1; }
};

class SharedMemory {
public:
  /// All bytes become 0xFF: NaN in every format, so that what was never
  /// written shows in results.
  void reset(int64_t sizeBytes, Causality &order, const Shadow::Rules &rules);

  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= kSharedBase && address < end && bytes <= end - address;
  }
  uint8_t *at(uint64_t address) { return bytes.data() + address; }
  uint64_t endAddress() const { return end; }

  bool overlapsBarrier(uint64_t address, uint64_t size) const;
  Shadow &shadow() { return accesses; }

  Mbarrier *findBarrier(uint64_t address);
  const Mbarrier *findBarrier(uint64_t address) const {
    return const_cast<SharedMemory *>(this)->findBarrier(address);
  }
  Mbarrier &createBarrier(uint64_t address, uint32_t count);
  void dropBarrier(uint64_t address);
  const std::vector<Mbarrier> &barriers() const { return table; }

private:
  std::vector<uint8_t> bytes;
  uint64_t end = 0;
  std::vector<Mbarrier> table;
  std::vector<int16_t> barrierAt; ///< per 8 bytes; -1 for none
  Shadow accesses;
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_SHAREDMEMORY_H
