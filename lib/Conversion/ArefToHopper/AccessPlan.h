//===- AccessPlan.h - Decide: what threads access at once -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a variant's plan with layouts and stores. Out: how many elements each
// access of global memory by threads has, and the arguments that this counts
// on: rows of views, and what the addresses of gathers are made of.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_ACCESSPLAN_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_ACCESSPLAN_H

#include "KernelPlan.h"

namespace heddle::areftohopper {

/// Writes `vectors`, `neighbours`, `rowArgs` and `multipleArgs`.
void planAccesses(KernelPlan &plan, const KernelFacts &facts);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_ACCESSPLAN_H
