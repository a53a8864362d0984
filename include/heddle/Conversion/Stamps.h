//===- Stamps.h - Kernels that note the clock -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instrumented kernel has one argument more, a view of i32. Its first
// element names the CTA that notes the clock, the others are the stamps of the
// kernel's processes, kStampsPerProcess each, in the order in which they were
// written: %clock * kStampNumbers + 1 + the number of the hopper.stamp, which
// the manifest explains. A process that has no place left goes on without.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_STAMPS_H
#define HEDDLE_CONVERSION_STAMPS_H

#include "heddle/Dialect/Hopper/StampLimits.h"

#include "llvm/ADT/StringRef.h"

namespace heddle {

/// A module with this attribute is compiled to kernels with stamps: in all
/// processes, or only in those of one thread, which have time to spare. The
/// second tells what the first costs.
inline constexpr llvm::StringLiteral kTraceAttribute = "heddle.trace";
inline constexpr llvm::StringLiteral kTraceAll = "all";
inline constexpr llvm::StringLiteral kTraceElected = "elected";
/// The argument that they have more.
inline constexpr llvm::StringLiteral kTraceArgument = "trace";

} // namespace heddle

#endif // HEDDLE_CONVERSION_STAMPS_H
