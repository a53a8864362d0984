//===- Check.h - Kinds of messages: checking -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the messages of `heddle check` and of certificates. A proof that
// fails and a proof that was not found are different kinds, with different exit
// codes: Check.def keeps objection and ignorance apart.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_DIAGNOSTICS_CHECK_H
#define HEDDLE_SUPPORT_DIAGNOSTICS_CHECK_H

#include "heddle/Support/Diagnostic.h"

namespace heddle::diag {
#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice)                      \
  extern const Kind name;
#include "heddle/Support/Diagnostics/Check.def"
#undef HEDDLE_DIAGNOSTIC
} // namespace heddle::diag

#endif // HEDDLE_SUPPORT_DIAGNOSTICS_CHECK_H
