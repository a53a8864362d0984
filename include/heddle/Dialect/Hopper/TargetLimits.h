//===- TargetLimits.h - What kernels of the hopper rung may use ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rung is one target's, and its text names no machine: verifiers, the
// checker and mutations ask here what all machines of the target have. Passes
// that know their machine ask that.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_TARGETLIMITS_H
#define HEDDLE_DIALECT_HOPPER_TARGETLIMITS_H

#include "heddle/Machine/Limits.h"

namespace heddle::hopper {

inline constexpr const char *kTarget = "sm_90a";

inline const machine::Limits &targetLimits() {
  return machine::limitsOf(kTarget);
}

} // namespace heddle::hopper

#endif // HEDDLE_DIALECT_HOPPER_TARGETLIMITS_H
