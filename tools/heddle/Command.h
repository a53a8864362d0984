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

#include "heddle/Pipeline/Rung.h"
#include "heddle/Support/CommandLine.h"
#include "heddle/Support/Diagnostic.h"

#include <functional>
#include <initializer_list>

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
/// Options of one command, of one sort.
using Options =
    std::initializer_list<std::reference_wrapper<const llvm::cl::Option>>;
/// "--NAME" of the first that stands on the command line, "" if none does.
std::string firstGiven(Options options);
/// `kFine`, or a failure where one of `options` was given, which are about
/// programs on other rungs: einsums, or those below.
int refuseGiven(Options options, llvm::StringRef path, pipeline::Rung rung);
/// Prints `heddle: remark: MESSAGE [ID]`.
void remark(const diag::Kind &kind, const llvm::Twine &message);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_COMMAND_H
