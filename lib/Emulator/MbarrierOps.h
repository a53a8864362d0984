//===- MbarrierOps.h - What others do to mbarriers ---------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of mbarriers that others use: copies deliver bytes, `cp.async`
// arrives, and the scheduler asks whether a wait is over. A phase ends by the
// same counts for threads and engines, so both come through these functions.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_MBARRIEROPS_H
#define HEDDLE_LIB_EMULATOR_MBARRIEROPS_H

#include "Cta.h"

namespace heddle::emulator {

/// The barrier at a shared address; null after reporting that there is none.
Mbarrier *requireBarrier(Cta &cta, const Instruction &in, const Warp &warp,
                         int lane, uint64_t address);

/// `count` arrivals, with `bytes` more to expect. False after reporting.
bool arriveOn(Cta &cta, const Instruction &in, const Warp &warp, int lane,
              Mbarrier &barrier, uint32_t count, int64_t bytes);

/// An asynchronous copy, issued when the phase's delivery moment was `moment`,
/// has delivered `bytes`. False after reporting.
bool completeBytes(Cta &cta, const Instruction &in, const Warp &warp, int lane,
                   uint64_t address, int64_t bytes, uint32_t moment);

/// Whether the phase is over that any lane of `group` waits for, which stands
/// at a wait for several.
bool isAnyOver(const Cta &cta, const Warp &warp, const Group &group);

/// What a thread releases with its arrival, to go into the phase.
void releaseInto(Cta &cta, Mbarrier &barrier, const Warp &warp, int lane);

/// The shared address behind a generic or shared one; `space` says which.
uint64_t sharedAddress(Space space, uint64_t address);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_MBARRIEROPS_H
