//===- CutStaging.h - Decide: smaller buffers where few are left -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a plan in which some processes have no room for staging what they store.
// Out: the same with stores in chunks of fewer rows. Without it, replicas that
// find room for one buffer of two would both store by threads.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_CUTSTAGING_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_CUTSTAGING_H

#include "KernelFacts.h"
#include "KernelPlan.h"

namespace heddle::areftohopper {

/// Halves the largest chunks of each process that `shared` gives no buffer.
/// False if there are none that can be cut.
bool cutUnstaged(const KernelFacts &facts, const SharedRequest &request,
                 const SharedPlan &shared, KernelPlan &plan);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_CUTSTAGING_H
