//===- Estimate.h - How long a kernel takes in the model --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, the schedules of its loops and the sizes of a launch. Out: its
// time in the model, as a number now or as an expression that a launch
// evaluates. One class computes both: if the ranking of tiles and the choice at
// launch disagreed, a kernel would carry tiles that it never takes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_ESTIMATE_H
#define HEDDLE_LIB_TILECHOICE_ESTIMATE_H

#include "Execution.h"

#include "heddle/Manifest/Manifest.h"
#include "heddle/TileChoice/TileChoice.h"
#include "heddle/Transforms/KernelWork.h"
#include "heddle/Transforms/ReadPlan.h"

#include <optional>

namespace heddle::tilechoice {

/// Of a kernel whose loops have the schedules `planned`, or bounds where these
/// are missing, and whose plan was executed where there is an `execution`.
/// `blocks` of its thread blocks share a multiprocessor.
Estimate estimate(tile::KernelOp kernel, const LoopWork &work,
                  const std::vector<PlannedLoop> &planned,
                  const std::optional<Execution> &execution, int64_t blocks,
                  const machine::Costs &costs, const Extents &extents);

/// Have all instances as many iterations, whatever the sizes of a launch?
bool areInstancesAlike(const LoopWork &work);

/// The total of the same, in cycles, as a launch computes it of its arguments.
/// Nothing where it hangs on more than these, as on what memory holds. Of
/// instances that differ, as rows of a triangle do, a few stand for all.
std::optional<manifest::Expr>
estimateOfLaunch(tile::KernelOp kernel, const LoopWork &work,
                 const std::vector<PlannedLoop> &planned,
                 const std::optional<Execution> &execution, int64_t blocks,
                 const machine::Costs &costs);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_ESTIMATE_H
