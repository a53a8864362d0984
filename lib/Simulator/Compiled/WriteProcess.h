//===- WriteProcess.h - A process becomes a function ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a process on a unit that computes with scalars, reads and writes single
// elements of views, and waits on rings only. Out: a function of its frame
// (Words.h) in func, scf, arith, math and llvm operations, which keeps the
// process's clock by the rules of Local.cpp. It calls kBegin behind what every
// call has to read, kWait with the number of the place where it would have to
// wait, and kFail where the protocol is broken; MakeResumable.h makes places to
// go on at and returns of them. Whatever else a process does is declined, and
// the interpreter runs it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_COMPILED_WRITEPROCESS_H
#define HEDDLE_LIB_SIMULATOR_COMPILED_WRITEPROCESS_H

#include "heddle/Dialect/Aref/Aref.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle::simulator {

inline constexpr llvm::StringLiteral kBegin = "heddle_begin",
                                     kWait = "heddle_wait",
                                     kFail = "heddle_fail";

/// What a process uses from outside, in the order of its frame's words.
struct ProcessInput {
  enum Kind {
    Ring,   ///< the address of its words
    Data,   ///< the address of a view's first element
    Extent, ///< how many elements a view has
    Scalar, ///< a number, or the bits of one
  } kind;
  mlir::Value value;
};

struct ProcessCode {
  std::vector<ProcessInput> inputs;
  /// What may wait or fail at a point. Points count from 1. A loop fails if its
  /// process has no steps left.
  std::vector<mlir::Operation *> points;
};

/// The consumer's number, in the order of the simulator's rings.
using ConsumerOf =
    llvm::function_ref<unsigned(mlir::Value ring, aref::ProcessOp process)>;
using ConsumerCount = llvm::function_ref<unsigned(mlir::Value ring)>;

/// Puts @`name` into `module`. Failure, with the reason in `declined` and
/// nothing in the module, where the process does something else.
mlir::FailureOr<ProcessCode>
writeProcess(aref::ProcessOp process, mlir::ModuleOp module,
             llvm::StringRef name, ConsumerOf consumerOf,
             ConsumerCount consumerCount, std::string &declined);

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_COMPILED_WRITEPROCESS_H
