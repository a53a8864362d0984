//===- AtomicOps.h - Read-modify-write arithmetic ----------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of `atom` and `red`. It is shared because
// `cp.reduce.async.bulk` updates memory by the same operations, at the moment
// in which it lands.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_ATOMICOPS_H
#define HEDDLE_LIB_EMULATOR_ATOMICOPS_H

#include "Decoder.h"

namespace heddle::emulator {

/// Takes `.add`, `.min` and so on.
bool takeOperation(Decoder &decoder, uint32_t &operation);

/// What memory holds after `operation`; also what bulk reductions do.
uint64_t combineAtomically(uint32_t operation, Type type, uint64_t old,
                           uint64_t value);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_ATOMICOPS_H
