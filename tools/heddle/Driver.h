//===- Driver.h - The command line of heddle --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from main(), so that the fuzzer of command lines can call it many times
// in one process.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_DRIVER_H
#define HEDDLE_TOOLS_HEDDLE_DRIVER_H

namespace heddle::tool {

/// Parses argv, runs the command that it names, and returns the exit code.
int runCommandLine(int argc, const char *const *argv);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_DRIVER_H
