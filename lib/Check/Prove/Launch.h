//===- Launch.h - What holds or fails before the first step -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the declarations of a protocol. Out: the first fault that they show on
// their own. The exploration comes after this check and takes for granted that
// warps belong to one process and that barriers lie apart.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_LAUNCH_H
#define HEDDLE_LIB_CHECK_LAUNCH_H

#include "heddle/Check/Prove.h"

namespace heddle::check {

/// Warps, register budgets, and where barriers and slots lie.
std::optional<Fault> checkLaunch(const Protocol &protocol);

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_LAUNCH_H
