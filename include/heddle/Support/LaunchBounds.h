//===- LaunchBounds.h - What every launch keeps to --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch that does not is refused (Manifest/LaunchPlan), so that compiled
// numbers can rely on it (Analysis/Numbers).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_LAUNCHBOUNDS_H
#define HEDDLE_SUPPORT_LAUNCHBOUNDS_H

#include <cstdint>

namespace heddle {

inline constexpr int64_t kMaxExtent = (int64_t(1) << 31) - 1;  ///< of an axis
inline constexpr int64_t kMostBlocks = (int64_t(1) << 31) - 1; ///< along x
inline constexpr int64_t kMostMultiprocessors = 4096;

} // namespace heddle

#endif // HEDDLE_SUPPORT_LAUNCHBOUNDS_H
