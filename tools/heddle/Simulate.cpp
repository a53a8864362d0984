//===- Simulate.cpp - heddle simulate -------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lower to the aref rung, fill the inputs, poison the outputs, simulate in one
// or several orders, compare each time with the oracle.
//
//===----------------------------------------------------------------------===//

#include "ArgumentOptions.h"
#include "Command.h"
#include "KernelArguments.h"
#include "Program.h"
#include "SimulateFlow.h"
#include "TimedSimulation.h"
#include "UnitRun.h"
#include "WriteText.h"
#include "heddle/Run/Compare.h"
#include "heddle/Run/Oracle.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Machine/Units.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Simulator/Simulator.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using evaluate::TimingModel;
using pipeline::Rung;
using simulator::Schedule;

static cl::SubCommand
    command("simulate",
            "Run processes and rings on the CPU and compare with the oracle");
static ProgramOptions programOptions(command);
static ArgumentOptions argumentOptions(command);
static ContentOptions contentOptions(command);
static cl::list<std::string> printed("print", cl::sub(command),
                                     cl::value_desc("NAME"),
                                     cl::desc("Print a view after the run"));
static cl::opt<std::string>
    kernelName("kernel", cl::sub(command), cl::value_desc("NAME"),
               cl::desc("Which kernel, if the program holds several"));
static cl::opt<std::string> oracleFile(
    "oracle", cl::sub(command), cl::value_desc("FILE"),
    cl::desc("The tile program to compare with, if FILE is on the aref rung"));
static cl::list<std::string> oracleSettings(
    "oracle-set", cl::sub(command), cl::value_desc("NAME=VALUE"),
    cl::desc("Fix an alias or a shape parameter of the oracle's program"));
static cl::opt<Schedule> order(
    "order", cl::sub(command), cl::init(Schedule::Fair),
    cl::desc("Who goes on, and when asynchronous work lands:"),
    cl::values(clEnumValN(Schedule::Fair, "fair", "in turn (default)"),
               clEnumValN(Schedule::Random, "random", "from the seed"),
               clEnumValN(Schedule::Adversarial, "adversarial",
                          "as unevenly, and as late, as the waits allow"),
               clEnumValN(Schedule::Timed, "timed",
                          "by what the schedule's model says that operations "
                          "cost")));
static cl::opt<std::string> traceFile(
    "trace", cl::sub(command), cl::value_desc("OUT.json"),
    cl::desc("With --order=timed: write the schedule and the run as a trace "
             "for Chrome or Perfetto"));
static cl::opt<std::string>
    costsName("costs", cl::sub(command), cl::value_desc("NAME|FILE"),
              cl::desc("With --order=timed: the machine whose costs the run "
                       "takes. Default: --machine's, or else h200's, which "
                       "were measured"));
static NumberOption<uint64_t>
    seed("seed", within<uint64_t>(0, UINT64_MAX), cl::sub(command), cl::init(0),
         cl::desc("Of the inputs and of the schedule"));
static NumberOption<unsigned>
    schedules("schedules", within(1u, 1000000u), cl::sub(command), cl::init(1),
              cl::desc("Schedules to try, from this seed and those after it"));
static cl::opt<bool> integers(
    "ints", cl::sub(command),
    cl::desc("Inputs are integers in [-2, 2] and results must be equal "
             "bit for bit; otherwise inputs are N(0, 1)"));
static NumberOption<int64_t>
    maxSteps("max-steps", within<int64_t>(1, INT64_MAX), cl::sub(command),
             cl::init(simulator::Options().maxSteps),
             cl::desc("Operations to execute before giving up"));

static cl::opt<std::string> svgFile(
    "svg", cl::sub(command), cl::value_desc("OUT.svg"),
    cl::desc("With --order=timed: draw the steady state, as heddle explain "
             "draws the schedule's; of an einsum program the graph of streams, "
             "and what its processes wait for"));

static FlowOptions flowOptions(command);

/// Machine code takes some minutes for these; streams of tensors end before.
static constexpr int64_t kMostCompiledSteps = 20'000'000'000;

static constexpr int kWrongResult = 1, kBadUse = 3;

namespace {

/// A program text with all it needs to live.
struct Loaded {
  Source source;
  std::unique_ptr<mlir::MLIRContext> context;
  std::optional<pipeline::DiagnosticPrinter> printer;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Rung rung = Rung::Tile;
};

struct Session {
  Loaded program;
  std::optional<Loaded> oracle;        ///< none: nothing to compare with
  std::vector<TimingModel> models;     ///< of each kernel, for the timed order
  std::optional<machine::Units> units; ///< of processes on units, for the same
  tile::KernelOp kernel;
  manifest::Manifest manifest;
  StringSet<> read;                 ///< names of the arguments that are read
  std::vector<ArgumentData> inputs; ///< those that are only written: poison
  std::vector<ArgumentData> reference, scale;
};

} // namespace

static bool load(StringRef file, ArrayRef<std::string> settings,
                 Loaded &loaded) {
  Expected<Source> source = loadSource(file, settings);
  if (!source) {
    fail(source.takeError());
    return false;
  }
  loaded.source = std::move(*source);
  loaded.context = pipeline::createContext();
  loaded.printer.emplace(*loaded.context, loaded.source);
  loaded.module = pipeline::parse(loaded.source, *loaded.context);
  if (!loaded.module)
    return false;
  auto rung = pipeline::detectRung(*loaded.module);
  if (failed(rung))
    return false;
  loaded.rung = *rung;
  return true;
}

static bool isOnUnits(mlir::ModuleOp module) {
  bool found = false;
  module.walk([&](mlir::Operation *op) {
    if (auto process = mlir::dyn_cast<aref::ProcessOp>(op))
      found |= process.getUnit().has_value();
    if (auto process = mlir::dyn_cast<sched::ProcessOp>(op))
      found |= process.getUnit().has_value();
  });
  return found;
}

/// The machine of a program on units: --costs, --machine, or what the program
/// says. What has no costs yet gets them there.
static bool findUnits(Session &session) {
  mlir::ModuleOp module = *session.program.module;
  std::string name =
      costsName.empty() ? programOptions.machine.getValue() : costsName;
  if (failed(pipeline::priceUnits(module, name)))
    return false;
  module.walk([&](tile::KernelOp kernel) {
    if (auto own = kernel->getAttrOfType<mlir::StringAttr>(aref::kMachine))
      name = own.str();
  });
  std::string error;
  return machine::findUnits(name, session.units.emplace(), error);
}

/// On the way, what the schedule knows of costs is noted for the timed order.
static bool lowerToAref(Session &session) {
  Loaded &program = session.program;
  pipeline::LowerOptions options{programOptions.schedule,
                                 programOptions.machine};
  if (order == Schedule::Timed &&
      (machine::isMachineOfUnits(options.machineName()) ||
       isOnUnits(*program.module)))
    return succeeded(pipeline::lower(*program.module, program.rung, Rung::Aref,
                                     options)) &&
           findUnits(session);
  if (order != Schedule::Timed)
    return succeeded(
        pipeline::lower(*program.module, program.rung, Rung::Aref, options));
  if (program.rung > Rung::Sched) {
    fail(diag::rung_below,
         program.source.path + " is on the " + spelling(program.rung) +
             " rung, where nobody knows any more what operations cost");
    return false;
  }
  if (failed(
          pipeline::lower(*program.module, program.rung, Rung::Sched, options)))
    return false;
  machine::Costs costs;
  std::string error;
  std::string name = costsName.empty() ? options.machineName() : costsName;
  if (!machine::findMachine(name, costs, error)) {
    fail(diag::machine, error);
    return false;
  }
  program.module->walk([&](sched::PlanOp plan) {
    session.models.push_back(TimingModel::read(plan, costs));
  });
  return succeeded(
      pipeline::lower(*program.module, Rung::Sched, Rung::Aref, options));
}

/// The program on the aref rung, and the tile program that it must agree with.
static bool loadAll(Session &session) {
  Loaded &program = session.program;
  if (program.rung > Rung::Aref) {
    fail(diag::rung_below,
         program.source.path + " is on the " + spelling(program.rung) +
             " rung; the simulator runs the aref rung and those above");
    return false;
  }
  bool isItsOwnOracle = oracleFile.empty() && program.rung < Rung::Aref;
  if (isItsOwnOracle || !oracleFile.empty()) {
    StringRef file = isItsOwnOracle ? programOptions.file : oracleFile;
    ArrayRef<std::string> settings =
        isItsOwnOracle ? programOptions.settings : oracleSettings;
    if (!load(file, settings, session.oracle.emplace()))
      return false;
  }
  return lowerToAref(session);
}

static bool findKernel(Session &session) {
  std::string names;
  unsigned count = 0;
  for (auto kernel : session.program.module->getOps<tile::KernelOp>()) {
    ++count;
    names += (names.empty() ? "" : ", ") + kernel.getSymName().str();
    if (kernelName.empty() || kernel.getSymName() == kernelName)
      session.kernel = kernel;
  }
  if (session.kernel && (count == 1 || !kernelName.empty()))
    return true;
  fail(diag::kernel_choice, "choose a kernel by --kernel; there are " + names);
  return false;
}

/// Such views hold poison before the run. Poison would spread from what the
/// kernel updates, and what lies behind a pointer may be updated through
/// another.
static bool isOnlyWritten(const Session &session, const ArgumentData &data) {
  return data.isView() && data.argument().written &&
         !session.read.contains(data.argument().name);
}

static Error fillArguments(Session &session) {
  auto arguments = argumentOptions.make(session.manifest);
  if (!arguments)
    return arguments.takeError();
  session.inputs = std::move(*arguments);
  session.read =
      findArgumentsRead(session.kernel->getParentOfType<mlir::ModuleOp>(),
                        session.manifest.kernel);
  for (auto [index, data] : enumerate(session.inputs))
    if (isOnlyWritten(session, data))
      data.poison();
    else if (data.hasMemory())
      data.fillRandom(integers ? InputKind::Integers : InputKind::Normal,
                      seed * 1000 + index);
  if (Error error = contentOptions.fill(session.inputs))
    return error;
  for (const std::string &name : printed)
    if (auto data = findView(session.inputs, "--print", name); !data)
      return data.takeError();
  return Error::success();
}

static std::vector<ArgumentData> cloneAll(ArrayRef<ArgumentData> arguments) {
  std::vector<ArgumentData> copies;
  for (const ArgumentData &data : arguments)
    copies.push_back(data.clone());
  return copies;
}

/// --max-steps raises the oracle's limit too.
static int64_t oracleSteps() {
  return std::max<int64_t>(kMostOracleSteps, maxSteps);
}

/// The oracle's results, and its results for the inputs' magnitudes.
static mlir::LogicalResult runOracles(Session &session) {
  if (!session.oracle)
    return mlir::success();
  mlir::ModuleOp module = *session.oracle->module;
  session.reference = cloneAll(session.inputs);
  if (failed(runOracle(module, session.manifest.kernel, session.reference,
                       oracleSteps())))
    return mlir::failure();
  session.scale = cloneAll(integers ? session.reference : session.inputs);
  if (integers)
    return mlir::success();
  for (ArgumentData &data : session.scale)
    if (!isOnlyWritten(session, data))
      data.makeAbsolute();
  return runOracle(module, session.manifest.kernel, session.scale,
                   oracleSteps());
}

static void printViews(ArrayRef<ArgumentData> results) {
  for (const std::string &name : printed)
    for (const ArgumentData &data : results) {
      if (data.argument().name != name)
        continue;
      outs() << name << " =";
      for (int64_t i = 0; i < data.elementCount(); ++i)
        outs() << " " << describeElement(data, i);
      outs() << "\n";
    }
}

/// True if all that the kernel writes is right, behind views and behind
/// pointers.
static bool compareAll(const Session &session, ArrayRef<ArgumentData> results) {
  bool isRight = true;
  for (auto [result, reference, scale] :
       zip(results, session.reference, session.scale)) {
    if (!result.hasMemory() || !result.argument().written)
      continue;
    Difference difference = compare(
        result, reference, scale, integers ? Tolerance::exact() : Tolerance());
    outs() << result.argument().name << ": ";
    if (difference.maxAbsolute == 0 && difference.wrong == 0)
      outs() << "equal to the oracle\n";
    else if (difference.wrong == 0)
      outs() << "max error " << format("%.3g", difference.maxAbsolute)
             << "; right\n";
    else
      outs() << "WRONG in " << difference.wrong << " of "
             << reference.elementCount() << " elements, first at "
             << describePosition(reference, difference.firstWrong) << ": "
             << describeElement(result, difference.firstWrong) << " for "
             << describeElement(reference, difference.firstWrong) << "\n";
    isRight &= difference.wrong == 0;
  }
  return isRight;
}

static const TimingModel *findModel(const Session &session) {
  for (const TimingModel &model : session.models)
    if (model.kernel == session.manifest.kernel)
      return &model;
  return nullptr;
}

static int reportTimes(const TimingModel &model,
                       const simulator::TimedRun &timedRun) {
  outs() << timedRun.cycles << " cycles\n";
  printIntervals(model, timedRun, outs());
  if (!svgFile.empty())
    if (int status = writeText(svgFile, drawRun(model, timedRun)))
      return status;
  if (traceFile.empty())
    return kFine;
  return writeText(traceFile, traceBoth(model, timedRun));
}

static int reportUnits(const simulator::TimedRun &run) {
  printUnits(run, outs());
  if (!svgFile.empty())
    if (int status = writeText(svgFile, drawUnits(run)))
      return status;
  return traceFile.empty() ? kFine : writeText(traceFile, traceUnits(run));
}

static int simulateAll(Session &session) {
  for (unsigned number = 0; number < schedules; ++number) {
    simulator::Options options;
    options.schedule = order;
    options.seed = seed + number;
    options.maxSteps = maxSteps;
    options.output = &outs();
    simulator::Timing timing;
    simulator::TimedRun timedRun;
    const TimingModel *model = findModel(session);
    if (model)
      timing = model->timing();
    if (session.units)
      timing.units = &*session.units;
    options.timing = &timing;
    options.run = &timedRun;
    std::vector<ArgumentData> results = cloneAll(session.inputs);
    if (failed(simulator::simulate(
            session.kernel, toInterpreter(session.kernel, results), options))) {
      outs() << "failed under seed " << options.seed << "\n";
      return kWrongResult;
    }
    printViews(results);
    if (session.units)
      if (int status = reportUnits(timedRun))
        return status;
    if (model)
      if (int status = reportTimes(*model, timedRun))
        return status;
    if (session.oracle && !compareAll(session, results)) {
      outs() << "wrong under seed " << options.seed << "\n";
      return kWrongResult;
    }
  }
  if (!session.oracle)
    outs() << "not compared; --oracle FILE names a tile program\n";
  return kFine;
}

static int run() {
  if (!(traceFile.empty() && svgFile.empty()) && order != Schedule::Timed)
    return fail(diag::usage, "--trace and --svg need --order=timed, the "
                             "only order in which steps have a time");
  Session session;
  if (!load(programOptions.file, programOptions.settings, session.program))
    return kBadUse;
  Rung rung = session.program.rung;
  if (rung == Rung::Einsum) {
    if (int status =
            refuseGiven({argumentOptions.scalars, contentOptions.contents,
                         printed, kernelName, oracleFile, oracleSettings},
                        programOptions.file, rung))
      return status;
    FlowRequest request;
    request.views = argumentOptions.views;
    if (programOptions.machine.getNumOccurrences())
      request.machine = programOptions.machine;
    request.seed = seed;
    request.integers = integers;
    request.schedules = schedules;
    request.svgFile = svgFile;
    request.traceFile = traceFile;
    request.options.schedule = order;
    request.options.seed = seed;
    request.options.maxSteps = maxSteps;
    request.mostCompiledSteps =
        maxSteps.getNumOccurrences() ? maxSteps : kMostCompiledSteps;
    int status = simulateFlow(*session.program.module, flowOptions, request);
    // What a message says of itself: declined, or bad input.
    int worst = diag::exitCode(session.program.printer->worst());
    return status == kBadUse && worst ? worst : status;
  }
  if (int status = refuseGiven(
          {flowOptions.operands.densities, flowOptions.operands.patterns,
           flowOptions.operands.elements, flowOptions.plan, flowOptions.tokens,
           flowOptions.regions, flowOptions.reassociates, flowOptions.slots,
           flowOptions.emitProcesses, flowOptions.engine, flowOptions.speed,
           flowOptions.profile},
          programOptions.file, rung))
    return status;
  if (!loadAll(session) || !findKernel(session))
    return kBadUse;
  auto manifest = describeArguments(session.kernel);
  if (failed(manifest))
    return kBadUse;
  session.manifest = std::move(*manifest);
  if (Error error = fillArguments(session))
    return fail(std::move(error));
  if (failed(runOracles(session)))
    return kBadUse;
  return simulateAll(session);
}

Command heddle::tool::getSimulateCommand() { return {command, run}; }
