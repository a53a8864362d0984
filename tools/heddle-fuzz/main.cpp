//===- main.cpp - heddle-fuzz: random programs against the oracle ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   heddle-fuzz run --first=1 --count=100   compile, run and compare each
//   heddle-fuzz print --seed=7              the program of a seed
//   heddle-fuzz check FILE | --seed=7       one program, in this process
//   heddle-fuzz shrink FILE | --seed=7      a smaller one with the same outcome
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Expressions.h"
#include "Generator.h"
#include "Shrink.h"
#include "SparseProgram.h"
#include "SparseShrink.h"

#include "heddle/Support/BigStack.h"
#include "heddle/Support/CommandLine.h"
#include "heddle/Support/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace heddle::fuzz;
using heddle::NumberOption;
using heddle::within;

static cl::SubCommand runCommand("run", "Check the programs of many seeds");
static cl::SubCommand printCommand("print", "Print the program of a seed");
static cl::SubCommand checkCommand("check", "Check one program");
static cl::SubCommand shrinkCommand("shrink", "Make a failing program smaller");

static NumberOption<uint64_t> firstSeed("first",
                                        within<uint64_t>(0, UINT64_MAX),
                                        cl::sub(runCommand), cl::init(1),
                                        cl::desc("The first seed"));
static NumberOption<uint64_t> seedCount("count",
                                        within<uint64_t>(0, UINT64_MAX),
                                        cl::sub(runCommand), cl::init(100),
                                        cl::desc("How many seeds"));
static NumberOption<int> seconds("seconds", within(1, 1000000),
                                 cl::sub(runCommand), cl::sub(checkCommand),
                                 cl::sub(shrinkCommand), cl::init(60),
                                 cl::desc("CPU time of one check"));
static cl::opt<bool> verbose("verbose", cl::sub(runCommand),
                             cl::desc("A line for each program"));
static cl::opt<std::string> file(cl::Positional, cl::sub(checkCommand),
                                 cl::sub(shrinkCommand), cl::desc("FILE"));
static NumberOption<uint64_t> seed("seed", within<uint64_t>(0, UINT64_MAX),
                                   cl::sub(printCommand), cl::sub(checkCommand),
                                   cl::sub(shrinkCommand), cl::init(1),
                                   cl::desc("Which program"));
static NumberOption<int>
    schedules("schedules", within(0, 1000), cl::sub(runCommand),
              cl::sub(checkCommand), cl::sub(shrinkCommand), cl::init(1),
              cl::desc("Random schedules besides the solver's"));
static cl::opt<bool>
    sabotage("sabotage", cl::sub(runCommand), cl::sub(checkCommand),
             cl::sub(shrinkCommand),
             cl::desc("Make kernels wrong, to see that it is found"));
static cl::opt<std::string>
    heddlePath("heddle", cl::sub(runCommand), cl::sub(checkCommand),
               cl::sub(shrinkCommand), cl::value_desc("PATH"),
               cl::desc("Who runs sparse programs: the heddle beside this tool "
                        "(default), or another"));
enum class Choose {
  Any,
  Product,
  Chain,
  Rowwise,
  Free,
  Numbers,
  Sparse,
  Streams
};
static cl::opt<Choose> flavour(
    "flavour", cl::sub(runCommand), cl::sub(printCommand),
    cl::sub(checkCommand), cl::sub(shrinkCommand), cl::init(Choose::Any),
    cl::desc("What programs are about:"),
    cl::values(clEnumValN(Choose::Any, "any", "what the seed says (default)"),
               clEnumValN(Choose::Product, "product", "a loop of dots"),
               clEnumValN(Choose::Chain, "chain", "a dot of a dot"),
               clEnumValN(Choose::Rowwise, "rowwise", "reductions, no dot"),
               clEnumValN(Choose::Free, "free", "everything"),
               clEnumValN(Choose::Numbers, "numbers",
                          "48 integer expressions of all widths"),
               clEnumValN(Choose::Sparse, "sparse",
                          "einsums over sparse formats, by random plans"),
               clEnumValN(Choose::Streams, "streams",
                          "the same as streams, in every order of "
                          "execution")));

static Program programOf(uint64_t number) {
  if (flavour == Choose::Sparse)
    return generateSparse(number);
  if (flavour == Choose::Streams)
    return generateStreams(number);
  if (flavour == Choose::Numbers)
    return generateExpressions(number);
  if (flavour == Choose::Any)
    return generate(number);
  return generate(number, Flavour(int(flavour.getValue()) - 1));
}

static CheckOptions optionsFor(uint64_t number) {
  CheckOptions options;
  options.schedules = schedules;
  options.seed = number;
  options.sabotage = sabotage;
  return options;
}

static std::string findHeddle() {
  if (!heddlePath.empty())
    return heddlePath;
  static int anchor;
  SmallString<128> path(sys::path::parent_path(
      sys::fs::getMainExecutable("heddle-fuzz", &anchor)));
  sys::path::append(path, "heddle");
  return path.str().str();
}

static void report(raw_ostream &os, uint64_t number, const Outcome &outcome) {
  os << "seed " << number << ": " << spelling(outcome.verdict);
  if (!outcome.where.empty())
    os << " (" << outcome.where << ")";
  if (!outcome.message.empty())
    os << ": " << outcome.message;
  os << "\n";
}

static int runCampaign() {
  Tally tally;
  for (uint64_t i = 0; i < seedCount; ++i) {
    uint64_t number = firstSeed + i;
    Program program = programOf(number);
    Outcome outcome = isSparse(program)
                          ? checkSparse(program, findHeddle(), seconds)
                          : checkIsolated(program, optionsFor(number), seconds);
    tally.add(outcome);
    bool fine = outcome.verdict == Verdict::Agree ||
                outcome.verdict == Verdict::Declined;
    if (verbose || !fine)
      report(outs(), number, outcome);
    if (!fine)
      outs() << program.text;
    outs().flush();
  }
  tally.print(outs());
  return tally.isFine() ? 0 : 1;
}

/// The program of FILE or of --seed; nothing after an error.
static std::optional<Program> chosenProgram() {
  if (file.empty())
    return programOf(seed);
  std::string reason;
  auto buffer = heddle::readFile(file, reason);
  if (!buffer) {
    errs() << file << ": cannot be read: " << reason << "\n";
    return std::nullopt;
  }
  Program program;
  program.text = buffer->getBuffer().str();
  auto plans = parsePlans(program.text);
  if (!plans) {
    errs() << file << ": " << toString(plans.takeError()) << "\n";
    return std::nullopt;
  }
  program.arguments = std::move(*plans);
  return program;
}

static int checkOne() {
  std::optional<Program> program = chosenProgram();
  if (!program)
    return 3;
  Outcome outcome = isSparse(*program)
                        ? checkSparse(*program, findHeddle(), seconds)
                        : check(*program, optionsFor(seed));
  report(outs(), seed, outcome);
  return outcome.verdict == Verdict::Agree      ? 0
         : outcome.verdict == Verdict::Declined ? 2
                                                : 1;
}

static int shrinkOne() {
  std::optional<Program> program = chosenProgram();
  if (!program)
    return 3;
  Outcome outcome = isSparse(*program)
                        ? checkSparse(*program, findHeddle(), seconds)
                        : checkIsolated(*program, optionsFor(seed), seconds);
  report(errs(), seed, outcome);
  if (isSparse(*program)) {
    outs() << shrinkSparse(*program, outcome, findHeddle(), seconds).text;
    return 0;
  }
  outs() << shrink(*program, outcome, optionsFor(seed), seconds).text;
  return 0;
}

static int runTool(int argc, char **argv) {
  std::string complaint;
  if (!heddle::parseCommandLine(
          argc, argv, "random tile programs against the oracle\n", complaint)) {
    if (!complaint.empty())
      errs() << "heddle-fuzz: " << complaint << "\n";
    return 3;
  }
  if (runCommand)
    return runCampaign();
  if (checkCommand)
    return checkOne();
  if (shrinkCommand)
    return shrinkOne();
  if (printCommand)
    outs() << programOf(seed).text;
  else
    cl::PrintHelpMessage();
  return 0;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  return heddle::runOnBigStack([&] { return runTool(argc, argv); });
}
