//===- CheckCertificate.h - heddle check --certificate ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A certificate's file goes in; a line for each loop and an exit code come out.
// The claims are derived again from the file alone, without the program and
// without the schedulers, so that a reader need not trust the compiler that
// wrote them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_CHECKCERTIFICATE_H
#define HEDDLE_TOOLS_HEDDLE_CHECKCERTIFICATE_H

#include "llvm/ADT/StringRef.h"

namespace heddle::tool {

/// Derives the claims of the certificate in `path` again and prints a line for
/// each loop; refutations are given to the SMT solver `solver`, if there is
/// one. Returns the exit code.
int checkCertificate(llvm::StringRef path, llvm::StringRef solver);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_CHECKCERTIFICATE_H
