//===- StandardStreams.h - The streams of a tool's process -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_STANDARDSTREAMS_H
#define HEDDLE_SUPPORT_STANDARDSTREAMS_H

namespace heddle {

/// To be called first in `main`. A standard stream that is closed keeps its
/// number, so that no file gets it and what goes to the stream into the file.
/// Where standard output could not be written, the process ends with a
/// sentence, headed by `tool`, and 3; an error of standard error, of which
/// nobody can be told, changes nothing.
void takeStandardStreams(const char *tool);

/// To be called behind InitLLVM, which has a handler for it: a write beyond a
/// limit on the size of files is an error of that write.
void outliveFileLimit();

} // namespace heddle

#endif // HEDDLE_SUPPORT_STANDARDSTREAMS_H
