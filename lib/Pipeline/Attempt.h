//===- Attempt.h - One way down, and what was said on it --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program and a way to lower it. Out: whether that worked, and its
// messages, which are said only if the attempt counts. It stands here because
// several parts of the pipeline try a program in more than one way.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PIPELINE_ATTEMPT_H
#define HEDDLE_LIB_PIPELINE_ATTEMPT_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace heddle::pipeline {

/// Lowers a copy further than the result goes, to see whether it can be.
using Probe = std::function<mlir::LogicalResult(mlir::ModuleOp)>;

struct Attempt {
  bool isLowered = false; ///< as far as was asked
  bool isProbed = false;  ///< and a copy as far as the probe goes
  int64_t overflow = 0;   ///< bytes of shared memory
  std::vector<mlir::Diagnostic> messages, probed;

  bool succeeded() const { return isLowered && isProbed; }
  /// Of what failed; null if nothing did.
  const mlir::Diagnostic *error() const;
  /// Those of the way down; the probe's are the next step's own.
  void say(mlir::DiagnosticEngine &engine);
};

/// `lower` on `module`, then `probe`, if there is one, on a copy.
Attempt attempt(mlir::ModuleOp module, const Probe &lower, const Probe &probe);

/// `module` becomes what `other` is.
void become(mlir::ModuleOp module, mlir::ModuleOp other);

} // namespace heddle::pipeline

#endif // HEDDLE_LIB_PIPELINE_ATTEMPT_H
