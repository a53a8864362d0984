//===- Ttir.h - Kinds of messages: Triton's programs -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the messages about Triton's programs. Only the reader of their text
// emits them. They decline and do not blame: the program is right for Triton,
// which then compiles it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_DIAGNOSTICS_TTIR_H
#define HEDDLE_SUPPORT_DIAGNOSTICS_TTIR_H

#include "heddle/Support/Diagnostic.h"

namespace heddle::diag {
#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice)                      \
  extern const Kind name;
#include "heddle/Support/Diagnostics/Ttir.def"
#undef HEDDLE_DIAGNOSTIC
} // namespace heddle::diag

#endif // HEDDLE_SUPPORT_DIAGNOSTICS_TTIR_H
