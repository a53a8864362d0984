//===- Task.h - Kinds of messages: tasks and mappings -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the messages about programs of tasks and their mappings. The reader
// of their text emits them; what a schedule makes of a pinned line is said by
// the kinds of the sched rung.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_DIAGNOSTICS_TASK_H
#define HEDDLE_SUPPORT_DIAGNOSTICS_TASK_H

#include "heddle/Support/Diagnostic.h"

namespace heddle::diag {
#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice)                      \
  extern const Kind name;
#include "heddle/Support/Diagnostics/Task.def"
#undef HEDDLE_DIAGNOSTIC
} // namespace heddle::diag

#endif // HEDDLE_SUPPORT_DIAGNOSTICS_TASK_H
