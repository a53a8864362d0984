//===- InFlight.h - Registers that a wgmma is still using --------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the issue of a wgmma to the wait that retires it, its result registers
// may be neither read nor written and its A registers not written. The hardware
// gives garbage then; here it is an error at the instruction that does it.
//
// And before its issue: a wgmma.fence must stand between the last access to one
// of its registers and the wgmma.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_INFLIGHT_H
#define HEDDLE_LIB_EMULATOR_INFLIGHT_H

#include "ExecContext.h"

#include <span>

namespace heddle::emulator {

/// Finds the instructions whose accesses wgmma.fence must order.
void markProductRegisters(Entry &entry);
/// Notes that `in` accesses registers of a wgmma.
void noteAccess(const Entry &entry, Warp &warp, const Instruction &in);
/// wgmma.fence: orders all accesses so far before later wgmmas.
void fenceRegisters(Warp &warp);

/// False after reporting that `in` touches a register in flight.
bool checkInFlight(ExecContext &context, const Instruction &in, LaneMask mask);

/// Registers of a wgmma instruction.
std::span<const uint32_t> resultRegisters(const Instruction &in);
std::span<const uint32_t> sourceRegisters(const Instruction &in);

/// Checks a wgmma against those before it and marks its registers.
bool issueInFlight(ExecContext &context, const Instruction &in);
/// Unmarks the registers of all wgmmas of `warp` before serial number `end`.
void retireInFlight(Cta &cta, Warp &warp, uint64_t end);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_INFLIGHT_H
