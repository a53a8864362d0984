//===- StampLimits.h - How many stamps a kernel may have ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier holds hopper.stamp to these, and Conversion/Stamps.h says how
// stamps are laid out.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_STAMPLIMITS_H
#define HEDDLE_DIALECT_HOPPER_STAMPLIMITS_H

#include <cstdint>

namespace heddle {

/// Places that a process has for the stamps of a launch.
inline constexpr int64_t kStampsPerProcess = 4096;
/// A kernel has fewer stamps than this.
inline constexpr int64_t kStampNumbers = 1024;

} // namespace heddle

#endif // HEDDLE_DIALECT_HOPPER_STAMPLIMITS_H
