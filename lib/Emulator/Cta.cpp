//===- Cta.cpp - The state of one running CTA -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cta.h"

#include "Cluster.h"
#include "ExecContext.h"
#include "MbarrierOps.h"
#include "NamedBarriers.h"

#include <algorithm>
#include <span>

using namespace heddle::emulator;

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

static constexpr std::string_view knownSpecials[] = {"%tid.x",
                                                     "%tid.y",
                                                     "%tid.z",
                                                     "%ntid.x",
                                                     "%ntid.y",
                                                     "%ntid.z",
                                                     "%ctaid.x",
                                                     "%ctaid.y",
                                                     "%ctaid.z",
                                                     "%nctaid.x",
                                                     "%nctaid.y",
                                                     "%nctaid.z",
                                                     "%laneid",
                                                     "%warpid",
                                                     "%nwarpid",
                                                     "%smid",
                                                     "%nsmid",
                                                     "%gridid",
                                                     "%lanemask_eq",
                                                     "%lanemask_le",
                                                     "%lanemask_lt",
                                                     "%lanemask_ge",
                                                     "%lanemask_gt",
                                                     "%dynamic_smem_size",
                                                     "%total_smem_size",
                                                     "%cluster_ctaid.x",
                                                     "%cluster_ctaid.y",
                                                     "%cluster_ctaid.z",
                                                     "%cluster_ctarank",
                                                     "%cluster_nctaid.x",
                                                     "%cluster_nctaid.y",
                                                     "%cluster_nctaid.z",
                                                     "%cluster_nctarank",
                                                     "%clusterid.x",
                                                     "%clusterid.y",
                                                     "%clusterid.z",
                                                     "%nclusterid.x",
                                                     "%nclusterid.y",
                                                     "%nclusterid.z",
                                                     "%is_explicit_cluster",
                                                     "%aggr_smem_size"};

bool heddle::emulator::isKnownSpecial(std::string_view name) {
  return std::find(std::begin(knownSpecials), std::end(knownSpecials), name) !=
         std::end(knownSpecials);
}

uint64_t Cta::specialValue(const std::string &name, const Warp &warp,
                           int lane) const {
  int axis = name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 0;
  std::string base = name.substr(0, name.find('.'));
  LaneMask self = LaneMask(1) << lane;
  int64_t threads = launch.variant.threads;
  if (base == "%tid") {
    uint32_t thread = warp.threadOf(lane);
    uint32_t x = uint32_t(launch.block[0]), y = uint32_t(launch.block[1]);
    return axis == 0 ? thread % x : axis == 1 ? thread / x % y : thread / x / y;
  }
  if (base == "%ntid")
    return uint64_t(launch.block[axis]);
  int64_t clusterExtent = launch.cluster[size_t(axis)];
  if (base == "%ctaid")
    return uint64_t(index[axis]);
  if (base == "%nctaid")
    return uint64_t(launch.plan.grid[axis]);
  if (base == "%clusterid")
    return uint64_t(index[axis] / clusterExtent);
  if (base == "%nclusterid")
    return uint64_t(launch.plan.grid[axis] / clusterExtent);
  if (base == "%cluster_ctaid")
    return uint64_t(index[axis] % clusterExtent);
  if (base == "%cluster_nctaid")
    return uint64_t(clusterExtent);
  if (base == "%cluster_ctarank")
    return rank;
  if (base == "%cluster_nctarank")
    return cluster ? cluster->size() : 1;
  if (base == "%is_explicit_cluster")
    return cluster != nullptr;
  if (base == "%laneid")
    return uint64_t(lane);
  if (base == "%warpid")
    return uint64_t(warp.number);
  if (base == "%nwarpid")
    return uint64_t((threads + kLanes - 1) / kLanes);
  if (base == "%nsmid")
    return 1;
  if (base == "%lanemask_eq")
    return self;
  if (base == "%lanemask_lt")
    return self - 1;
  if (base == "%lanemask_le")
    return self | (self - 1);
  if (base == "%lanemask_gt")
    return LaneMask(~(self | (self - 1)));
  if (base == "%lanemask_ge")
    return LaneMask(~(self - 1));
  if (base == "%dynamic_smem_size")
    return uint64_t(launch.variant.sharedBytes);
  if (base == "%total_smem_size" || base == "%aggr_smem_size")
    return shared.endAddress() - kSharedBase;
  return 0; // the only SM
}

void Cta::fillConstants(Warp &warp) {
  for (const Constant &constant : launch.entry.constants) {
    uint64_t *lanes = warp.lanes(constant.reg);
    uint64_t value = constant.bits;
    if (constant.kind == Constant::Kind::SharedAddress)
      value += kSharedBase;
    if (constant.kind == Constant::Kind::GlobalAddress)
      value += launch.variables[constant.symbol];
    for (int lane = 0; lane < kLanes; ++lane)
      lanes[lane] = constant.kind == Constant::Kind::Special
                        ? specialValue(constant.special, warp, lane)
                        : value;
  }
}

/// What ptxas can give each thread, which is what setmaxnreg starts from.
static int launchRegisters(const Entry &entry, int threads) {
  if (entry.maxRegisters)
    return entry.maxRegisters;
  int perThread = 65536 / std::max(entry.minCtasPerSm, 1) / threads / 8 * 8;
  return std::min(perThread, 256);
}

void Cta::start(std::array<int64_t, 3> ctaIndex, uint64_t seed) {
  index = ctaIndex;
  random = Random(seed);
  steps = 0;
  events = 0;
  skippedTime = 0;
  error.clear();
  const Entry &entry = launch.entry;
  order.start(size_t(launch.variant.threads + kLanes - 1) / kLanes,
              launch.options.checkRaces && !cluster);
  const Options &options = launch.options;
  shared.reset(entry.dynamicSharedOffset + launch.variant.sharedBytes, order,
               {true, options.checkProxyFences, options.checkCopyFences,
                options.checkReadFences});
  globalShadow.reset(order, {false, false, false});
  barriers.fill({});
  int threads = launch.variant.threads;
  int warpCount = (threads + kLanes - 1) / kLanes;
  warps.resize(warpCount);
  int registers = launchRegisters(entry, warpCount * kLanes);
  for (int w = 0; w < warpCount; ++w) {
    warps[w].start(entry, w, std::min(threads - w * kLanes, kLanes));
    warps[w].maxRegisters = registers;
    fillConstants(warps[w]);
  }
  freeRegisters = 0;
  wgmmas.assign((warpCount + 3) / 4, {});
  bulk = {};
  bulk.committed.assign(warpCount * kLanes, 0);
  bulk.lastStore.assign(warpCount * kLanes, {});
  bulk.waitedRead.assign(warpCount * kLanes, 0);
  copies = {};
  copies.committed.assign(warpCount * kLanes, 0);
  copies.issued.assign(warpCount * kLanes, 0);
  copies.issuedAtCommit.assign(warpCount * kLanes, {});
  copies.last.assign(warpCount * kLanes, {});
  copies.finished.assign(warpCount * kLanes, 0);
  copies.arrivals.assign(warpCount * kLanes, {});
  refusals.clear();
  loadsIssued.clear();
  election = Random(~seed).next();
  tensorMaps.clear();
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

bool Cta::isReady(const Warp &warp, const Group &group) const {
  const Wait &wait = group.wait;
  auto allLanes = [&](auto isDone) {
    for (int lane = 0; lane < kLanes; ++lane)
      if (wait.lanes >> lane & 1 && !isDone(warp.threadOf(lane)))
        return false;
    return true;
  };
  switch (wait.kind) {
  case Wait::Kind::None:
    return true;
  case Wait::Kind::Mbarrier: {
    Mbarrier *barrier =
        const_cast<SharedMemory &>(shared).findBarrier(wait.address);
    return !barrier || group.givesUp || barrier->isOver(wait.parity);
  }
  case Wait::Kind::Mbarriers:
    return group.givesUp || isAnyOver(*this, warp, group);
  case Wait::Kind::NamedBarrier:
    return (wait.id == kClusterBarrier ? clusterBarrier() : barriers[wait.id])
               .generation != wait.generation;
  case Wait::Kind::Converge:
    return (wait.lanes & warp.alive & ~group.mask &
            ~(wait.id == kAtWarpBarrier ? warp.lanesAtWarpBarrier(wait.lanes)
                                        : 0)) == 0;
  case Wait::Kind::Wgmma:
    return wgmmas[warp.number / 4].executed >= wait.count;
  case Wait::Kind::BulkDone:
  case Wait::Kind::BulkRead:
    return allLanes([&](uint32_t thread) {
      return bulk.isDone(thread, required(bulk.committed[thread], wait.count),
                         wait.kind == Wait::Kind::BulkRead);
    });
  case Wait::Kind::Copies:
    return allLanes([&](uint32_t thread) {
      return copies.isDone(thread,
                           required(copies.committed[thread], wait.count));
    });
  case Wait::Kind::Registers:
    return freeRegisters >= (int64_t(wait.count) - warp.maxRegisters) * kLanes;
  }
  return true;
}

uint32_t Cta::liveThreads() const {
  uint32_t count = 0;
  for (const Warp &warp : warps)
    count += warp.isDone() ? 0 : kLanes;
  return count;
}

void Cta::completeBarrier(NamedBarrier &barrier) {
  auto id = uint32_t(&barrier - barriers.data());
  for (const Warp &warp : warps)
    for (const Group &group : warp.groups)
      if (group.wait.kind == Wait::Kind::NamedBarrier && group.wait.id == id &&
          group.wait.generation == barrier.generation)
        order.acquire(warp.number, group.mask, barrier.arrivals);
  ++barrier.generation;
  barrier.completedAt = nextEvent();
  barrier.formerWarps |= barrier.warps;
  barrier.completed = std::exchange(barrier.arrivals, Clock());
  barrier.result = barrier.reduction;
  barrier.expected = barrier.arrived = barrier.reduction = barrier.warps = 0;
}

NamedBarrier &Cta::clusterBarrier() {
  return cluster ? cluster->barrier() : barriers[kClusterBarrier];
}

uint64_t Cta::nextEvent() { return ++(cluster ? cluster->events : events); }

void Cta::settleBarriers() {
  if (cluster)
    cluster->settleBarrier();
  for (NamedBarrier &barrier :
       std::span(barriers).first(barriers.size() - (cluster != nullptr)))
    if (barrier.expected == kAllThreads && barrier.arrived &&
        barrier.arrived >= liveThreads())
      completeBarrier(barrier);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string Cta::nameOf(const Warp &warp) const {
  std::string text = "warp " + std::to_string(warp.number);
  for (const manifest::Process &process : launch.variant.processes)
    if (warp.number >= process.firstWarp &&
        warp.number < process.firstWarp + process.warpCount)
      return text + " ('" + process.name + "')";
  return text;
}

std::string Cta::placeOf(const Instruction &in) const {
  std::string text = "PTX line " + std::to_string(in.line) + " `" +
                     launch.program.lineText(in.line) + "`";
  auto file = launch.program.files.find(in.sourceFile);
  if (in.sourceLine && file != launch.program.files.end())
    text += " (" + file->second + ":" + std::to_string(in.sourceLine) + ")";
  return text;
}

std::string Cta::indexText() const {
  return "(" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "," +
         std::to_string(index[2]) + ")";
}

void Cta::fail(const Instruction &in, const Warp &warp, int lane,
               const std::string &message) {
  if (hasFailed())
    return;
  // A warp of another CTA of the cluster may be at work here.
  const Cta &actor = cluster ? cluster->ownerOf(warp) : *this;
  error = "kernel '" + launch.entry.name + "', CTA " + actor.indexText() +
          ", " + nameOf(warp) + ", thread " +
          std::to_string(warp.threadOf(lane)) + ": " + message + "\n  at " +
          placeOf(in);
}
