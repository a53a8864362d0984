//===- Warp.h - Registers and lanes of one warp ------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that agree form a group with one program counter. A divergent branch
// splits its group; the parts meet at the branch's post-dominator, as ptxas
// arranges with its convergence barriers; where there is none because a part
// exits, the others catch up by program counter. A blocked group does not hold
// up the others of its warp.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_WARP_H
#define HEDDLE_LIB_EMULATOR_WARP_H

#include "Instruction.h"

#include <algorithm>
#include <deque>

namespace heddle::emulator {

/// Why a group cannot go on, and until when.
struct Wait {
  enum class Kind : uint8_t {
    None,
    Mbarrier,     ///< address, parity
    Mbarriers,    ///< lanes: each its own, as the instruction says
    NamedBarrier, ///< id, generation
    Converge,     ///< lanes of its warp that must come to the same instruction,
                  ///< or to any bar.warp.sync (id)
    Wgmma,        ///< count: how many wgmmas of the warp group must be done
    BulkDone,     ///< count: groups of bulk stores of this thread to be written
    BulkRead,     ///< count: ... whose source must have been read
    Copies,       ///< count: groups of cp.async
    Registers,    ///< count: registers a thread wants in all
  };
  Kind kind = Kind::None;
  uint32_t address = 0;
  uint32_t parity = 0;
  uint32_t id = 0;
  uint64_t generation = 0;
  uint64_t count = 0;
  LaneMask lanes = 0;
};

/// `id` of a wait for lanes that may come to another bar.warp.sync.
inline constexpr uint32_t kAtWarpBarrier = 1;

struct Group {
  uint32_t pc = 0;
  LaneMask mask = 0;
  int frame = -1; ///< innermost divergence that it has to end; -1 for none
  Wait wait;
  bool givesUp = false;     ///< its try_wait has lasted too long
  uint32_t failedPolls = 0; ///< test_wait misses in a row
  uint32_t polled = 0;      ///< the barrier they were on
};

/// One divergent branch whose parts have not all met again.
struct Frame {
  uint32_t meetingPoint = 0;
  LaneMask mask = 0;
  LaneMask arrived = 0;
  int parent = -1;
};

class Warp {
public:
  void start(const Entry &entry, int number, int liveLanes);

  uint64_t *lanes(uint32_t reg) { return &registers[size_t(reg) * kLanes]; }
  const uint64_t *lanes(uint32_t reg) const {
    return &registers[size_t(reg) * kLanes];
  }

  bool isDone() const { return groups.empty(); }
  uint32_t threadOf(int lane) const { return uint32_t(number * kLanes + lane); }

  /// Lanes of `group` that pass the guard.
  LaneMask guarded(const Instruction &in, LaneMask mask) const;
  /// Sends `taken` of group `g` to `target`, the rest to the next instruction.
  void branch(int g, LaneMask taken, uint32_t target, uint32_t meetingPoint);
  /// Ends the lanes `mask` of group `g`.
  void exitLanes(int g, LaneMask mask);
  /// Parks group `g`, which stands at its meeting point.
  void arriveAtMeetingPoint(int g);
  bool isAtMeetingPoint(const Group &group) const {
    return group.frame >= 0 && frames[group.frame].meetingPoint == group.pc;
  }
  /// Joins group `g` with others that stand where it does. Returns its number.
  int joinSamePlace(int g);
  /// Whether a group of the same divergence as `g` is further behind.
  bool isAhead(int g) const;
  /// Joins groups that wait for one another at one instruction.
  void mergeConverging();
  /// Of group `g`, which blocks for the rest of a team: `staying` lanes stay,
  /// `repeating` ones execute the instruction again, the others go on.
  void splitWaiting(int g, LaneMask staying, LaneMask repeating);
  /// Lanes that wait in a bar.warp.sync with this member mask.
  LaneMask lanesAtWarpBarrier(LaneMask members) const;

  /// Has heard of what others did up to `event`.
  void learnUpTo(uint64_t event) { learnedAt = std::max(learnedAt, event); }

  int number = 0;
  LaneMask alive = 0; ///< lanes that have not exited
  std::vector<Group> groups;
  std::vector<Frame> frames;
  std::vector<uint64_t> registers;
  std::vector<uint8_t> localMemory;
  uint64_t clusterGeneration = 0; ///< of the cluster barrier at our arrival
  uint64_t clusterArrivals = 0;   ///< generations of it that we have come to
  uint64_t learnedAt = 0;         ///< event up to which it has heard of others
  int maxRegisters = 0;           ///< per thread; setmaxnreg changes it

  // wgmma: counts of this warp's issues, by which its groups are known.
  uint64_t wgmmaIssued = 0;
  uint64_t wgmmaRetired = 0;
  std::deque<uint64_t> wgmmaGroups;     ///< wgmmaIssued at each commit
  std::vector<uint16_t> inFlightResult; ///< per register: writes to come
  std::vector<uint16_t> inFlightSource; ///< per register: reads to come
  bool hasFenced = false;               ///< executed a wgmma.fence
  std::vector<uint32_t> unfenced; ///< registers accessed since the last one
  /// Per register: the instruction that did, + 1; 0 for none.
  std::vector<uint32_t> accessedBy;

private:
  void settleFrames();
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_WARP_H
