//===- main.cpp - The heddle driver ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle::tool;

static constexpr char kOverview[] =
    R"(heddle: compiles sequential tile programs to warp-specialised GPU kernels

  heddle compile FILE    lowers a program to PTX or to any rung on the way
  heddle run FILE        compiles, runs on the GPU or the emulator, and checks
  heddle explain FILE    prints the schedule as a table
  heddle simulate FILE   runs processes and rings on the CPU, and checks

`heddle COMMAND --help` lists a command's options. Exit codes: 0 fine, 1 wrong
result, 2 declined, 3 bad input.
)";

int heddle::tool::reportBadInput(const Twine &message) {
  WithColor::error(errs(), "heddle") << message << "\n";
  return kBadInput;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  // LLVM's own options are no part of the interface.
  cl::OptionCategory none("none");
  cl::HideUnrelatedOptions(none);
  cl::SetVersionPrinter([](raw_ostream &os) { os << "heddle 0.1.0\n"; });
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &errs()))
    return kBadInput;
  for (const Command &command : {getCompileCommand(), getRunCommand(),
                                 getExplainCommand(), getSimulateCommand()})
    if (command.name)
      return command.run();
  return reportBadInput("say what to do: compile, run, explain or simulate; "
                        "see `heddle --help`");
}
