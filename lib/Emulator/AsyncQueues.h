//===- AsyncQueues.h - Work issued but not yet done --------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each engine of the machine has a queue. Instructions put work in; the
// scheduler takes it out at a moment of its choice.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_ASYNCQUEUES_H
#define HEDDLE_LIB_EMULATOR_ASYNCQUEUES_H

#include "Clock.h"
#include "Instruction.h"

#include "heddle/Emulator/TensorMap.h"

#include <array>
#include <deque>

namespace heddle::emulator {

class Cta;
class SharedMemory;

/// A wgmma of a warp group. It is issued when all four warps have come.
struct WgmmaOp {
  const Instruction *in = nullptr;
  uint64_t descriptorA = 0; ///< unused with A in registers
  uint64_t descriptorB = 0;
  bool accumulates = false;
  uint8_t warpsIssued = 0;
  Clock past; ///< what all four warps knew when they issued it
};

/// wgmmas of one warp group, executed in order.
struct WgmmaQueue {
  std::deque<WgmmaOp> ops;
  uint64_t first = 0;    ///< serial number of ops[0]
  uint64_t executed = 0; ///< serial number of the next one to execute

  bool canExecute() const {
    return executed - first < ops.size() &&
           ops[executed - first].warpsIssued == 4;
  }
};

/// One cp.async.bulk, with or without a tensor map.
struct BulkCopy {
  enum class Kind : uint8_t { Load, Store, Reduce, SharedToShared };
  Kind kind = Kind::Load;
  bool isTensor = false;
  bool hasRead = false; ///< stores: the source has been read
  bool isLate = false;  ///< loads: nothing hurries it. Adversarial
  const Instruction *in = nullptr;
  uint32_t warp = 0;
  uint8_t lane = 0;
  uint64_t group = 0; ///< stores: number of the thread's bulk group
  TensorMap map;      ///< if isTensor
  std::array<int32_t, 5> coordinates{};
  std::array<uint16_t, 3> offsets{}; ///< im2col: of all pixels, from axis 1 on
  uint64_t sharedAddress = 0;
  uint64_t globalAddress = 0; ///< 1-D; SharedToShared: the source
  uint64_t bytes = 0;         ///< 1-D
  uint64_t barrier = 0;       ///< loads
  uint32_t targets = 0;       ///< loads: ranks of the CTAs that get the data
  uint32_t moment = 0;        ///< loads: of the barrier's deliveries
  Clock past;                 ///< what the issuer knew
  std::vector<uint8_t> data;  ///< stores: what was read
};

struct BulkQueue {
  std::vector<BulkCopy> loads;
  std::vector<BulkCopy> stores;
  std::vector<uint64_t> committed; ///< groups, per thread
  /// Per thread: its last store, and the groups up to that one.
  struct LastStore {
    const Instruction *in = nullptr;
    uint64_t groups = 0;
    uint64_t address = 0; ///< shared
    uint64_t bytes = 0;
  };
  std::vector<LastStore> lastStore;
  /// Per thread: groups whose sources it has waited for.
  std::vector<uint64_t> waitedRead;

  bool isDone(uint32_t thread, uint64_t groups, bool readIsEnough) const;
};

/// One lane's cp.async, or an arrival that waits for the ones before it.
struct AsyncCopy {
  const Instruction *in = nullptr;
  uint32_t warp = 0;
  uint8_t lane = 0;
  bool isArrival = false;
  uint64_t group = 0;
  uint64_t sharedAddress = 0; ///< arrivals: the mbarrier
  uint64_t globalAddress = 0;
  uint32_t bytes = 0;
  uint32_t sourceBytes = 0; ///< the rest is filled with zeros
  uint32_t moment = 0;      ///< among the thread's copies
  Clock past;               ///< what the thread knew
};

struct CopyQueue {
  std::deque<AsyncCopy> copies;
  std::vector<uint64_t> committed; ///< groups, per thread
  std::vector<uint32_t> issued;    ///< copies, per thread
  /// Per thread: copies issued before each commit.
  std::vector<std::vector<uint32_t>> issuedAtCommit;
  struct Issue {
    const Instruction *in = nullptr;
    uint64_t address = 0; ///< shared
    uint32_t bytes = 0;
  };
  std::vector<Issue> last; ///< per thread
  /// Per thread: copies that somebody has waited for.
  std::vector<uint32_t> finished;
  /// An arrival behind `copies` copies, in a moment of the barrier at
  /// `address`.
  struct Arrival {
    uint32_t copies = 0;
    uint64_t address = 0;
    uint32_t moment = 0;
  };
  std::vector<std::deque<Arrival>> arrivals; ///< per thread

  /// Moves on `finished` by what waits for mbarriers have shown.
  void settle(const SharedMemory &shared, uint32_t thread);
  bool isDone(uint32_t thread, uint64_t groups) const;
};

/// Groups of a thread that must be complete when `allowed` may be in flight.
inline uint64_t required(uint64_t committed, uint64_t allowed) {
  return committed > allowed ? committed - allowed : 0;
}

// Carry out one piece of work. False after reporting an error.
bool executeWgmma(Cta &cta, int warpGroup);
bool executeLoad(Cta &cta, size_t index);
bool executeStoreRead(Cta &cta, size_t index);
bool executeStoreWrite(Cta &cta, size_t index);
bool executeCopy(Cta &cta, size_t index);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_ASYNCQUEUES_H
