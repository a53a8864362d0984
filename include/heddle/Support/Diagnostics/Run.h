//===- Run.h - Kinds of messages: running -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the messages about executions: by the oracle, the simulator, the
// emulator or a GPU. They share their kinds in Run.def, because a fault of the
// program, such as an access outside of an argument, is the same fault wherever
// it is found.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_DIAGNOSTICS_RUN_H
#define HEDDLE_SUPPORT_DIAGNOSTICS_RUN_H

#include "heddle/Support/Diagnostic.h"

namespace heddle::diag {
#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice)                      \
  extern const Kind name;
#include "heddle/Support/Diagnostics/Run.def"
#undef HEDDLE_DIAGNOSTIC
} // namespace heddle::diag

#endif // HEDDLE_SUPPORT_DIAGNOSTICS_RUN_H
