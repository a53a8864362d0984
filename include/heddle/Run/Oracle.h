//===- Oracle.h - What a tile program means ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program on the tile or sched rung and host arguments go in; the interpreter
// computes in the arguments' memory. GPU, emulator and simulator are compared
// with this execution, and all take the same ArgumentData, so that a difference
// comes from the execution and not from the inputs.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUN_ORACLE_H
#define HEDDLE_RUN_ORACLE_H

#include "heddle/Run/ArgumentData.h"

#include "heddle/Interp/Interp.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle::tool {

/// The arguments of `kernel` as the interpreter and the simulator take them;
/// they refer to the memory of `arguments`.
llvm::SmallVector<interp::Argument>
toInterpreter(tile::KernelOp kernel,
              llvm::MutableArrayRef<ArgumentData> arguments);

/// Operations after which a program counts as one that does not end.
inline constexpr int64_t kMostOracleSteps = 500'000'000;

/// Interprets kernel `name` of `module` (tile or sched rung) on the arguments,
/// in place. Failures are diagnostics.
mlir::LogicalResult runOracle(mlir::ModuleOp module, llvm::StringRef name,
                              llvm::MutableArrayRef<ArgumentData> arguments,
                              int64_t maxSteps = kMostOracleSteps);

} // namespace heddle::tool

#endif // HEDDLE_RUN_ORACLE_H
