//===- Explain.cpp - heddle explain ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Program.h"
#include "ScheduleTable.h"
#include "WriteText.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Schedule/Explain.h"
#include "heddle/Schedule/Json.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Transforms/ReadPlan.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;

static cl::SubCommand
    command("explain",
            "Print the schedule as a table, draw it, or say what a message "
            "means");
static ProgramOptions programOptions(command, cl::Optional);
static cl::opt<std::string>
    svgFile("svg", cl::sub(command), cl::value_desc("OUT.svg"),
            cl::desc("Draw processes, units and rings over the cycles of the "
                     "steady state; - is standard output, in place of the "
                     "table"));
static cl::opt<std::string>
    htmlFile("html", cl::sub(command), cl::value_desc("OUT.html"),
             cl::desc("Write the picture and the table as one page"));
static cl::opt<std::string>
    problemFile("problem", cl::sub(command), cl::value_desc("OUT.json"),
                cl::desc("Write the scheduling problem of each pipelined loop, "
                         "one after the other"));
static cl::opt<std::string>
    errorId("error", cl::sub(command), cl::value_desc("ID"),
            cl::desc("Say what the message with this id means"));
static cl::opt<bool> allErrors("errors", cl::sub(command),
                               cl::desc("Print docs/reference/diagnostics.md"));

static int explainError(StringRef id) {
  const diag::Kind *kind = diag::findKind(id.trim("[]"));
  if (!kind)
    return fail(diag::unknown_diagnostic,
                "no message has the id '" + id +
                    "'; `heddle explain --errors` lists them");
  diag::printKind(*kind, outs());
  return kFine;
}

static int explainSchedule() {
  Program program(programOptions);
  if (!program.isValid())
    return program.exitCode();
  if (program.rung() > Rung::Sched)
    return fail(diag::rung_below,
                program.path() + " is on the " + spelling(program.rung()) +
                    " rung, where the schedule is already carried out");
  if (!program.lower(Rung::Sched))
    return program.exitCode();
  std::string table;
  raw_string_ostream stream(table);
  std::vector<schedule::Explanation> loops;
  std::string problems;
  machine::Costs costs = program.machine();
  program.module().walk([&](sched::PlanOp plan) {
    printSchedule(plan, stream);
    for (const PlannedLoop &loop : readPlan(plan, costs)) {
      if (loop.isPipelined)
        problems += schedule::toJson(loop.problem);
      loops.push_back(schedule::explain(plan.getKernel().str(), loop.problem,
                                        loop.solution, loop.isPipelined));
    }
  });
  if (svgFile != "-" && htmlFile != "-" && problemFile != "-")
    outs() << table;
  if (!problemFile.empty())
    if (int status = writeText(problemFile, problems))
      return status;
  if (!svgFile.empty())
    if (int status = writeText(svgFile, schedule::drawSvg(loops)))
      return status;
  if (!htmlFile.empty())
    return writeText(
        htmlFile, schedule::drawHtml(
                      loops, sys::path::filename(program.path()).str(), table));
  return kFine;
}

static int run() {
  if (allErrors) {
    diag::printReference(outs());
    return kFine;
  }
  if (!errorId.empty())
    return explainError(errorId);
  if (programOptions.file.empty())
    return fail(diag::usage, "say what to explain: a FILE or --error ID");
  return explainSchedule();
}

Command heddle::tool::getExplainCommand() { return {command, run}; }
