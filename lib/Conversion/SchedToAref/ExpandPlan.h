//===- ExpandPlan.h - One kernel from a plan to processes -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sched-expand does to one kernel. sched-find-replicas does the same to a
// copy, to see what the plan's processes come to.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_EXPANDPLAN_H
#define HEDDLE_LIB_SCHEDTOAREF_EXPANDPLAN_H

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"

namespace heddle::expander {

/// The kernel as processes joined by rings; the plan, a timetable, is erased.
llvm::LogicalResult expandPlan(tile::KernelOp kernel, sched::PlanOp plan);

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_EXPANDPLAN_H
