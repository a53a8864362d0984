//===- Hopper.h - Kinds of messages: the machine -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the messages about the hopper rung and its way to threads: the rules
// of the verifiers, and what no instruction of the machine does. A hopper
// kernel may be written by hand, so most kinds of Hopper.def blame the input.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_DIAGNOSTICS_HOPPER_H
#define HEDDLE_SUPPORT_DIAGNOSTICS_HOPPER_H

#include "heddle/Support/Diagnostic.h"

namespace heddle::diag {
#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice)                      \
  extern const Kind name;
#include "heddle/Support/Diagnostics/Hopper.def"
#undef HEDDLE_DIAGNOSTIC
} // namespace heddle::diag

#endif // HEDDLE_SUPPORT_DIAGNOSTICS_HOPPER_H
