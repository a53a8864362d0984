//===- Shrink.h - A smaller program that fails the same way -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program and its outcome go in; a smaller program with the same verdict
// comes out. An edited module that does not verify is dropped without a run,
// and each run is in a process of its own, because the failure may be a crash.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_SHRINK_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_SHRINK_H

#include "Check.h"

namespace heddle::fuzz {

/// Removes statements and arguments, replaces results by operands or zero, and
/// halves extents of views as long as the outcome has the verdict of `failure`
/// and, of a declined program, its reason.
Program shrink(const Program &program, const Outcome &failure,
               const CheckOptions &options, int seconds);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_SHRINK_H
