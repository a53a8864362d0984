//===- General.h - A variant that assumes nothing ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Triton program is raised by facts that its text does not state and that a
// launch checks: a stride is not negative, the grid has no more programs than
// there are tiles. Where one does not hold, a variant of the same kernel that
// was raised without them takes the launch.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_GENERAL_H
#define HEDDLE_PIPELINE_GENERAL_H

#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Source.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle::pipeline {

/// What was assumed of launches when `module` was raised from TTIR, a sentence
/// each; on the tile and the sched rung.
std::vector<std::string> assumptionsOf(mlir::ModuleOp module);

/// Lowers `module`, which was made of `source` with `options`, in place to nvvm
/// and adds the variants that assume nothing, last. Where the program does not
/// compile without assumptions, a remark says why, and launches that break one
/// stay refused. Nothing happens to programs that assume nothing.
mlir::LogicalResult addGeneral(mlir::ModuleOp module, const Source &source,
                               const LowerOptions &options);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_GENERAL_H
