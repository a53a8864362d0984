//===- CheckCertificate.h - heddle check --certificate ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
