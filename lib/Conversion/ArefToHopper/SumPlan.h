//===- SumPlan.h - Decide: which sums threads carry in parts -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a process and the layouts of its tiles. Out: the sums of which no
// iteration reads the total, with the type in which threads carry their own
// parts. To join the parts takes shuffles or a round trip through shared
// memory, so it is done once behind the loop and not in each iteration.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_SUMPLAN_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_SUMPLAN_H

#include "AssignLayouts.h"

namespace heddle::areftohopper {

/// A sum of which each thread carries what it has added up itself.
struct SumInParts {
  tile::ReduceOp reduction;     // one of those that it adds
  mlir::RankedTensorType parts; // the axis of the reduction, as positions
};

class SumPlan {
public:
  SumPlan() = default;
  SumPlan(mlir::Operation *process, const LayoutMap &layouts);

  /// The sum that `value` is, if it is in parts.
  const SumInParts *find(mlir::Value value) const;
  /// Some op reads the total of `value`, which is in parts.
  bool isRead(mlir::Value value) const { return read.contains(value); }

private:
  llvm::SmallVector<SumInParts> sums;
  llvm::DenseMap<mlir::Value, unsigned> sumOf;
  llvm::DenseSet<mlir::Value> read;
};

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_SUMPLAN_H
