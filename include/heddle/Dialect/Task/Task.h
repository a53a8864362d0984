//===- Task.h - Tasks and their mapping -------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect's classes as generated from TaskOps.td, and the two lists of
// words that a mapping uses. docs/rationale/task.md has the semantics.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TASK_TASK_H
#define HEDDLE_DIALECT_TASK_TASK_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "heddle/Dialect/Task/TaskDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Task/TaskTypes.h.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Task/TaskOps.h.inc"

namespace heddle::task {

/// From the outermost in; a child runs on its parent's level or a later one.
enum class Level { Host, Block, Warpgroup, Warp, Thread };
/// Where an argument lives.
enum class Memory { Global, Shared, Register, None };

std::optional<Level> findLevel(llvm::StringRef word);
std::optional<Memory> findMemory(llvm::StringRef word);
llvm::StringRef spelling(Level level);
llvm::StringRef spelling(Memory memory);

/// The tensor that `tensor` is a piece of, through all partitions: an argument
/// of the variant or what a task.make made.
mlir::Value rootOf(mlir::Value tensor);

/// Privileges beside 1, reads, and 2, writes: each alone.
inline constexpr int64_t kReducesAdd = 4, kReducesMin = 8, kReducesMax = 16,
                         kReduces = kReducesAdd | kReducesMin | kReducesMax;

/// "reads", "writes", "reads writes", or "reduces(add)" and the like.
llvm::StringRef spellPrivileges(int64_t privileges);

/// Asks `check`, a function of the operation that gives a LogicalResult, of
/// each operation of a kind in `root`, up to the first that fails.
template <typename OpKind, typename Check>
mlir::LogicalResult checkEach(mlir::Operation *root, Check check) {
  return mlir::failure(root->walk([&](OpKind op) {
                             mlir::LogicalResult result = check(op);
                             return mlir::WalkResult(result);
                           })
                           .wasInterrupted());
}

} // namespace heddle::task

#endif // HEDDLE_DIALECT_TASK_TASK_H
