//===- LaunchRegisters.cpp - What a launch gives each thread --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/LaunchRegisters.h"

#include "heddle/Dialect/Hopper/TargetLimits.h"

using namespace heddle;

int64_t hopper::launchedRegisters(KernelOp kernel) {
  int64_t blocks = 1;
  for (auto grid : kernel.getOps<GridOp>())
    blocks = std::max<int64_t>(1, grid.getBlocks());
  return machine::launchRegisters(machine::shareOf(targetLimits(), blocks),
                                  kernel.getThreads());
}
