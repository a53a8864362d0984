//===- Limits.h - What a machine's blocks and threads may use -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machine numbers are data (machines/*.json, each with its source); these are
// those that decide whether a kernel is legal.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_LIMITS_H
#define HEDDLE_MACHINE_LIMITS_H

#include <cstdint>
#include <string>

namespace heddle::machine {

struct Limits {
  int64_t multiprocessors = 0;
  int64_t sharedBytesPerBlock = 0; ///< dynamic, with the opt-in attribute
  int64_t registersPerMultiprocessor = 0;
  int64_t registersPerThread = 0;
  int64_t threadsPerMultiprocessor = 0;
  int64_t blocksPerMultiprocessor = 0;
  int64_t sharedBytesPerMultiprocessor = 0;
  int64_t reservedSharedBytes = 0; ///< of each block, by the system
  int64_t sharedBytesUnit = 0; ///< what a block asks for is rounded up to it
  int64_t threadsPerBlock = 0;
  int64_t threadsPerGroup = 0; ///< of a process that computes
  int64_t namedBarriers = 0;   ///< barrier 0 included
  int64_t wgmmaColumns = 0;    ///< largest n of m64nNk16
  /// Beside the sums of a product, of what the launch gives each thread.
  int64_t productRegisters = 0;
  int64_t productColumnStep = 0; ///< columns of a product come in these
  int64_t integerColumnStep = 0; ///< the same of integers, beyond
  int64_t integerColumns = 0;    ///< so many
  int64_t productRowBytes = 0;   ///< operands' rows in shared memory, in these
  int64_t accessBytes = 0;       ///< that a thread reads or writes at once
  int64_t tmaBoxExtent = 0;      ///< largest extent of a box along an axis

  bool operator==(const Limits &) const = default;
};

/// The limits of a target's code: those of the first of its machines that are
/// part of the binary. For rungs that are one target's and verifiers of its
/// code, which have no machine to ask; all machines of a target have the same,
/// but for the number of multiprocessors. It is an error of the program to ask
/// for a target that has none.
const Limits &limitsOf(const std::string &target);

/// What each of `blocks` thread blocks has that share a multiprocessor.
Limits shareOf(const Limits &limits, int64_t blocks);

/// Registers a thread owns at launch, before setmaxnreg.
int64_t launchRegisters(const Limits &limits, int64_t threads);

/// Reads the "limits" of a machine description. On failure returns false and
/// puts one sentence in `error`.
bool readLimits(const std::string &json, Limits &limits, std::string &error);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_LIMITS_H
