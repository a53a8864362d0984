//===- LaunchRegisters.h - What a launch gives each thread --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel. Out: how many registers its threads begin with. The verifier
// compares them with the needs of setmaxnreg and of products; the lowering
// leaves setmaxnreg out where the launch gives enough.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_LAUNCHREGISTERS_H
#define HEDDLE_DIALECT_HOPPER_LAUNCHREGISTERS_H

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::hopper {

/// Registers that each thread of `kernel` has when it starts, before
/// setmaxnreg; fewer where several blocks share a multiprocessor.
int64_t launchedRegisters(KernelOp kernel);

} // namespace heddle::hopper

#endif // HEDDLE_DIALECT_HOPPER_LAUNCHREGISTERS_H
