//===- Entry.h - What every function of the interface goes through --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler is built without exceptions, but the standard library throws
// where memory runs out or a size is absurd, and callers are C. So each
// function of compiler.h is one call of `enter` or `enterOr`;
// scripts/check_structure.py refuses one that is not.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_COMPILER_LIB_ENTRY_H
#define HEDDLE_COMPILER_LIB_ENTRY_H

#include "Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle::compiler {

/// Calls `body`; false if an exception ended it. What `body` held in frames
/// that are built without exceptions is lost then.
bool runCatching(llvm::function_ref<void()> body) noexcept;

/// Makes the result of a call and fills it by `work`, behind the guard
/// (Guard.h).
heddle_outcome
enter(heddle_result **result,
      llvm::function_ref<heddle_outcome(heddle_result &)> work) noexcept;

/// The result of `body`, `otherwise` after an exception.
template <class Result, class Body>
Result enterOr(Result otherwise, Body body) noexcept {
  Result result = otherwise;
  return runCatching([&] { result = body(); }) ? result : otherwise;
}

/// No text is longer: a size above is a mistake.
constexpr size_t kMostTextBytes = size_t(1) << 30;

} // namespace heddle::compiler

#endif // HEDDLE_COMPILER_LIB_ENTRY_H
