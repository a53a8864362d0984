//===- Warp.cpp - Registers and lanes of one warp -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include <algorithm>

using namespace heddle::emulator;

void Warp::start(const Entry &entry, int warpNumber, int liveLanes) {
  number = warpNumber;
  alive = LaneMask(lowBits(liveLanes));
  groups.assign(1, Group());
  groups[0].mask = alive;
  frames.clear();
  // What nobody wrote is NaN in every format.
  registers.resize(size_t(entry.registerCount) * kLanes);
  for (uint32_t r = 1; r <= entry.registerTypes.size(); ++r)
    std::fill_n(lanes(r), kLanes, lowBits(bitsOf(entry.registerTypes[r - 1])));
  localMemory.assign(size_t(entry.localBytes) * kLanes, 0xFF);
  clusterGeneration = clusterArrivals = learnedAt = 0;
  wgmmaIssued = wgmmaRetired = 0;
  wgmmaGroups.clear();
  inFlightResult.assign(entry.registerCount, 0);
  inFlightSource.assign(entry.registerCount, 0);
  hasFenced = false;
  unfenced.clear();
  accessedBy.assign(entry.registerCount, 0);
}

LaneMask Warp::guarded(const Instruction &in, LaneMask mask) const {
  if (in.guard < 0)
    return mask;
  const uint64_t *predicate = lanes(uint32_t(in.guard));
  LaneMask set = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    set |= LaneMask(predicate[lane] != 0) << lane;
  return mask & (in.guardNegated ? ~set : set);
}

void Warp::branch(int g, LaneMask taken, uint32_t target,
                  uint32_t meetingPoint) {
  Group &group = groups[g];
  LaneMask rest = group.mask & ~taken;
  if (!taken || !rest) {
    group.pc = taken ? target : group.pc + 1;
    return;
  }
  bool isKnown =
      meetingPoint == kNoReconvergence ||
      (group.frame >= 0 && frames[group.frame].meetingPoint == meetingPoint);
  if (!isKnown) {
    frames.push_back({meetingPoint, group.mask, 0, group.frame});
    group.frame = int(frames.size()) - 1;
  }
  Group other = group;
  group.mask = rest;
  ++group.pc;
  other.mask = taken;
  other.pc = target;
  groups.push_back(other);
}

void Warp::exitLanes(int g, LaneMask mask) {
  alive &= ~mask;
  groups[g].mask &= ~mask;
  if (groups[g].mask)
    ++groups[g].pc;
  else
    groups.erase(groups.begin() + g);
  settleFrames();
}

void Warp::arriveAtMeetingPoint(int g) {
  frames[groups[g].frame].arrived |= groups[g].mask;
  groups.erase(groups.begin() + g);
  settleFrames();
}

/// Completes divergences whose lanes have all met or exited, inside out.
void Warp::settleFrames() {
  for (int f = int(frames.size()) - 1; f >= 0; --f) {
    Frame &frame = frames[f];
    frame.mask &= alive;
    frame.arrived &= alive;
    if (!frame.mask || frame.arrived != frame.mask)
      continue;
    Group joined;
    joined.pc = frame.meetingPoint;
    joined.mask = frame.mask;
    joined.frame = frame.parent;
    frame.mask = frame.arrived = 0;
    if (joined.frame >= 0 && frames[joined.frame].meetingPoint == joined.pc)
      frames[joined.frame].arrived |= joined.mask;
    else
      groups.push_back(joined);
  }
  while (!frames.empty() && !frames.back().mask)
    frames.pop_back();
}

int Warp::joinSamePlace(int g) {
  for (int other = int(groups.size()) - 1; other >= 0; --other) {
    if (other == g || groups[other].pc != groups[g].pc ||
        groups[other].frame != groups[g].frame ||
        groups[other].wait.kind != Wait::Kind::None)
      continue;
    groups[g].mask |= groups[other].mask;
    groups.erase(groups.begin() + other);
    g -= other < g;
  }
  return g;
}

bool Warp::isAhead(int g) const {
  for (const Group &other : groups)
    if (other.frame == groups[g].frame && other.pc < groups[g].pc &&
        other.wait.kind == Wait::Kind::None)
      return true;
  return false;
}

void Warp::mergeConverging() {
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t j = i + 1; j < groups.size();) {
      bool together = groups[i].wait.kind == Wait::Kind::Converge &&
                      groups[j].wait.kind == Wait::Kind::Converge &&
                      groups[i].pc == groups[j].pc &&
                      groups[i].frame == groups[j].frame &&
                      groups[i].wait.lanes == groups[j].wait.lanes;
      if (!together) {
        ++j;
        continue;
      }
      groups[i].mask |= groups[j].mask;
      groups.erase(groups.begin() + j);
    }
}

void Warp::splitWaiting(int g, LaneMask staying, LaneMask repeating) {
  Group again = groups[g], onwards = groups[g];
  again.wait = onwards.wait = {};
  again.mask = repeating;
  onwards.mask = groups[g].mask & ~staying & ~repeating;
  ++onwards.pc;
  groups[g].mask = staying;
  for (const Group &part : {again, onwards})
    if (part.mask)
      groups.push_back(part);
}

LaneMask Warp::lanesAtWarpBarrier(LaneMask members) const {
  LaneMask lanes = 0;
  for (const Group &group : groups)
    if (group.wait.kind == Wait::Kind::Converge &&
        group.wait.id == kAtWarpBarrier && group.wait.lanes == members)
      lanes |= group.mask;
  return lanes;
}
