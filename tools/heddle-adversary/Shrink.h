//===- Shrink.h - A smaller kernel with the same conflict -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel with a finding goes in; a shorter one with the same kind of finding
// comes out. Edits work on lines of text and each candidate is judged in a
// process of its own, so that a kernel that crashes the verifier or the checker
// shrinks like any other.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_SHRINK_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_SHRINK_H

#include "Campaign.h"

namespace heddle::adversary {

/// Leaves out lines and blocks, and puts constants in the place of numbers, as
/// long as the outcome stays of the same kind.
std::string shrink(const std::string &text, const JudgeOptions &options,
                   int seconds);

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_SHRINK_H
