//===- SampleMachine.h - A machine to make problems for ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round numbers for problems that tests make by hand: no chip, so that no cost
// that is measured again changes what they expect.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_SCHEDULE_SAMPLEMACHINE_H
#define HEDDLE_UNITTESTS_SCHEDULE_SAMPLEMACHINE_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

inline Machine sampleMachine() {
  Machine machine;
  machine.registersPerLane = 512;
  machine.maxRegisters = 240;
  machine.overheadRegisters = 32;
  machine.loaderRegisters = 40;
  machine.handOverCycles = 96;
  machine.ringDepth = 8;
  return machine;
}

} // namespace heddle::schedule

#endif // HEDDLE_UNITTESTS_SCHEDULE_SAMPLEMACHINE_H
