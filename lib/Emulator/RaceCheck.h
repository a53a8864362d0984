//===- RaceCheck.h - Checks accesses against each other ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every access to memory that others may see passes here, once, when it
// happens. What is found is reported in the manifest's words.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_RACECHECK_H
#define HEDDLE_LIB_EMULATOR_RACECHECK_H

#include "Cta.h"

namespace heddle::emulator {

/// Where and what. `what` is the report's beginning: "reads 4 bytes at".
struct MemoryAccess {
  uint64_t address = 0;
  uint64_t bytes = 0;
  bool isWrite = false;
  bool repeatsValue = false; ///< a write of what is there already
  const char *subject = "";  ///< "the bulk copy "
  const char *object = "";   ///< "B": an operand
  bool isGlobal = false;     ///< else shared memory
  bool isAtomic = false;     ///< asynchronous reductions
  bool isBarrier = false;    ///< it uses the mbarrier there
};

/// An access of a thread, now. False after reporting.
bool noteThreadAccess(Cta &cta, const Instruction &in, const Warp &warp,
                      int lane, const MemoryAccess &access);

/// A thread's use of the mbarrier at `address`, which must come after its
/// initialisation and before its end. False after reporting.
bool noteBarrierUse(Cta &cta, const Instruction &in, const Warp &warp, int lane,
                    uint64_t address);

/// Asynchronous work as an agent: when it is, and what its issuer knew.
struct EngineMoment {
  Agent agent = 0;
  uint32_t moment = 0;
  const Clock *past = nullptr;
  bool isAsync = true; ///< cp.async is not of the async proxy
};

/// An access of work that `lane` of `warp` issued. False after reporting.
bool noteEngineAccess(Cta &cta, const Instruction &in, const Warp &warp,
                      int lane, const EngineMoment &engine,
                      const MemoryAccess &access);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_RACECHECK_H
