//===- GivenRung.h - A hopper rung that nobody here has made ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PIPELINE_GIVENRUNG_H
#define HEDDLE_LIB_PIPELINE_GIVENRUNG_H

#include "mlir/IR/BuiltinOps.h"

namespace heddle::pipeline {

/// Refuses kernels of which the checker knows that they go wrong. What it
/// leaves open is nobody's fault yet.
mlir::LogicalResult refuseFaulty(mlir::ModuleOp module);

} // namespace heddle::pipeline

#endif // HEDDLE_LIB_PIPELINE_GIVENRUNG_H
