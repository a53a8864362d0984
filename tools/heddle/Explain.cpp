//===- Explain.cpp - heddle explain ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Program.h"
#include "ScheduleTable.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Pipeline/Pipeline.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;

static cl::SubCommand command("explain", "Print the schedule as a table");
static ProgramOptions programOptions(command);

static int run() {
  std::unique_ptr<Program> program =
      Program::load(programOptions.file, programOptions.settings);
  if (!program)
    return kBadInput;
  if (program->rung() > Rung::Sched)
    return reportBadInput(program->path() + " is on the " +
                          spelling(program->rung()) +
                          " rung, where the schedule is already carried out");
  if (failed(pipeline::lower(program->module(), program->rung(), Rung::Sched)))
    return kBadInput;
  program->module().walk(
      [](sched::PlanOp plan) { printSchedule(plan, outs()); });
  return kFine;
}

Command heddle::tool::getExplainCommand() { return {command, run}; }
