//===- Tune.cpp - heddle tune ---------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions about a space of choices, given as JSON: how many points it has,
// points at random, and the best one, which a program finds that measures them.
// A program in place of the JSON makes its own space and is measured here.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "TuneKernel.h"
#include "TuneLoop.h"
#include "TuneReport.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/Support/Files.h"
#include "heddle/Support/Workers.h"
#include "heddle/Tuner/Confirm.h"
#include "heddle/Tuner/Evaluator.h"
#include "heddle/Tuner/Protocol.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <climits>
#include <csignal>
#include <unistd.h>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static cl::SubCommand command("tune",
                              "Choose among the settings of a program, or the "
                              "points of a space, given as JSON");
static ProgramOptions programOptions(command);
static TuneKernelOptions kernelOptions(command);
static cl::opt<bool> wantsCount("count", cl::sub(command),
                                cl::desc("Print how many points there are"));
static cl::opt<bool>
    wantsParts("parts", cl::sub(command),
               cl::desc("Print which parameters depend on one another, and how "
                        "many points each group has"));
static NumberOption<unsigned> draws("draw", within(1u, 1000000000u),
                                    cl::sub(command), cl::init(0),
                                    cl::value_desc("N"),
                                    cl::desc("Print N points at random"));
static cl::opt<bool>
    isEmbedded("embedding", cl::sub(command),
               cl::desc("Draw each value among those that lead to a point, "
                        "instead of each point with the same probability"));
static NumberOption<uint64_t> seed("seed", within<uint64_t>(0, UINT64_MAX),
                                   cl::sub(command), cl::init(1),
                                   cl::desc("Of all random choices"));

static cl::opt<std::string>
    measuring("command", cl::sub(command), cl::value_desc("PROGRAM"),
              cl::desc("Tune: the program answers each line with a point by a "
                       "line with its value"));
namespace {
enum class Serve { No, Lines, Baco };
} // namespace
static cl::opt<Serve> serving(
    "serve", cl::sub(command), cl::init(Serve::No), cl::ValueOptional,
    cl::desc("Tune: ask on standard output, read answers on standard input"),
    cl::values(
        clEnumValN(Serve::Lines, "", "lines of JSON"),
        clEnumValN(Serve::Lines, "lines", "lines of JSON"),
        clEnumValN(Serve::Baco, "baco",
                   "'Request n', names and rows, as BaCO and HyperMapper "
                   "do")));
static NumberOption<unsigned>
    budget("budget", within(1u, 1000000u), cl::sub(command), cl::init(0),
           cl::value_desc("N"),
           cl::desc("Evaluations in all; else what the file says"));
static cl::opt<std::string>
    recordFile("record", cl::sub(command), cl::value_desc("FILE.jsonl"),
               cl::desc("Write each evaluation down, and go on from there"));
static cl::opt<std::string>
    recordKey("key", cl::sub(command), cl::value_desc("TEXT"),
              cl::desc("What the record is of beside the space: a program, "
                       "sizes, a machine"));
static cl::opt<std::string>
    replayFile("replay", cl::sub(command), cl::value_desc("FILE.jsonl"),
               cl::desc("Take values from this record where it has them"));
static NumberOption<double>
    timeout("timeout", within(0.001, 1e6), cl::sub(command), cl::init(600),
            cl::value_desc("SECONDS"),
            cl::desc("A point that takes longer is invalid"));
static NumberOption<uint64_t>
    memory("memory", within<uint64_t>(1, 1 << 30), cl::sub(command),
           cl::init(0), cl::value_desc("MIB"),
           cl::desc("Memory of each process of the program"));
static NumberOption<unsigned> jobs(
    "jobs", within(1u, 256u), cl::sub(command), cl::init(1),
    cl::value_desc("N"),
    cl::desc("Programs of --command that measure at the same time; so many "
             "points are proposed before any of them is known"));
static NumberOption<unsigned> confirmRounds(
    "confirm", within(1u, 100000u), cl::sub(command), cl::init(0),
    cl::value_desc("ROUNDS"),
    cl::desc("At the end the best points race, and the first of them is "
             "measured beside the default, in at most so many rounds of three "
             "values: what is not faster beyond the noise is no win"));
static cl::opt<bool> explains(
    "explain", cl::sub(command),
    cl::desc(
        "Say at the end what matters, which rules invalid points keep, and "
        "what is expected of others, as heddle explain --tuning does"));
static cl::opt<bool> exhausts(
    "exhaust", cl::sub(command),
    cl::desc("Measure every point, in a random order; a program's points that "
             "are refused before a schedule is sought are not tried"));
static cl::opt<tuner::Method> method(
    "method", cl::sub(command), cl::init(tuner::Method::Bayes),
    cl::desc("How points are chosen"),
    cl::values(clEnumValN(tuner::Method::Bayes, "model",
                          "Expected improvement of a Gaussian process"),
               clEnumValN(tuner::Method::Uniform, "uniform", "At random"),
               clEnumValN(tuner::Method::Embedding, "embedding",
                          "At random, value by value"),
               clEnumValN(tuner::Method::Bandit, "bandit",
                          "Techniques by what they gained lately"),
               clEnumValN(tuner::Method::Annealing, "annealing",
                          "Steps to neighbours")));

/// The scenario in the file, and its space.
static Error load(StringRef text, tuner::Scenario &scenario,
                  std::optional<tuner::Space> &space) {
  Expected<tuner::Scenario> read = tuner::parseScenario(text);
  if (!read)
    return read.takeError();
  scenario = std::move(*read);
  Expected<tuner::Space> made = tuner::makeSpace(scenario);
  if (!made)
    return made.takeError();
  space = std::move(*made);
  return Error::success();
}

static void printParts(const tuner::Space &space) {
  for (const tuner::Component &part : space.components()) {
    std::string names;
    for (int index : part.parameters)
      names +=
          (names.empty() ? "" : ", ") + space.parameters()[size_t(index)].name;
    outs() << names << ": ";
    if (space.parameters()[size_t(part.parameters.front())].kind ==
        tuner::Kind::Real)
      outs() << "a real\n";
    else
      outs() << digits(part.points) << "\n";
  }
}

/// The next line of standard input without its end; false at the end of it.
static bool readLine(std::string &line) {
  constexpr size_t kLongest = 1 << 20;
  line.clear();
  char c;
  while (line.size() < kLongest && ::read(STDIN_FILENO, &c, 1) == 1) {
    if (c == '\n')
      return true;
    line.push_back(c);
  }
  return false;
}

static Error noReply(const Twine &reason) {
  return makeError(diag::tuner_reply, reason);
}

/// Asks the other end of standard input and output.
static Expected<tuner::Outcome> ask(const tuner::Scenario &scenario,
                                    const tuner::Space &space,
                                    const tuner::Point &point, int &lines) {
  bool isBaco = serving == Serve::Baco;
  outs() << (isBaco ? tuner::writeRequest(space, point)
                    : tuner::writeQuestion(space, point));
  outs().flush();
  std::string header, row;
  if (isBaco && (++lines, !readLine(header)))
    return noReply("standard input ends instead of an answer");
  if (++lines, !readLine(row))
    return noReply("standard input ends instead of an answer");
  tuner::Outcome outcome;
  std::string fault =
      isBaco ? tuner::readReply(header, row, scenario, space, point, outcome)
             : tuner::readAnswer(row, outcome);
  if (!fault.empty())
    return noReply("line " + Twine(lines) + " of standard input: " + fault);
  return outcome;
}

/// So many endings before the first answer mean that no answer will come.
static constexpr int kMostEndings = 3;

namespace {

/// Programs that measure, one for each point of a batch.
class Evaluators {
public:
  explicit Evaluators(size_t count) {
    for (size_t k = 0; k < count; ++k)
      all.push_back(std::make_unique<tuner::CommandEvaluator>(
          tuner::CommandOptions{measuring, timeout, uint64_t(memory) << 20}));
  }

  /// At most as many points as there are programs, at the same time.
  Expected<std::vector<tuner::Outcome>> measure(const tuner::Space &space,
                                                ArrayRef<tuner::Point> points) {
    std::vector<tuner::Outcome> outcomes(points.size());
    Threads threads;
    auto measureOne = [&](size_t k) {
      outcomes[k] = all[k]->measure(space, points[k]);
    };
    for (size_t k = 1; k < points.size(); ++k)
      if (!threads.start([&, k] { measureOne(k); }))
        measureOne(k);
    measureOne(0);
    threads.join();
    for (size_t k = 0; k < points.size(); ++k) {
      bool isEnd = !outcomes[k].isValid && outcomes[k].reason == "ended";
      endings = isEnd ? endings + 1 : 0;
      bool hasAnswered =
          any_of(all, [](const auto &each) { return each->hasAnswered(); });
      if (endings >= kMostEndings && !hasAnswered)
        return makeError(diag::tuner_evaluator,
                         "'" + measuring + "' ended " + Twine(endings) +
                             " times without an answer, the last time with " +
                             all[k]->lastEnd());
    }
    return outcomes;
  }

private:
  std::vector<std::unique_ptr<tuner::CommandEvaluator>> all;
  int endings = 0;
};

} // namespace

/// Measures the best again beside the default, in processes of their own.
static Error confirmByCommand(const TuneJob &job, Tuned &tuned) {
  const tuner::Space &space = job.space;
  std::optional<tuner::Point> preset = tuner::presetOf(space);
  if (!preset)
    return makeError(diag::usage, "--confirm compares with the default, and "
                                  "not every parameter has one");
  tuner::CommandEvaluator evaluator(
      {measuring, timeout, uint64_t(memory) << 20});
  return confirmBest(
             job, tuned, *preset,
             [&](const tuner::Point &point) -> std::optional<double> {
               tuner::Outcome outcome = evaluator.measure(space, point);
               return outcome.isValid ? std::optional(outcome.value)
                                      : std::nullopt;
             },
             int(confirmRounds))
      .takeError();
}

static tuner::SearchOptions searchOptions() {
  tuner::SearchOptions options;
  options.method = method;
  options.seed = seed;
  return options;
}

/// Every point once: the search is at random, and as long as the space.
static Error exhaust(const tuner::Space &space, tuner::SearchOptions &options) {
  constexpr tuner::Count kMost = 1000000;
  std::optional<tuner::Count> count = space.smallCount();
  if (space.hasReals() || !count || *count > kMost)
    return makeError(diag::usage,
                     "--exhaust measures spaces of up to 1000000 "
                     "points, and this one has " +
                         Twine(space.hasReals() ? std::string("real parameters")
                                                : space.count()));
  options.method = tuner::Method::Uniform;
  options.budget = int(*count);
  options.mostTwins = INT_MAX;
  options.worth = -1e300; // whatever bounds say
  return Error::success();
}

/// A program's choices are measured in this process.
static int tuneProgram() {
  // With a prior one point beside the default says enough for a first model.
  constexpr int kFirstSamples = 2, kBudget = 30;
  if (!measuring.empty() || serving != Serve::No || wantsCount || wantsParts ||
      draws != 0 || isEmbedded || jobs > 1 || confirmRounds != 0)
    return fail(diag::usage,
                programOptions.file +
                    " is a program, whose choices are measured here; "
                    "--command, --serve, --jobs, --confirm, --count, --parts, "
                    "--draw and --embedding are for spaces, given as JSON");
  TuneRequest request;
  request.search = searchOptions();
  request.record = recordFile;
  request.key = recordKey;
  request.replay = replayFile;
  request.explains = explains;
  if (exhausts)
    request.exhaust = exhaust;
  request.search.firstSamples = kFirstSamples;
  request.search.budget = budget != 0 ? int(budget) : kBudget;
  return tuneKernel(programOptions, kernelOptions, request);
}

static Error tune(const tuner::Scenario &scenario, const tuner::Space &space) {
  std::signal(SIGPIPE, SIG_IGN); // a program that ends is an invalid point
  tuner::SearchOptions options = searchOptions();
  options.firstSamples = scenario.firstSamples;
  options.budget =
      budget != 0 ? int(budget) : scenario.firstSamples + scenario.iterations;
  options.logsValues = scenario.isLogOutput;
  if (exhausts)
    if (Error error = exhaust(space, options))
      return error;
  bool serves = serving != Serve::No;
  int lines = 0;
  Evaluators evaluators(jobs);
  auto outcomeOf = [&](const tuner::Point &point) -> Expected<tuner::Outcome> {
    if (serves)
      return ask(scenario, space, point, lines);
    return makeError(diag::usage, "the record has no value of " +
                                      space.spell(point) +
                                      "; give --command to measure it");
  };
  TuneJob job = {scenario, space, options, serves ? errs() : outs(), outcomeOf};
  job.record = recordFile;
  job.key = recordKey;
  job.replay = replayFile;
  job.explains = explains;
  job.batch = jobs;
  if (!measuring.empty())
    job.measureAll = [&](ArrayRef<tuner::Point> points) {
      return evaluators.measure(space, points);
    };
  Expected<Tuned> tuned = runTuning(job);
  if (!tuned)
    return tuned.takeError();
  if (serving == Serve::Baco)
    outs() << tuner::kEndOfRequests;
  return confirmRounds != 0 ? confirmByCommand(job, *tuned) : Error::success();
}

/// Spaces are JSON objects; the text of a program never begins like one.
static bool isSpace(StringRef text) {
  text = text.ltrim();
  return text.starts_with("{") && !text.starts_with("{-#");
}

/// Options of programs that a space has no use for; "" if none was given.
static std::string programOptionGiven() {
  std::string given = firstGiven(
      {programOptions.settings, programOptions.schedule, programOptions.machine,
       programOptions.mapping, programOptions.assume});
  return given.empty() ? kernelOptions.firstGiven() : given;
}

static int run() {
  std::string reason;
  auto buffer = readFile(programOptions.file, reason);
  if (!buffer)
    return fail(diag::file_unreadable,
                programOptions.file + ": cannot be read: " + reason);
  StringRef ending = sys::path::extension(programOptions.file);
  if (!isSpace(buffer->getBuffer()) && ending != ".json")
    return tuneProgram();
  if (std::string option = programOptionGiven(); !option.empty())
    return fail(diag::usage, option + " is about programs, and " +
                                 programOptions.file + " is a space");
  tuner::Scenario scenario;
  std::optional<tuner::Space> space;
  if (Error error = load(buffer->getBuffer(), scenario, space))
    return fail(std::move(error));
  if (wantsCount)
    outs() << space->count() << "\n";
  if (wantsParts)
    printParts(*space);
  tuner::Random random(seed);
  for (unsigned k = 0; k < draws; ++k) {
    std::optional<tuner::Point> point =
        isEmbedded ? space->drawEmbedded(random) : space->draw(random);
    if (!point)
      return fail(diag::tuner_space_empty,
                  "constraints on real parameters hold for none of 10000 "
                  "points at random");
    outs() << space->spell(*point) << "\n";
  }
  bool tunes =
      !measuring.empty() || serving != Serve::No || !replayFile.empty();
  if (!measuring.empty() && serving != Serve::No)
    return fail(diag::usage, "--command and --serve are two ways to measure");
  if ((jobs > 1 || confirmRounds != 0) && measuring.empty())
    return fail(diag::usage, "--jobs and --confirm start the program of "
                             "--command, which is not given");
  if (tunes)
    if (Error error = tune(scenario, *space))
      return fail(std::move(error));
  if (!wantsCount && !wantsParts && draws == 0 && !tunes)
    return fail(diag::usage, "say what to do: --count, --parts, --draw=N, "
                             "--command=PROGRAM, --serve or --replay=FILE");
  return kFine;
}

Command heddle::tool::getTuneCommand() { return {command, run}; }
