//===- DebugWaits.h - Kernels whose waits give up ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_DEBUGWAITS_H
#define HEDDLE_CONVERSION_DEBUGWAITS_H

#include "llvm/ADT/StringRef.h"

namespace heddle {

/// A module with this unit attribute is compiled so that every wait on an
/// mbarrier traps after kDebugWaitNanoseconds; manifest/TrapRecord.h says what
/// it leaves behind.
inline constexpr llvm::StringLiteral kDebugWaitsAttribute =
    "heddle.debug_waits";
inline constexpr long long kDebugWaitNanoseconds = 2'000'000'000;

} // namespace heddle

#endif // HEDDLE_CONVERSION_DEBUGWAITS_H
