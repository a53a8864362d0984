//===- Command.h - What a subcommand of heddle is ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each command lies in a file of its own, with its options.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_COMMAND_H
#define HEDDLE_TOOLS_HEDDLE_COMMAND_H

#include "llvm/Support/CommandLine.h"

namespace heddle::tool {

/// What every tool of heddle ends with.
enum ExitCode {
  kFine = 0,
  kWrong = 1,    ///< it ran, and the result is wrong
  kDeclined = 2, ///< not proved, or declined where that is not allowed
  kBadInput = 3, ///< the input or the command line is at fault
};

struct Command {
  llvm::cl::SubCommand &name;
  int (*run)();
};

Command getCompileCommand();
Command getRunCommand();
Command getExplainCommand();
Command getSimulateCommand();

/// Prints `heddle: error: MESSAGE` and returns kBadInput.
int reportBadInput(const llvm::Twine &message);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_COMMAND_H
