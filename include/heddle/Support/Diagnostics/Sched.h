//===- Sched.h - Kinds of messages: schedules -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the messages about schedules: why a loop is not pipelined, why there
// is no schedule, and what is wrong with a plan. A plan may come from a file
// that somebody edited, so Sched.def has a kind for each rule that a table can
// break.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_DIAGNOSTICS_SCHED_H
#define HEDDLE_SUPPORT_DIAGNOSTICS_SCHED_H

#include "heddle/Support/Diagnostic.h"

namespace heddle::diag {
#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice)                      \
  extern const Kind name;
#include "heddle/Support/Diagnostics/Sched.def"
#undef HEDDLE_DIAGNOSTIC
} // namespace heddle::diag

#endif // HEDDLE_SUPPORT_DIAGNOSTICS_SCHED_H
