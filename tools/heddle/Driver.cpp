//===- Driver.cpp - The command line of heddle ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Command.h"

#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static constexpr char kOverview[] =
    R"(heddle: compiles sequential tile programs to warp-specialised GPU kernels

  heddle compile FILE    lowers a program to PTX or to any rung on the way
  heddle run FILE        compiles, runs on the GPU or the emulator, and checks
  heddle explain FILE    prints the schedule as a table
  heddle explain --error ID   says what a message means and what to change
  heddle emulate FILE    runs PTX on the CPU, heddle's or another compiler's
  heddle check FILE      proves the barrier protocol, for every trip count
  heddle check --certificate=FILE   derives what a schedule claims again
  heddle simulate FILE   runs processes and rings on the CPU, and checks
  heddle solve FILE      asks the exact solver about a loop's schedules
  heddle predict FILE    says how long a launch takes by the machine's model
  heddle tune FILE       chooses among the settings of a program, or of a space

`heddle COMMAND --help` lists a command's options. Exit codes: 0 fine, 1 wrong
result, 2 declined, 3 bad input.
)";

int heddle::tool::fail(const diag::Kind &kind, const Twine &message) {
  return fail(diag::makeError(kind, message));
}

int heddle::tool::fail(Error error) {
  std::string message = toString(std::move(error));
  WithColor::error(errs(), "heddle") << message << "\n";
  const diag::Kind *kind = diag::kindOfMessage(message);
  assert(kind && "an error without an id");
  return diag::exitCode(kind->outcome);
}

std::string heddle::tool::firstGiven(Options options) {
  for (const cl::Option &option : options)
    if (option.getNumOccurrences())
      return "--" + option.ArgStr.str();
  return "";
}

int heddle::tool::refuseGiven(Options options, StringRef path,
                              pipeline::Rung rung) {
  std::string given = firstGiven(options);
  if (given.empty())
    return kFine;
  StringRef kind = rung == pipeline::Rung::Einsum
                       ? "programs on the tile rung or below"
                       : "einsum programs";
  return fail(diag::usage, given + " is for " + kind + ", and " + path +
                               " is on the " + spelling(rung) + " rung");
}

void heddle::tool::remark(const diag::Kind &kind, const Twine &message) {
  WithColor::remark(errs(), "heddle") << diag::withId(kind, message) << "\n";
}

/// LLVM's parser of options writes its own sentences; they get an id too.
static int parseOptions(int argc, const char *const *argv) {
  std::string complaint;
  if (parseCommandLine(argc, argv, kOverview, complaint))
    return kFine;
  if (!numberComplaint().empty())
    return fail(diag::number_option, complaint);
  if (complaint.empty()) // an option printed its sentence itself
    return fail(diag::usage, "see `heddle COMMAND --help`");
  errs() << diag::withId(diag::usage, StringRef(complaint).rtrim()) << "\n";
  return diag::exitCode(diag::usage.outcome);
}

static int runCommand() {
  for (const Command &command :
       {getCompileCommand(), getRunCommand(), getExplainCommand(),
        getCheckCommand(), getEmulateCommand(), getSimulateCommand(),
        getPredictCommand(), getSolveCommand(), getTuneCommand()})
    if (command.name)
      return command.run();
  return fail(diag::usage,
              "say what to do: compile, run, explain, check, emulate, "
              "simulate, solve, predict or tune; see `heddle --help`");
}

int heddle::tool::runCommandLine(int argc, const char *const *argv) {
  // LLVM's own options are no part of the interface.
  static cl::OptionCategory none("none");
  cl::HideUnrelatedOptions(none);
  cl::SetVersionPrinter([](raw_ostream &os) { os << "heddle 0.1.0\n"; });
  if (int status = parseOptions(argc, argv))
    return status;
  return runCommand();
}
