//===- Program.h - Kinds of messages: programs, settings and files -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the messages that belong to no rung: files, settings, options,
// choices of tiles, and bugs in heddle itself. Tools and passes alike emit
// them, so a new kind in Program.def rebuilds more than one in any other list.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_DIAGNOSTICS_PROGRAM_H
#define HEDDLE_SUPPORT_DIAGNOSTICS_PROGRAM_H

#include "heddle/Support/Diagnostic.h"

namespace heddle::diag {
#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice)                      \
  extern const Kind name;
#include "heddle/Support/Diagnostics/Program.def"
#undef HEDDLE_DIAGNOSTIC
} // namespace heddle::diag

#endif // HEDDLE_SUPPORT_DIAGNOSTICS_PROGRAM_H
