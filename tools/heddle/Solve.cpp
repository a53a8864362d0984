//===- Solve.cpp - heddle solve -------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions to the exact solver about the pipelined loops of a program, or
// about a problem in JSON. bench/schedules.py asks them.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "DescribeSchedule.h"
#include "Program.h"
#include "WriteText.h"

#include "heddle/Schedule/Certify.h"
#include "heddle/Schedule/Json.h"
#include "heddle/Schedule/Solve.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Support/Files.h"
#include "heddle/Transforms/ReadPlan.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static cl::SubCommand
    command("solve", "Ask the exact solver about the schedules of a program's "
                     "loops, or of a problem in JSON");
static ProgramOptions programOptions(command);
static NumberOption<int64_t>
    interval("ii", within<int64_t>(1, 1000000), cl::sub(command),
             cl::value_desc("CYCLES"),
             cl::desc("Ask about this initiation interval alone"));
static NumberOption<unsigned>
    processes("processes", within(1u, 64u), cl::sub(command),
              cl::value_desc("N"),
              cl::desc("Ask for so many processes beside that of the loads"));
static cl::opt<bool> isDivided(
    "no-crossing", cl::sub(command),
    cl::desc("Keep each sub-tile in one process, whatever may cross"));
static cl::opt<bool> isWhole("no-split", cl::sub(command),
                             cl::desc("Leave tiles whole: one process has "
                                      "all rows of a product"));
static cl::opt<bool>
    hasNoSlack("no-slack", cl::sub(command),
               cl::desc("Do not ask for slack at asynchronous units"));
static cl::opt<bool>
    inStep("in-step", cl::sub(command),
           cl::desc("Ask that sub-tile s of S does everything s II / S cycles "
                    "after the first"));
static cl::list<std::string> asked(
    "ask", cl::sub(command), cl::value_desc("RELATION"),
    cl::desc("Ask for an order of events: 'issued(a) < issued(b)@1 <= "
             "done(c)', where @1 is an iteration later and * all operations"));
static NumberOption<int64_t>
    steps("steps", within<int64_t>(1, INT64_MAX), cl::sub(command),
          cl::init(36'000'000), cl::desc("How many steps the solver may take"));
static cl::opt<std::string>
    jsonFile("json", cl::sub(command), cl::value_desc("OUT.json"),
             cl::desc("Write problems, schedules and verdicts"));

/// For how many processes the answer says what they can issue at best.
static constexpr int kIssueBounds = 5;

/// One loop's answer as JSON.
static void writeAnswer(json::OStream &json, const schedule::Problem &problem,
                        const schedule::Bound &bound,
                        const schedule::Reached &reached) {
  json.object([&] {
    json.attribute("loop", problem.loop);
    json.attribute("bound", bound.ii);
    json.attribute("because", schedule::describe(problem, bound));
    json.attribute("refuted", reached.isRefuted);
    json.attribute("reason", reached.reason);
    json.attribute("steps", reached.steps);
    json.attribute("slack", reached.slack);
    if (reached.solution) {
      json.attribute("bytes",
                     schedule::crossingBytes(problem, *reached.solution));
      json.attribute("ownerChanges",
                     schedule::ownerChanges(problem, *reached.solution));
    }
    json.attributeArray("issueBounds", [&] {
      for (int count = 1; count <= kIssueBounds; ++count)
        json.value(schedule::issueBound(problem, count));
    });
    json.attributeBegin("problem");
    schedule::write(json, problem);
    json.attributeEnd();
    if (!reached.solution)
      return;
    json.attributeBegin("solution");
    schedule::write(json, *reached.solution);
    json.attributeEnd();
  });
}

/// Prints one loop's answer; returns its exit code.
static int answer(const schedule::Problem &problem, json::OStream &json) {
  schedule::Wish wish;
  wish.ii = interval;
  wish.processes = int(processes);
  wish.isDivided = isDivided;
  wish.wantsSlack = !hasNoSlack;
  wish.inStep = inStep;
  for (const std::string &text : asked)
    if (std::string error =
            schedule::parseRelations(text, problem, wish.relations);
        !error.empty())
      return fail(diag::usage, "--ask: " + error);
  schedule::Bound bound = schedule::findBound(problem);
  schedule::Reached reached =
      schedule::solveWish(problem, wish, schedule::Budget{steps});
  if (reached.solution)
    bound = schedule::strengthen(problem, bound, reached.solution->ii);
  writeAnswer(json, problem, bound, reached);
  std::string place = "loop " + problem.loop;
  if (reached.isRefuted) {
    outs() << place << ": no such schedule: " << reached.reason << "\n";
    return kFine;
  }
  if (!reached.solution)
    return fail(diag::question_open, place + ": " + reached.reason);
  outs() << place << ": an iteration every " << reached.solution->ii
         << " cycles, "
         << (reached.solution->ii == bound.ii
                 ? "the least there is"
                 : "and at least " + std::to_string(bound.ii))
         << ": " << schedule::describe(problem, bound) << "\n";
  describeSchedule(problem, *reached.solution, reached.slack, outs());
  return kFine;
}

/// The problem in a JSON file, or those of a program's loops. An exit code.
static int collect(std::vector<schedule::Problem> &problems) {
  if (StringRef(programOptions.file).ends_with(".json")) {
    std::string reason;
    auto buffer = readFile(programOptions.file, reason);
    if (!buffer)
      return fail(diag::file_unreadable,
                  programOptions.file + ": cannot be read: " + reason);
    schedule::Problem problem;
    std::string error = schedule::fromJson(buffer->getBuffer(), problem);
    if (error.empty())
      error = problem.check();
    if (!error.empty())
      return fail(diag::problem_format, programOptions.file + ": " + error);
    problems.push_back(std::move(problem));
    return kFine;
  }
  Program program(programOptions);
  if (!program.isValid())
    return program.exitCode();
  if (program.rung() < pipeline::Rung::Tile)
    return fail(diag::rung_below,
                "schedules are solved on the tile rung, and " + program.path() +
                    " is on the " + spelling(program.rung()) + " rung");
  if (program.rung() > pipeline::Rung::Tile)
    return fail(diag::rung_below,
                program.path() + " is on the " + spelling(program.rung()) +
                    " rung, where the schedule is already chosen");
  if (!program.split(isWhole))
    return program.exitCode();
  problems = readProblems(program.module(), program.machine());
  return kFine;
}

static int run() {
  std::vector<schedule::Problem> problems;
  if (int status = collect(problems))
    return status;
  if (problems.empty())
    outs() << "no loop is pipelined\n";
  std::string text;
  raw_string_ostream stream(text);
  json::OStream json(stream, 2);
  int status = kFine;
  json.array([&] {
    for (const schedule::Problem &problem : problems)
      status = std::max(status, answer(problem, json));
  });
  if (!jsonFile.empty())
    if (int code = writeText(jsonFile, text + "\n"))
      return code;
  return status;
}

Command heddle::tool::getSolveCommand() { return {command, run}; }
