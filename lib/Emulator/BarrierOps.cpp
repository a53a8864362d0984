//===- BarrierOps.cpp - bar and barrier -----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `bar`, `barrier`, `bar.warp.sync` and `barrier.cluster`: arrivals, reductions
// and waits. A warp that comes twice, counts that differ and a partial warp at
// an aligned barrier are errors at the instruction, since a GPU would hang or
// go on with them.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Decoder.h"
#include "ExecContext.h"
#include "NamedBarriers.h"

using namespace heddle::emulator;

namespace {
enum class Reduction : uint8_t { None, And, Or, Popc };

struct BarrierDetail : Detail {
  bool arrivesOnly = false;
  bool isAligned = false;
  bool hasCount = false;
  Reduction reduction = Reduction::None;
  bool negatesPredicate = false;
};
} // namespace

/// Adds this group's arrival. False after reporting.
static bool arrive(ExecContext &context, const Instruction &in,
                   NamedBarrier &barrier, uint32_t id, uint32_t threads,
                   uint32_t expected, LaneMask mask) {
  int lane = firstLane(mask);
  if (barrier.arrived && barrier.expected != expected) {
    auto name = [](uint32_t count) {
      return count == kAllThreads ? std::string("all") : std::to_string(count);
    };
    context.fail(in, lane,
                 "comes to barrier " + std::to_string(id) + " for " +
                     name(expected) + " threads, others wait there for " +
                     name(barrier.expected));
    return false;
  }
  if ((barrier.warps >> context.warp.number & 1) && threads == kLanes) {
    context.fail(in, lane,
                 "comes to barrier " + std::to_string(id) +
                     " a second time before it is complete");
    return false;
  }
  barrier.warps |= uint32_t(1) << context.warp.number;
  barrier.expected = expected;
  barrier.arrived += threads;
  barrier.arrivals.join(context.cta.order.release(context.warp.number, mask));
  uint32_t needed =
      expected == kAllThreads ? context.cta.liveThreads() : expected;
  if (barrier.arrived > needed) {
    context.fail(in, lane,
                 "is thread " + std::to_string(barrier.arrived) +
                     " at barrier " + std::to_string(id) + " for " +
                     std::to_string(needed) + " threads");
    return false;
  }
  return true;
}

static bool isComplete(const Cta &cta, const NamedBarrier &barrier) {
  return barrier.arrived >= (barrier.expected == kAllThreads
                                 ? cta.liveThreads()
                                 : barrier.expected);
}

static void reduce(ExecContext &context, const Instruction &in,
                   const BarrierDetail &detail, NamedBarrier &barrier,
                   LaneMask mask) {
  const uint64_t *predicate = context.lanes(in.sources.back());
  bool isFirst = barrier.arrived == 0;
  uint32_t &value = barrier.reduction;
  if (isFirst)
    value = detail.reduction == Reduction::And;
  forEachLane(mask, [&](int lane) {
    bool bit = (predicate[lane] != 0) != detail.negatesPredicate;
    if (detail.reduction == Reduction::Popc)
      value += bit;
    else if (detail.reduction == Reduction::And)
      value = value && bit;
    else
      value = value || bit;
  });
}

static Step execBarrier(ExecContext &context, const Instruction &in,
                        LaneMask mask) {
  const auto &detail = static_cast<const BarrierDetail &>(*in.detail);
  int lane = firstLane(mask);
  uint64_t id = context.lanes(in.a)[lane];
  if (id > 15)
    return context.fail(in, lane,
                        "barrier " + std::to_string(id) +
                            "; the hardware has 0 to 15");
  NamedBarrier &barrier = context.cta.barriers[id];
  bool hasArrived = context.wait.kind == Wait::Kind::NamedBarrier;
  if (!hasArrived) {
    if (detail.isAligned && mask != context.warp.alive)
      return context.fail(
          in, lane,
          "only " + std::to_string(std::popcount(mask)) + " of the warp's " +
              std::to_string(std::popcount(context.warp.alive)) +
              " lanes come to an aligned barrier");
    uint32_t expected =
        detail.hasCount ? uint32_t(context.lanes(in.b)[lane]) : kAllThreads;
    if (detail.hasCount && (expected % kLanes || expected == 0))
      return context.fail(in, lane,
                          "a barrier for " + std::to_string(expected) +
                              " threads; it must be a multiple of 32");
    if (detail.reduction != Reduction::None)
      reduce(context, in, detail, barrier, mask);
    uint32_t threads = detail.isAligned ? kLanes : std::popcount(mask);
    if (!arrive(context, in, barrier, uint32_t(id), threads, expected, mask))
      return Step::Failed;
    if (isComplete(context.cta, barrier)) {
      context.cta.completeBarrier(barrier);
      if (!detail.arrivesOnly)
        context.cta.order.acquire(context.warp.number, mask, barrier.completed);
    } else if (!detail.arrivesOnly) {
      context.block(Wait::Kind::NamedBarrier);
      context.wait.id = uint32_t(id);
      context.wait.generation = barrier.generation;
      return Step::Blocked;
    }
  }
  if (!detail.arrivesOnly)
    context.warp.learnUpTo(barrier.completedAt);
  if (detail.reduction != Reduction::None) {
    uint64_t *d = context.lanes(in.d);
    forEachLane(mask, [&](int l) { d[l] = barrier.result; });
  }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// The warp's and the cluster's barriers
//===----------------------------------------------------------------------===//

LaneMask heddle::emulator::teamOf(ExecContext &context, const Instruction &in,
                                  const uint64_t *masks, LaneMask mask) {
  auto members = LaneMask(masks[firstLane(mask)]);
  LaneMask team = 0;
  forEachLane(mask, [&](int lane) {
    team |= LaneMask(LaneMask(masks[lane]) == members) << lane;
  });
  if (!(team & ~members))
    return team;
  context.fail(in, firstLane(team & ~members),
               "the executing lane is not in its member mask " +
                   hexadecimal(members));
  return 0;
}

/// The lanes of a team meet at any of their bar.warp.sync: the last part that
/// comes lets those go that wait elsewhere.
static Step execWarpBarrier(ExecContext &context, const Instruction &in,
                            LaneMask mask) {
  const uint64_t *masks = context.lanes(in.a);
  Warp &warp = context.warp;
  // The one .sync instruction of a warp that orders memory.
  Causality &order = context.cta.order;
  auto meet = [&](LaneMask lanes) {
    if (order.isOn())
      order.acquire(warp.number, lanes, order.release(warp.number, lanes));
  };
  LaneMask team = teamOf(context, in, masks, mask);
  if (!team)
    return Step::Failed;
  auto members = LaneMask(masks[firstLane(team)]);
  LaneMask elsewhere = warp.lanesAtWarpBarrier(members) & ~team;
  if (team != mask || !elsewhere ||
      (members & warp.alive & ~team & ~elsewhere)) {
    Step step = forEachTeam(context, in, masks, mask, meet);
    context.wait.id = step == Step::Blocked ? kAtWarpBarrier : 0;
    return step;
  }
  meet(team | elsewhere);
  for (Group &group : warp.groups)
    if (group.wait.kind == Wait::Kind::Converge &&
        group.wait.id == kAtWarpBarrier && group.wait.lanes == members) {
      group.wait = {};
      ++group.pc;
    }
  return Step::Next;
}

/// Several CTAs: their warps are only counted.
static Step arriveAtCluster(ExecContext &context, const Instruction &in,
                            LaneMask mask) {
  Warp &warp = context.warp;
  NamedBarrier &barrier = context.cta.clusterBarrier();
  if (warp.clusterArrivals > barrier.generation)
    return context.fail(in, firstLane(mask),
                        "comes to the cluster's barrier a second time before "
                        "it is complete");
  warp.clusterGeneration = barrier.generation;
  warp.clusterArrivals = barrier.generation + 1;
  barrier.arrived += kLanes;
  context.cta.cluster->settleBarrier();
  return Step::Next;
}

static Step execClusterArrive(ExecContext &context, const Instruction &in,
                              LaneMask mask) {
  if (context.cta.cluster)
    return arriveAtCluster(context, in, mask);
  NamedBarrier &barrier = context.cta.clusterBarrier();
  context.warp.clusterGeneration = barrier.generation;
  if (!arrive(context, in, barrier, kClusterBarrier, kLanes, kAllThreads, mask))
    return Step::Failed;
  if (isComplete(context.cta, barrier))
    context.cta.completeBarrier(barrier);
  return Step::Next;
}

static Step execClusterWait(ExecContext &context, const Instruction &,
                            LaneMask mask) {
  NamedBarrier &barrier = context.cta.clusterBarrier();
  if (barrier.generation != context.warp.clusterGeneration) {
    context.cta.order.acquire(context.warp.number, mask, barrier.completed);
    context.warp.learnUpTo(barrier.completedAt);
    return Step::Next;
  }
  context.block(Wait::Kind::NamedBarrier);
  context.wait.id = kClusterBarrier;
  context.wait.generation = barrier.generation;
  return Step::Blocked;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool decodeCluster(Decoder &decoder) {
  bool isWait = decoder.take("wait");
  if (!isWait && !decoder.take("arrive"))
    return decoder.failUnknown();
  decoder.drop({"release", "relaxed", "acquire", "aligned"});
  decoder.out.exec = isWait ? execClusterWait : execClusterArrive;
  return true;
}

static bool decodeAny(Decoder &decoder, bool isAligned) {
  if (decoder.take("cluster"))
    return decodeCluster(decoder);
  if (decoder.take("warp")) {
    decoder.out.exec = execWarpBarrier;
    return decoder.take("sync") ? decoder.source(Type::B32)
                                : decoder.failUnknown();
  }
  decoder.take("cta");
  auto detail = std::make_shared<BarrierDetail>();
  decoder.out.detail = detail;
  decoder.out.exec = execBarrier;
  detail->arrivesOnly = decoder.take("arrive");
  if (decoder.take("red"))
    detail->reduction = decoder.takeAny("popc")  ? Reduction::Popc
                        : decoder.takeAny("and") ? Reduction::And
                                                 : Reduction::Or;
  else if (!detail->arrivesOnly && !decoder.take("sync"))
    return decoder.failUnknown();
  decoder.takeAny("or");
  decoder.takeType();
  detail->isAligned = decoder.take("aligned") || isAligned;
  bool reduces = detail->reduction != Reduction::None;
  if (reduces && !decoder.destination(Type::B32))
    return false;
  if (!decoder.source(Type::U32))
    return false;
  detail->hasCount = decoder.operandsLeft() > (reduces ? 1 : 0);
  if (detail->hasCount && !decoder.source(Type::U32))
    return false;
  if (detail->arrivesOnly && !detail->hasCount)
    return decoder.fail("an arrival needs a thread count");
  if (!reduces)
    return true;
  const Operand *predicate = decoder.nextOperandOrFail();
  uint32_t reg;
  if (!predicate || !decoder.registerFor(*predicate, Type::Pred, reg))
    return false;
  detail->negatesPredicate = predicate->isNegated;
  decoder.out.sources.push_back(reg);
  return true;
}

// `bar` is the old spelling of `barrier.cta ... .aligned`.
static bool decodeBar(Decoder &decoder) { return decodeAny(decoder, true); }
static bool decodeBarrier(Decoder &decoder) {
  return decodeAny(decoder, false);
}

std::span<const Family> heddle::emulator::barrierFamilies() {
  static constexpr Family families[] = {
      {"bar", decodeBar},
      {"barrier", decodeBarrier},
  };
  return families;
}
