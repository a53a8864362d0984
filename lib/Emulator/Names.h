//===- Names.h - Shared memory in the manifest's words ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a shared address. Out: its ring, slot and turn under the manifest's
// names, and the warps that may use a barrier there. Errors and deadlocks are
// reported in these words, because an address says nothing about the program.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_NAMES_H
#define HEDDLE_LIB_EMULATOR_NAMES_H

#include "Cta.h"

namespace heddle::emulator {

/// One of the two mbarriers of a slot.
struct RingBarrier {
  const manifest::Ring *ring = nullptr; ///< null: not a ring's
  int slot = 0;
  bool isFull = false;
};
RingBarrier findRingBarrier(const Launch &launch, uint64_t address);

/// "the full barrier of slot 2 of ring 'a' (filled by 'load')".
std::string nameBarrier(const Launch &launch, uint64_t address);

/// " (slot 1 of ring 'a', turn 3)" for an address in a slot, else nothing. The
/// turn is that of the values in it, or of those that a write brings.
std::string nameSlot(Cta &cta, uint64_t address, bool isWrite);

/// Warps that may arrive on the barrier at `address`, and that may wait on it;
/// all where the manifest does not say.
struct BarrierRoles {
  uint32_t arriving = ~uint32_t(0);
  uint32_t waiting = ~uint32_t(0);
};
BarrierRoles rolesOf(const Launch &launch, uint64_t address);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_NAMES_H
