//===- Cta.h - The state of one running CTA ----------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All state of one running CTA, and `Launch`, the part that the CTAs of a
// launch share. Handlers of instructions, engines and the scheduler meet in
// this state. It decides little itself, so that each family of instructions
// keeps its rules in its own file.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_CTA_H
#define HEDDLE_LIB_EMULATOR_CTA_H

#include "AsyncQueues.h"
#include "Causality.h"
#include "GlobalMemory.h"
#include "ProgramImpl.h"
#include "Random.h"
#include "SharedMemory.h"
#include "Warp.h"

#include <array>

namespace heddle::emulator {

class Cluster;

/// What all CTAs of a launch share.
struct Launch {
  const ProgramImpl &program;
  const Entry &entry;
  const manifest::Manifest &manifest;
  const manifest::Variant &variant;
  const manifest::LaunchPlan &plan;
  const Options &options;
  GlobalMemory &global;
  Statistics &statistics;
  std::array<int, 3> block{};      ///< threads along x, y, z
  std::array<int, 3> cluster{};    ///< CTAs along x, y, z
  std::vector<uint8_t> params;     ///< the parameter block
  std::vector<uint64_t> variables; ///< host address per symbol, 0 if none
};

/// bar.sync and its kin.
struct NamedBarrier {
  uint32_t expected = 0; ///< threads; 0 while nobody is there
  uint32_t arrived = 0;
  uint64_t generation = 0;
  uint32_t reduction = 0;   ///< bar.red so far
  uint32_t result = 0;      ///< of the last generation
  uint32_t warps = 0;       ///< that have come to this generation
  uint32_t formerWarps = 0; ///< that came to an earlier one
  uint64_t completedAt = 0; ///< event in which the last generation ended
  Clock arrivals;           ///< what they released
  Clock completed;          ///< what those of the last generation did
};

/// How far the fences of a tensor map are that the CTA itself has changed.
enum class TensorMapState : uint8_t { Written, Released, Acquired };

class Cta {
public:
  explicit Cta(Launch &launch) : launch(launch) {}

  /// Resets everything for the CTA at `index`.
  void start(std::array<int64_t, 3> index, uint64_t seed);

  bool isReady(const Warp &warp, const Group &group) const;
  /// Threads of warps that have not exited, rounded up to warps.
  uint32_t liveThreads() const;
  /// Ends a generation: whoever waits for it learns what all did before.
  void completeBarrier(NamedBarrier &barrier);
  /// barrier.cluster, of all CTAs.
  NamedBarrier &clusterBarrier();
  const NamedBarrier &clusterBarrier() const {
    return const_cast<Cta *>(this)->clusterBarrier();
  }
  /// Numbers what a cluster's CTAs learn of each other, in order: a coarse
  /// stand-in for clocks where there are none.
  uint64_t nextEvent();
  /// Completes barriers without a count when warps exit.
  void settleBarriers();

  /// "warp 5 ('consumer')".
  std::string nameOf(const Warp &warp) const;
  /// "PTX line 12 `bar.sync 0;` (program.mlir:3)".
  std::string placeOf(const Instruction &in) const;
  std::string indexText() const;

  /// Records the first error.
  void fail(const Instruction &in, const Warp &warp, int lane,
            const std::string &message);
  bool hasFailed() const { return !error.empty(); }

  Launch &launch;
  std::array<int64_t, 3> index{};
  Cluster *cluster = nullptr; ///< null when it is the only CTA of its cluster
  uint32_t rank = 0;          ///< in the cluster
  std::vector<Warp> warps;
  Causality order;
  SharedMemory shared;
  Shadow globalShadow;
  /// bar.sync 0 to 15, and the cluster's, which in a cluster of one is a
  /// barrier of the CTA.
  std::array<NamedBarrier, 17> barriers;
  std::vector<WgmmaQueue> wgmmas; ///< per warp group
  BulkQueue bulk;
  CopyQueue copies;
  std::map<uint64_t, TensorMapState> tensorMaps; ///< by global address
  int64_t freeRegisters = 0; ///< of the pool that setmaxnreg deals from
  Random random;
  /// How often a wait of a warp will still say false although it need not: by
  /// instruction and warp. Adversarial.
  std::map<std::pair<const Instruction *, int>, uint32_t> refusals;
  /// Loads of each instruction in each warp so far. Adversarial.
  std::map<std::pair<const Instruction *, int>, uint32_t> loadsIssued;
  uint64_t election = 0; ///< decides whom elect.sync picks. Adversarial
  int64_t steps = 0;
  uint64_t events = 0;      ///< of a CTA that is its whole cluster
  uint64_t skippedTime = 0; ///< ticks of the clock in which nobody could move
  std::string error;

private:
  uint64_t specialValue(const std::string &name, const Warp &warp,
                        int lane) const;
  void fillConstants(Warp &warp);
};

/// Whether `%name` has a value that does not change while a thread runs.
bool isKnownSpecial(std::string_view name);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_CTA_H
