//===- FitShared.h - Schedules again where shared memory overflowed -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile program and a way to lower it with some shared memory kept from
// its rings. Out: the program lowered, with as many slots as leave room for
// what only the lowest rung knows: tiles that threads exchange, and the gaps
// between buffers. It stands here because no rung may look at the one below it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PIPELINE_FITSHARED_H
#define HEDDLE_LIB_PIPELINE_FITSHARED_H

#include "Attempt.h"

#include "heddle/Machine/Limits.h"

namespace heddle::pipeline {

/// Lowers the module in place, `kept` bytes of shared memory not given to
/// rings.
using Lower = std::function<mlir::LogicalResult(mlir::ModuleOp, int64_t kept)>;

/// `lower`, again with more kept while shared memory overflows, up to
/// `mostSchedules` times.
/// `probe` takes a copy of the result as far as the overflow shows; its
/// messages are dropped. Null where `lower` goes that far itself. Messages are
/// those of the attempt that is taken, and a remark says that there were
/// several; if none fits, those of the first.
mlir::LogicalResult lowerToFit(mlir::ModuleOp module,
                               const machine::Limits &limits, int mostSchedules,
                               const Lower &lower, const Probe &probe);

} // namespace heddle::pipeline

#endif // HEDDLE_LIB_PIPELINE_FITSHARED_H
