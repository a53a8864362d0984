//===- TunePoint.h - What compiling a point gave -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points are compiled in silence: what a pass refuses makes its point invalid,
// with the diagnostic's id for the reason.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TUNEPOINT_H
#define HEDDLE_TOOLS_HEDDLE_TUNEPOINT_H

#include "heddle/Tuner/Outcome.h"

#include "mlir/IR/Diagnostics.h"

namespace heddle::tool {

/// Keeps the first error of the compiler, which is the point's and not the
/// user's.
class ErrorKeeper {
public:
  explicit ErrorKeeper(mlir::MLIRContext *context);
  std::string first;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// The id that a message ends with.
std::string idOf(llvm::StringRef message);

tuner::Outcome invalidPoint(std::string reason);
tuner::Outcome validPoint(double value);

/// 16 digits that depend on a text.
std::string digest(llvm::StringRef text);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_TUNEPOINT_H
