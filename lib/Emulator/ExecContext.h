//===- ExecContext.h - What an instruction's handler sees --------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of the scheduler to the handlers of instructions: the registers
// of 32 lanes, memory, ways to end a step, and lanes that act as a team. Loads
// and stores get at memory through `access` only, which checks bounds,
// alignment and races, so that no handler can forget one of these.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_EXECCONTEXT_H
#define HEDDLE_LIB_EMULATOR_EXECCONTEXT_H

#include "Cta.h"

#include <bit>
#include <string>

namespace heddle::emulator {

/// Generic addresses of the windows that are not host memory: the top byte is
/// free in every host pointer.
inline constexpr uint64_t kSharedWindow = uint64_t(1) << 56;
inline constexpr uint64_t kLocalWindow = uint64_t(2) << 56;
inline constexpr uint64_t kParamWindow = uint64_t(3) << 56;

/// The window of a space; 0 where addresses are host addresses.
uint64_t windowOf(Space space);

class ExecContext {
public:
  ExecContext(Cta &cta, Warp &warp) : cta(cta), warp(warp) {}

  uint64_t *lanes(uint32_t reg) { return warp.lanes(reg); }

  /// Host bytes behind an address of `space`, checked for bounds and
  /// alignment, and against the accesses of others; null after reporting.
  /// `values`: what will be written, if that is known.
  uint8_t *access(const Instruction &in, Space space, uint64_t address,
                  uint32_t bytes, bool isWrite, int lane,
                  const uint8_t *values = nullptr);

  Step fail(const Instruction &in, int lane, const std::string &message) {
    cta.fail(in, warp, lane, message);
    return Step::Failed;
  }

  Step block(Wait::Kind kind) {
    wait = {};
    wait.kind = kind;
    return Step::Blocked;
  }

  Cta &cta;
  Warp &warp;
  int group = 0;
  /// Set by a handler that returns Blocked. On entry: the wait with which this
  /// instruction blocked before (kind None the first time).
  Wait wait;
  /// With Wait::Kind::Converge: the lanes that block, and those that come to
  /// the same instruction again by themselves. The others go on.
  LaneMask staying = 0, repeating = 0;
};

/// Calls `body(lane)` for each lane of `mask`, lowest first.
template <class Body> inline void forEachLane(LaneMask mask, Body body) {
  if (mask == kAllLanes) {
    for (int lane = 0; lane < kLanes; ++lane)
      body(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    body(std::countr_zero(mask));
}

inline int firstLane(LaneMask mask) { return std::countr_zero(mask); }

/// The lanes of `mask` whose member mask, a value in `masks`, is that of the
/// first one. 0 after reporting that one of them is not in it.
LaneMask teamOf(ExecContext &context, const Instruction &in,
                const uint64_t *masks, LaneMask mask);

/// Carries out an instruction with a member mask. Lanes with the same mask are
/// a team: `body(team)` happens once all live members are here. The first team
/// that is not complete blocks, and further ones repeat the instruction on
/// their own.
template <class Body>
Step forEachTeam(ExecContext &context, const Instruction &in,
                 const uint64_t *masks, LaneMask mask, Body body) {
  context.staying = context.repeating = 0;
  LaneMask missing = 0;
  for (LaneMask rest = mask, team; rest; rest &= ~team) {
    auto members = LaneMask(masks[firstLane(rest)]);
    team = teamOf(context, in, masks, rest);
    if (!team)
      return Step::Failed;
    if (!(members & context.warp.alive & ~team)) {
      body(team);
    } else if (!context.staying) {
      context.staying = team;
      missing = members;
    } else {
      context.repeating |= team;
    }
  }
  if (!context.staying)
    return Step::Next;
  context.block(Wait::Kind::Converge);
  context.wait.lanes = missing;
  return Step::Blocked;
}

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_EXECCONTEXT_H
