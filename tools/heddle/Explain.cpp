//===- Explain.cpp - heddle explain ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program goes in and is lowered to the sched rung; tables, sentences,
// pictures and traces of its schedule come out, or a ranking of tiles, or the
// meaning of a message, or of a tuner's record. No code is generated, so a
// schedule can be read and compared in the time that scheduling takes.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "CopySearch.h"
#include "ExplainEinsum.h"
#include "ExplainRoles.h"
#include "PriceLines.h"
#include "Program.h"
#include "RegionSearch.h"
#include "TuneReport.h"
#include "WriteText.h"
#include "heddle/Report/ScheduleReport.h"
#include "heddle/Report/ScheduleTable.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Machine/Units.h"
#include "heddle/Pipeline/General.h"
#include "heddle/Schedule/Explain.h"
#include "heddle/Schedule/Json.h"
#include "heddle/Schedule/Trace.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/TileChoice/Alternatives.h"
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
static TileOptions tileOptions(command);
static ArgumentOptions sizes(command);
static OperandOptions operandOptions(command);
static cl::opt<bool>
    listTiles("tiles", cl::sub(command),
              cl::desc("Print the program's legal tiles, ranked by the "
                       "machine's model, and why others are refused"));
static OtherTilesOption otherTiles(command);
static NumberOption<int>
    solvedTiles("solve", within(0, 1000), cl::sub(command), cl::init(8),
                cl::desc("How many of the tiles to schedule"));
enum class Alternatives { None, Heuristic, Exact };
static cl::opt<Alternatives> alternatives(
    "alternatives", cl::sub(command), cl::init(Alternatives::Heuristic),
    cl::desc("What fewer or more processes and the next tiles would give:"),
    cl::values(clEnumValN(Alternatives::None, "none", "is not said"),
               clEnumValN(Alternatives::Heuristic, "heuristic",
                          "by the heuristic's schedules (the default)"),
               clEnumValN(Alternatives::Exact, "exact",
                          "tiles by exact schedules, in a minute or more")));
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
    traceFile("trace", cl::sub(command), cl::value_desc("OUT.json"),
              cl::desc("Write the loops from their first iterations to their "
                       "last as a trace for Chrome or Perfetto"));
static NumberOption<int64_t> tracedIterations(
    "iterations", within<int64_t>(1, 1000), cl::sub(command), cl::init(8),
    cl::desc("How many iterations of each loop the trace holds"));
static cl::opt<std::string> certificateFile(
    "certificate", cl::sub(command), cl::value_desc("OUT.json"),
    cl::desc("Write every legal nest of an einsum program with its cycles, for "
             "python -m heddle.plan_certificate to check"));
static cl::opt<bool> reassociates(
    "reassociate", cl::sub(command),
    cl::desc("With --regions=auto: also make products in another order, A (X "
             "V) for (A X) V, where that takes fewer cycles"));
static cl::opt<std::string> regions(
    "regions", cl::sub(command), cl::value_desc("auto|prices"),
    cl::desc("auto: print how to divide the statements of an einsum program "
             "into regions of streams, and why coarser and finer divisions "
             "are slower; sizes by --view. prices: what each set of statements "
             "is expected to take, beside what it does"));
static cl::opt<std::string> parallel(
    "parallel", cl::sub(command), cl::value_desc("auto:UNITS"),
    cl::desc("With --regions=auto: also choose the parallel copies with which "
             "each region takes the fewest cycles on so many units"));
static cl::opt<std::string>
    errorId("error", cl::sub(command), cl::value_desc("ID"),
            cl::desc("Say what the message with this id means"));
static cl::opt<std::string>
    tuningRecord("tuning", cl::sub(command), cl::value_desc("RECORD"),
                 cl::desc("Say what heddle tune learned: why the best point is "
                          "best, what invalid ones have in common, why it "
                          "ended, what is left"));
static cl::opt<bool> allErrors("errors", cl::sub(command),
                               cl::desc("Print docs/reference/diagnostics.md"));

/// As messages print it, with or without brackets, or as the catalogue's source
/// spells it.
static int explainError(StringRef given) {
  std::string id = given.trim("[]").str();
  std::replace(id.begin(), id.end(), '_', '-');
  const diag::Kind *kind = diag::findKind(id);
  if (!kind)
    return fail(diag::unknown_diagnostic,
                "no message has the id '" + given +
                    "'; `heddle explain --errors` lists them");
  diag::printKind(*kind, outs());
  return kFine;
}

namespace {

/// What is known of a program's schedule.
struct Explained : ScheduleReport {
  std::vector<schedule::Timeline> timelines; ///< from their beginning
  std::vector<std::string> names;            ///< of the timelines
  std::string problems;                      ///< of pipelined loops
  bool comparesOthers = false;               ///< a table is not the heuristic's

  void add(const std::string &kernel, const PlannedLoop &loop) {
    ScheduleReport::add(kernel, loop);
    std::vector<std::string> &sentences = loops.back().sentences;
    if (loop.isPipelined)
      append_range(sentences,
                   schedule::describeReplicas(loop.problem, loop.solution));
    if (alternatives != Alternatives::None && loop.isPipelined) {
      auto heuristic = schedule::describeHeuristic(loop.problem, loop.solution);
      comparesOthers |= !heuristic.empty();
      append_range(sentences, heuristic);
      append_range(sentences,
                   schedule::describeGroups(loop.problem, loop.solution));
    }
    timelines.push_back(
        schedule::unroll(loop.problem, loop.solution, 0, tracedIterations));
    names.push_back(kernel + ", loop " + loop.problem.loop);
    if (loop.isPipelined)
      problems += schedule::toJson(loop.problem);
  }
};

} // namespace

static int writeFiles(const Explained &explained, const std::string &title) {
  if (!problemFile.empty())
    if (int status = writeText(problemFile, explained.problems))
      return status;
  if (!svgFile.empty())
    if (int status = writeText(svgFile, schedule::drawSvg(explained.loops)))
      return status;
  if (!htmlFile.empty())
    if (int status = writeText(
            htmlFile, schedule::drawHtml(explained.loops, title,
                                         explained.table, {explained.tiles})))
      return status;
  if (traceFile.empty())
    return kFine;
  return writeText(traceFile,
                   schedule::writeTrace(explained.timelines, explained.names));
}

/// In place of the schedule.
static int explainTiles(Program &program) {
  if (program.rung() > Rung::Tile)
    return fail(diag::rung_below, "tiles are chosen on the tile rung, and " +
                                      program.path() + " is on the " +
                                      spelling(program.rung()) + " rung");
  if (solvedTiles < 1)
    return fail(diag::usage, "--solve is " + Twine(solvedTiles) +
                                 "; at least 1 of the tiles is scheduled");
  tilechoice::Options options = program.tileOptions();
  if (machine::isMachineOfUnits(program.options().machineName()))
    return fail(diag::usage, "tiles are ranked by a timetable's model, which " +
                                 program.options().machineName() +
                                 " has none of");
  if (options.machine.name.empty()) // lowering says so
    return program.lower(Rung::Sched) ? kFine : program.exitCode();
  options.solve = solvedTiles;
  printTiles(tilechoice::chooseTiles(program.module(), options), options,
             outs());
  return kFine;
}

/// In place of the schedule, too.
static int explainLaunch(Program &program) {
  auto others = otherTiles.request();
  if (!others)
    return fail(others.takeError());
  auto lines = tilechoice::describeLaunch(program.module(),
                                          program.tileOptions(), *others);
  if (failed(lines))
    return program.exitCode();
  for (const std::string &line : *lines)
    outs() << line << "\n";
  return kFine;
}

static std::vector<std::string> describeNeighbours(Program &program) {
  tilechoice::Options options = program.tileOptions();
  if (options.machine.name.empty()) // lowering says so
    return {};
  options.lowering.schedule =
      alternatives == Alternatives::Exact ? "exact" : "heuristic";
  return tilechoice::describeNeighbours(program.module(), options);
}

static int explainSchedule() {
  Program program(programOptions, tileOptions.request(&sizes));
  if (!program.isValid())
    return program.exitCode();
  if (program.rung() == Rung::Einsum) {
    if (int status =
            refuseGiven({listTiles, solvedTiles, alternatives, svgFile,
                         htmlFile, problemFile, traceFile, tracedIterations},
                        program.path(), program.rung()))
      return status;
    std::vector<std::string> views(sizes.views.begin(), sizes.views.end());
    std::optional<int64_t> copiesOn = parseCopySearch(parallel);
    if (!parallel.empty() && (!copiesOn || regions != "auto"))
      return fail(diag::usage, "--parallel is auto:UNITS, with a number from 1 "
                               "on and --regions=auto; not " +
                                   Twine(parallel));
    if (reassociates && regions != "auto")
      return fail(diag::usage, "--reassociate needs --regions=auto");
    if (regions.empty())
      return explainEinsum(program, operandOptions, views, certificateFile);
    if (regions != "auto" && regions != "prices")
      return fail(diag::usage,
                  "--regions is auto or prices, not " + Twine(regions));
    RegionRequest request;
    request.isPrices = regions == "prices";
    request.reassociates = reassociates;
    request.copiesOn = copiesOn;
    if (!program.options().machine.empty())
      request.machine = program.options().machine;
    return explainRegions(program.module(), operandOptions, views, request);
  }
  if (int status =
          refuseGiven({operandOptions.densities, operandOptions.patterns,
                       operandOptions.elements, certificateFile, regions,
                       reassociates, parallel},
                      program.path(), program.rung()))
    return status;
  if (Error error = checkSizes(program.module(), program.tileOptions().extents))
    return fail(std::move(error));
  if (listTiles)
    return explainTiles(program);
  if (otherTiles.isGiven())
    return explainLaunch(program);
  if (program.rung() > Rung::Sched)
    return fail(diag::rung_below,
                program.path() + " is on the " + spelling(program.rung()) +
                    " rung, where the schedule is already carried out");
  Explained explained;
  if (alternatives != Alternatives::None && program.rung() == Rung::Tile)
    explained.tiles = {alternatives == Alternatives::Exact
                           ? "what other tiles would give, by exact schedules"
                           : "what other tiles would give, by the heuristic's "
                             "schedules",
                       describeNeighbours(program)};
  mlir::OwningOpRef<mlir::ModuleOp> before;
  if (program.rung() == Rung::Tile)
    before = program.module().clone();
  if (!program.lower(Rung::Sched))
    return program.exitCode();
  if (hasRoles(program.module())) {
    if (!svgFile.empty() || !htmlFile.empty() || !traceFile.empty() ||
        !problemFile.empty())
      return fail(diag::usage,
                  "a plan by roles has no timetable to draw; `heddle simulate "
                  "--order=timed --svg` draws a run");
    return failed(printRoles(program.module(), program.options(), outs()))
               ? program.exitCode()
               : kFine;
  }
  explained.assumptions = pipeline::assumptionsOf(program.module());
  machine::Costs costs = program.machine();
  raw_string_ostream stream(explained.table);
  program.module().walk([&](sched::PlanOp plan) {
    printSchedule(plan, stream);
    for (const PlannedLoop &loop : readPlan(plan, costs))
      explained.add(plan.getKernel().str(), loop);
  });
  if (explained.comparesOthers && alternatives == Alternatives::Heuristic &&
      !explained.tiles.sentences.empty())
    explained.tiles.sentences.insert(
        explained.tiles.sentences.begin(),
        "Both sides of each line are the heuristic's, not the table above; "
        "--alternatives=exact compares what a longer search finds.");
  if (before && alternatives != Alternatives::None)
    if (Error error = printPrices(program, *before, sizes, stream))
      return fail(std::move(error));
  if (svgFile != "-" && htmlFile != "-" && traceFile != "-" &&
      problemFile != "-")
    explained.print(outs());
  return writeFiles(explained, sys::path::filename(program.path()).str());
}

static int run() {
  if (allErrors) {
    diag::printReference(outs());
    return kFine;
  }
  if (!errorId.empty())
    return explainError(errorId);
  if (!tuningRecord.empty() && !programOptions.file.empty())
    return fail(diag::usage, "--tuning explains a record by itself, without " +
                                 programOptions.file);
  if (!tuningRecord.empty())
    return explainTuning(tuningRecord);
  if (programOptions.file.empty())
    return fail(diag::usage, "say what to explain: a FILE, --error ID or "
                             "--tuning RECORD");
  return explainSchedule();
}

Command heddle::tool::getExplainCommand() { return {command, run}; }
