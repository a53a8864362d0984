//===- NamedBarriers.h - bar.sync and its kin --------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two numbers with a meaning of their own: the count of a barrier for all
// warps, and the index of the cluster's barrier. BarrierOps.cpp stores them in
// barriers and waits; the deadlock report and the wait graph must read them as
// it does.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_NAMEDBARRIERS_H
#define HEDDLE_LIB_EMULATOR_NAMEDBARRIERS_H

#include "Cta.h"

namespace heddle::emulator {

/// `expected` of a barrier without a thread count: every warp still running.
inline constexpr uint32_t kAllThreads = ~uint32_t(0);

/// Index of the cluster's barrier.
inline constexpr uint32_t kClusterBarrier = 16;

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_NAMEDBARRIERS_H
