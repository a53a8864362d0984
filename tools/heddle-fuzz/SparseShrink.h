//===- SparseShrink.h - A smaller sparse program that fails so --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of statements with its commands and its outcome go in; a smaller
// one with the same outcome comes out. Each candidate is a run of its commands.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_SPARSESHRINK_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_SPARSESHRINK_H

#include "Check.h"

namespace heddle::fuzz {

/// Keeps one command, makes results of statements operands, removes terms,
/// factors, functions, masks, results and options, and halves extents, as long
/// as the outcome has the verdict of `failure` and the id of its message.
Program shrinkSparse(const Program &program, const Outcome &failure,
                     const std::string &heddle, int seconds);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_SPARSESHRINK_H
