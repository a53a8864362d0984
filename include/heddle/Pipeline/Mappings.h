//===- Mappings.h - Mappings apart from their programs ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop between a person and the solver: a plan that was found becomes a
// mapping, in a file of its own, which somebody edits and the next compilation
// takes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_MAPPINGS_H
#define HEDDLE_PIPELINE_MAPPINGS_H

#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Source.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace heddle::pipeline {

/// The mappings of `mapping` take the place of those in `module`, a program as
/// it is written.
mlir::LogicalResult takeMapping(mlir::ModuleOp module, const Source &mapping);

/// Lowers `module`, on rung `from`, to sched and writes its plans as mappings.
/// `mapping` is the text that holds its mapping, if it has one, and `program`
/// that of its tasks.
mlir::FailureOr<std::string> writeMappings(mlir::ModuleOp module, Rung from,
                                           const LowerOptions &options,
                                           const Source &mapping,
                                           const Source &program);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_MAPPINGS_H
