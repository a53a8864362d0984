//===- Guard.h - A crash of the compiler is an outcome ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work goes in, and an outcome comes out even where the work aborts. The
// library runs inside its caller's process, a Python session for example, and
// an assertion or a fatal error of LLVM would end that process with the
// caller's data.
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
