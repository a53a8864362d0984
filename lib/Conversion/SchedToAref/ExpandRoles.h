//===- ExpandRoles.h - A plan by roles to processes and rings ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expander's second way, for plans whose processes are on units. Where a
// timetable says when each operation starts, roles say who executes it, and
// loops whose bounds only one process knows become loops of all that take part.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_EXPANDROLES_H
#define HEDDLE_LIB_SCHEDTOAREF_EXPANDROLES_H

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"

namespace heddle::expander {

/// Rewrites the kernel in place and erases the plan.
llvm::LogicalResult expandByRoles(tile::KernelOp kernel, sched::PlanOp plan);

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_EXPANDROLES_H
