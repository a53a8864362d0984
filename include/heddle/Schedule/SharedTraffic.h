//===- SharedTraffic.h - What passes shared memory's ports ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem. Out: bytes. Copies fill slots and products read them through
// the same ports of shared memory, which no unit of a problem stands for: a
// schedule does not reserve them. Who predicts times asks here how much there
// is to move.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_SHAREDTRAFFIC_H
#define HEDDLE_SCHEDULE_SHAREDTRAFFIC_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// Of an iteration: what asynchronous units put into slots, and what such units
/// read there, once for each reader. Threads' accesses are instructions.
int64_t sharedTraffic(const Problem &problem);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_SHAREDTRAFFIC_H
