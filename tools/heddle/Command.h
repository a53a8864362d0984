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

#include "heddle/Support/Diagnostic.h"

#include "heddle/Support/CommandLine.h"

namespace heddle::tool {

/// What every tool of heddle ends with; other codes follow from the message,
/// see diag::exitCode.
inline constexpr int kFine = 0;

struct Command {
  llvm::cl::SubCommand &name;
  int (*run)();
};

Command getCompileCommand();
Command getRunCommand();
Command getExplainCommand();
Command getEmulateCommand();
Command getCheckCommand();
Command getSimulateCommand();
Command getPredictCommand();
Command getSolveCommand();
Command getTuneCommand();

/// Prints `heddle: error: MESSAGE [ID]` and returns the kind's exit code.
int fail(const diag::Kind &kind, const llvm::Twine &message);
/// The same for an error that diag::makeError made.
int fail(llvm::Error error);
/// Prints `heddle: remark: MESSAGE [ID]`.
void remark(const diag::Kind &kind, const llvm::Twine &message);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_COMMAND_H
