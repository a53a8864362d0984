//===- WriteText.h - Writes a file ------------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path and a text go in; an exit code comes out, and a failure is printed
// with its id. All commands write their texts here, so that `-` is standard
// output for each of them and none of them ignores a full disk.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_WRITETEXT_H
#define HEDDLE_TOOLS_HEDDLE_WRITETEXT_H

#include "llvm/ADT/StringRef.h"

namespace heddle::tool {

/// Writes `text` to `path`, or to standard output if that is "-". An exit code;
/// what went wrong is printed.
int writeText(llvm::StringRef path, llvm::StringRef text);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_WRITETEXT_H
