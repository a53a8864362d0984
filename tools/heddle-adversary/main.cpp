//===- main.cpp - heddle-adversary: random kernels against the checker ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   heddle-adversary run --first=1 --count=1000   judge many kernels
//   heddle-adversary print --seed=7               the kernel of a seed
//   heddle-adversary check FILE | --seed=7        judge one, in this process
//   heddle-adversary shrink FILE | --seed=7       a smaller one, as wrong
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "Shrink.h"

#include "heddle/Pipeline/Compile.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle::adversary;

static cl::SubCommand runCommand("run", "Judge the kernels of many seeds");
static cl::SubCommand printCommand("print", "Print the kernel of a seed");
static cl::SubCommand checkCommand("check", "Judge one kernel");
static cl::SubCommand
    shrinkCommand("shrink", "Make a kernel smaller that is judged wrongly");

static cl::opt<uint64_t> firstSeed("first", cl::sub(runCommand), cl::init(1),
                                   cl::desc("The first seed"));
static cl::opt<uint64_t> seedCount("count", cl::sub(runCommand), cl::init(1000),
                                   cl::desc("How many seeds"));
static cl::opt<int> jobs("jobs", cl::sub(runCommand), cl::init(1),
                         cl::desc("How many processes at once"));
static cl::opt<int> seconds("seconds", cl::sub(runCommand),
                            cl::sub(shrinkCommand), cl::init(20),
                            cl::desc("CPU time of one kernel"));
static cl::opt<std::string> lines("lines", cl::sub(runCommand),
                                  cl::value_desc("FILE"),
                                  cl::desc("Write a line for each kernel"));
static cl::opt<bool>
    texts("texts", cl::sub(runCommand),
          cl::desc("Print each kernel that is judged wrongly"));
static cl::opt<std::string> file(cl::Positional, cl::sub(checkCommand),
                                 cl::sub(shrinkCommand), cl::desc("FILE"));
static cl::opt<uint64_t> seed("seed", cl::sub(printCommand),
                              cl::sub(checkCommand), cl::sub(shrinkCommand),
                              cl::init(1), cl::desc("Which kernel"));
static cl::list<std::string>
    ignored("ignore", cl::sub(runCommand), cl::sub(checkCommand),
            cl::sub(shrinkCommand), cl::value_desc("FAULT"),
            cl::desc("A kind of fault of the model that does not count"));
static cl::opt<int> launches("launches", cl::sub(runCommand),
                             cl::sub(checkCommand), cl::sub(shrinkCommand),
                             cl::init(24), cl::desc("Launches of a kernel"));
static cl::opt<int64_t>
    states("states", cl::sub(runCommand), cl::sub(checkCommand),
           cl::sub(shrinkCommand), cl::init(3000),
           cl::desc("States of a kernel, up to which launches are executed in "
                    "all orders"));

static cl::opt<Blindness> blindness(
    "blind", cl::sub(runCommand), cl::sub(checkCommand), cl::sub(shrinkCommand),
    cl::init(Blindness::None),
    cl::desc("What to keep from the checker, to see that it is missed:"),
    cl::values(
        clEnumValN(Blindness::Fences, "fences", "missing fences"),
        clEnumValN(Blindness::Accumulators, "accumulators",
                   "who goes on with whose registers"),
        clEnumValN(Blindness::Width, "width", "bits of constants beyond 32"),
        clEnumValN(Blindness::Signs, "signs", "that i1 true is -1"),
        clEnumValN(Blindness::Stores, "stores",
                   "stores that a wait leaves in flight"),
        clEnumValN(Blindness::Sizes, "sizes", "how much of a slot is written"),
        clEnumValN(Blindness::Copies, "copies",
                   "that copies of threads end later")));

static JudgeOptions optionsHere() {
  JudgeOptions options;
  options.blindness = blindness;
  options.launches = size_t(std::max<int>(launches, 1));
  options.statesOfProgram = states;
  options.statesOfLaunch = states / 2;
  options.ignored.insert(ignored.begin(), ignored.end());
  return options;
}

static void report(raw_ostream &os, const Judged &judged) {
  const Opinion &o = judged.opinion;
  os << "seed " << judged.seed << ": ";
  if (judged.crashed || judged.hung) {
    os << (judged.hung ? "HANG" : "CRASH") << " (" << o.message << ")\n";
    return;
  }
  if (o.conflict != Conflict::None)
    os << spelling(o.conflict) << ": ";
  os << spelling(o.verdict);
  if (!o.message.empty())
    os << " (" << o.message << ")";
  static const char *const found[] = {"no fault", "", "no meaning", "unknown"};
  os << "; the model: " << found[o.finding.kind] << o.finding.fault;
  if (o.finding.kind == Finding::Fine && !o.openBecause.empty())
    os << ", but not followed: " << o.openBecause;
  if (o.finding.line)
    os << " at line " << o.finding.line;
  if (o.finding.kind == Finding::Faulty)
    os << ", with" << o.launch;
  os << "; " << judged.micros / 1000 << " ms\n";
}

static int runCampaign() {
  Tally tally;
  std::optional<raw_fd_ostream> table;
  if (!lines.empty()) {
    std::error_code error;
    table.emplace(lines, error);
    if (error) {
      errs() << lines << ": " << error.message() << "\n";
      return 3;
    }
  }
  judgeMany(firstSeed, seedCount, jobs, seconds, optionsHere(), generate,
            [&](const Judged &judged) {
              tally.add(judged);
              if (table)
                report(*table, judged);
              if (!judged.crashed && !judged.hung &&
                  judged.opinion.conflict == Conflict::None &&
                  judged.opinion.verdict != Verdict::Invalid)
                return;
              report(outs(), judged);
              if (texts)
                outs() << generate(judged.seed);
              outs().flush();
            });
  tally.print(outs());
  return tally.isFine() ? 0 : 1;
}

/// The kernel of FILE or of --seed; nothing after an error.
static std::optional<std::string> chosenText() {
  if (file.empty())
    return generate(seed);
  auto buffer = MemoryBuffer::getFileOrSTDIN(file);
  if (buffer)
    return (*buffer)->getBuffer().str();
  errs() << file << ": " << buffer.getError().message() << "\n";
  return std::nullopt;
}

static int checkOne() {
  std::optional<std::string> text = chosenText();
  if (!text)
    return 3;
  auto context = heddle::pipeline::createContext();
  Judged judged;
  judged.seed = file.empty() ? seed : 0;
  judged.opinion = judge(*text, *context, optionsHere());
  report(outs(), judged);
  return judged.opinion.conflict == Conflict::None ? 0 : 1;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv,
                              "random kernels against heddle check\n");
  if (runCommand)
    return runCampaign();
  if (checkCommand)
    return checkOne();
  if (shrinkCommand) {
    std::optional<std::string> text = chosenText();
    if (!text)
      return 3;
    outs() << shrink(*text, optionsHere(), seconds);
    return 0;
  }
  if (printCommand)
    outs() << generate(seed);
  else
    cl::PrintHelpMessage();
  return 0;
}
