//===- Program.cpp - A program being compiled -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Command.h"

#include "heddle/Conversion/DebugWaits.h"
#include "heddle/Support/Diagnostics/Program.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

ProgramOptions::ProgramOptions(cl::SubCommand &command,
                               cl::NumOccurrencesFlag required)
    : file(cl::Positional, required, cl::sub(command), cl::value_desc("FILE"),
           cl::desc("FILE")),
      settings("set", cl::sub(command), cl::value_desc("NAME=VALUE"),
               cl::desc("Fix an alias or a shape parameter of the program")),
      schedule("schedule", cl::sub(command), cl::init("heuristic"),
               cl::value_desc("heuristic|exact|FILE"),
               cl::desc("How to find a loop's schedule; FILE holds a "
                        "sched.plan to use")),
      machine("machine", cl::sub(command), cl::value_desc("NAME|FILE"),
              cl::desc("For which schedules are made: one of machines/, or a "
                       "description like these")) {}

Program::Program(const ProgramOptions &options) {
  lowering.schedule = options.schedule;
  lowering.machine = options.machine;
  Expected<Source> text = loadSource(options.file, options.settings);
  if (!text) {
    loadStatus = fail(text.takeError());
    return;
  }
  source = std::move(*text);
  context = pipeline::createContext();
  printer.emplace(*context, source);
  parsed = pipeline::parse(source, *context);
  if (!parsed)
    return;
  auto rung = pipeline::detectRung(module());
  if (failed(rung))
    return;
  detected = *rung;
  valid = true;
}

int Program::debugWaits() {
  if (detected > pipeline::Rung::Hopper)
    return fail(diag::rung_below,
                path() + " is on the " + spelling(detected) +
                    " rung, below hopper, whose waits --debug-waits expands");
  module()->setAttr(kDebugWaitsAttribute,
                    mlir::UnitAttr::get(module().getContext()));
  return kFine;
}

bool Program::lower(pipeline::Rung to) {
  if (failed(pipeline::lower(module(), rung(), to, lowering)))
    return false;
  detected = to;
  return true;
}

mlir::FailureOr<std::vector<pipeline::CompiledKernel>> Program::compileToPtx() {
  return pipeline::compileToPtx(module(), lowering);
}

machine::Costs Program::machine() const {
  machine::Costs costs;
  std::string error;
  if (!machine::findMachine(lowering.machineName(), costs, error))
    report_fatal_error(StringRef(error));
  return costs;
}

int Program::exitCode() const {
  return printer ? diag::exitCode(printer->worst()) : loadStatus;
}
