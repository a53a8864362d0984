//===- Guard.h - A crash of the compiler is an outcome ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_COMPILER_LIB_GUARD_H
#define HEDDLE_COMPILER_LIB_GUARD_H

#include "Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle::compiler {

/// Calls `work`, on a thread with a deep stack. An assertion, a fatal error of
/// LLVM's, a fault or an exception in it becomes HEDDLE_INTERNAL with a
/// message; what `work` held is lost then, and the process lives.
heddle_outcome guard(heddle_result &result,
                     llvm::function_ref<heddle_outcome()> work);

} // namespace heddle::compiler

#endif // HEDDLE_COMPILER_LIB_GUARD_H
