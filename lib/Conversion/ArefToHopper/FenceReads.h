//===- FenceReads.h - Slots that threads give back to TMA ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel as it is emitted. Out: hopper.fence_async in front of each
// arrival that gives a slot back to TMA after threads have read it. An arrival
// orders their reads before what other threads do. TMA writes through the async
// proxy, and without the fence ptxas lets a load be under way when its thread
// arrives: seen on a chip where wgmma kept shared memory busy for so long that
// the slot was filled again before.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_FENCEREADS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_FENCEREADS_H

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::areftohopper {

void fenceReads(hopper::KernelOp kernel);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_FENCEREADS_H
