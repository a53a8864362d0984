//===- DebugWaits.h - Kernels whose waits give up ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A missing arrival makes a kernel hang, and a hung GPU says nothing. The
// attribute on a module asks the expansion to threads for waits that trap and
// leave a record. The tool and the C interface set it, signature and emitter of
// a kernel read it; here is the one place for its name and the time limit.
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
