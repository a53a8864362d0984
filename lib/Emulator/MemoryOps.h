//===- MemoryOps.h - Modifiers that memory instructions share ----*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, stores, atomics, copies and mbarriers take the same modifiers of
// space, order, scope and cache. One reader of them keeps the families from
// differing in the spellings that they accept.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_MEMORYOPS_H
#define HEDDLE_LIB_EMULATOR_MEMORYOPS_H

#include "Decoder.h"
#include "ExecContext.h"

namespace heddle::emulator {

/// Takes space, order, scope and cache modifiers. True when a cache policy
/// follows the operands.
bool takeMemoryModifiers(Decoder &decoder, Space &space);

/// Takes `.v2`, `.v4` or `.v8`; 1 without.
int takeVectorLength(Decoder &decoder);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_MEMORYOPS_H
