//===- Predict.cpp - heddle predict ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of a launch by the machine's model: lower to the sched rung, take
// the sizes, and ask lib/Evaluate. Nothing is allocated, so any size will do.
//
//===----------------------------------------------------------------------===//

#include "ArgumentOptions.h"
#include "Command.h"
#include "ExplainRoles.h"
#include "KernelArguments.h"
#include "Program.h"

#include "heddle/Evaluate/Evaluate.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;

static cl::SubCommand
    command("predict", "Say how long a launch takes by the machine's model");
static ProgramOptions programOptions(command);
static ArgumentOptions argumentOptions(command);
static NumberOption<int64_t>
    workers("workers", within<int64_t>(1, 1 << 20), cl::sub(command),
            cl::init(0), cl::value_desc("N"),
            cl::desc("Multiprocessors at work. Default: the machine's"));

static NumberOption<int64_t>
    maxSteps("max-steps", within<int64_t>(1, INT64_MAX), cl::sub(command),
             cl::init(evaluate::Launch().maxSteps),
             cl::desc("Operations of one thread block to execute before giving "
                      "up; time and memory grow with them"));

static cl::opt<std::string>
    costsName("costs", cl::sub(command), cl::value_desc("NAME|FILE"),
              cl::desc("The machine whose costs the prediction takes. Default: "
                       "the one that the schedule was made for"));

static int predictOne(Program &program, tile::KernelOp kernel) {
  auto manifest = describeArguments(kernel);
  if (failed(manifest))
    return program.exitCode();
  auto arguments = makeSizes(argumentOptions, *manifest, kernel);
  if (!arguments)
    return fail(arguments.takeError());
  machine::Costs costs = program.machine();
  std::string error;
  if (!costsName.empty() && !machine::findMachine(costsName, costs, error))
    return fail(diag::machine, error);
  evaluate::Launch launch{
      std::move(*arguments),
      workers ? int64_t(workers) : costs.limits.multiprocessors, maxSteps};
  auto score =
      evaluate::evaluate(program.module(), manifest->kernel, costs, launch);
  if (failed(score))
    return program.exitCode();
  outs() << manifest->kernel << ": " << score->cycles << " cycles\n";
  for (const evaluate::Score::Loop &loop : score->loops) {
    outs() << "  loop '" << loop.name << "': ";
    if (loop.interval > 0)
      outs() << format("%g", loop.interval)
             << " cycles an iteration in the steady state";
    else
      outs() << "too few iterations for a steady state";
    outs() << "; the table's II is " << loop.table << "\n";
  }
  return 0;
}

static int run() {
  Program program(programOptions);
  if (!program.isValid() || !program.lower(Rung::Sched))
    return program.exitCode();
  if (hasRoles(program.module()))
    return fail(diag::usage,
                "a plan by roles has no timetable to predict by; `heddle "
                "simulate --order=timed` runs it with values");
  for (auto kernel : to_vector(program.module().getOps<tile::KernelOp>()))
    if (int status = predictOne(program, kernel))
      return status;
  return 0;
}

Command heddle::tool::getPredictCommand() { return {command, run}; }
