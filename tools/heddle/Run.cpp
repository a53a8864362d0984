//===- Run.cpp - heddle run -----------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compile, fill the inputs, poison the outputs, launch twice, compare with the
// oracle after each launch.
//
//===----------------------------------------------------------------------===//

#include "ArgumentOptions.h"
#include "Command.h"
#include "InnerRounding.h"
#include "KernelArguments.h"
#include "Program.h"
#include "RunEinsum.h"
#include "StampTrace.h"
#include "WriteText.h"
#include "heddle/Run/Compare.h"
#include "heddle/Run/Device.h"
#include "heddle/Run/Oracle.h"

#include "heddle/Conversion/Stamps.h"
#include "heddle/Machine/Processor.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::CompiledKernel;
using pipeline::Rung;

namespace {
enum class Where { Auto, Gpu, Emulator, Cpu };
} // namespace

static cl::SubCommand command("run",
                              "Compile, run and compare with the oracle");
static ProgramOptions programOptions(command);
static ArgumentOptions argumentOptions(command);
static TileOptions tileOptions(command);
static OtherTilesOption otherTiles(command);
static ContentOptions contentOptions(command);
static EinsumRunOptions einsumOptions(command);
static cl::opt<std::string>
    kernelName("kernel", cl::sub(command), cl::value_desc("NAME"),
               cl::desc("Which kernel to run, if the program holds several"));
static cl::opt<std::string> oracleFile(
    "oracle", cl::sub(command), cl::value_desc("FILE"),
    cl::desc("The tile program to compare with, if FILE is a lower rung"));
static cl::opt<Where>
    where("device", cl::sub(command), cl::init(Where::Auto),
          cl::desc("Where to run:"),
          cl::values(clEnumValN(Where::Auto, "auto",
                                "the GPU if there is one (default)"),
                     clEnumValN(Where::Gpu, "gpu", "the GPU"),
                     clEnumValN(Where::Emulator, "emulator",
                                "the GPU's code, executed by the CPU"),
                     clEnumValN(Where::Cpu, "cpu",
                                "code for this processor, on --workers")));
static NumberOption<uint64_t>
    seed("seed", within<uint64_t>(0, UINT64_MAX), cl::sub(command), cl::init(0),
         cl::desc("Of the inputs and of the emulator"));
static cl::opt<bool> integers(
    "ints", cl::sub(command),
    cl::desc("Inputs are integers in [-2, 2] and results must be equal "
             "bit for bit; otherwise inputs are N(0, 1)"));
static NumberOption<unsigned> repeat("repeat", within(1u, 1000000u),
                                     cl::sub(command), cl::init(1),
                                     cl::desc("Launches to time on the GPU, or "
                                              "runs of an einsum program"));
static NumberOption<int> multiprocessors(
    "sms", within(1, 65536), cl::sub(command), cl::init(132),
    cl::desc("Multiprocessors that the emulated grid is planned for"));
static cl::opt<emulator::Schedule>
    order("order", cl::sub(command), cl::init(emulator::Schedule::Fair),
          cl::desc("How the emulator orders asynchronous work:"),
          cl::values(clEnumValN(emulator::Schedule::Fair, "fair",
                                "warps in turn (default)"),
                     clEnumValN(emulator::Schedule::Random, "random",
                                "from the seed"),
                     clEnumValN(emulator::Schedule::Adversarial, "adversarial",
                                "as early or as late as the waits allow")));
static cl::opt<bool> debugWaits(
    "debug-waits", cl::sub(command),
    cl::desc("Compile waits that trap after 2 s and say who waited where"));
static cl::opt<std::string> traceFile(
    "trace", cl::sub(command), cl::value_desc("OUT.json"),
    cl::desc("Compile a kernel that notes the clock, and write what the "
             "processes of its first CTA did when, for Chrome or Perfetto"));
static NumberOption<int64_t>
    maxSteps("max-steps", within<int64_t>(1, INT64_MAX), cl::sub(command),
             cl::init(kMostOracleSteps),
             cl::desc("Operations of the oracle, and warp instructions of a "
                      "CTA on the emulator, before giving up"));
static NumberOption<int64_t>
    maxCtas("max-ctas", within<int64_t>(1, INT64_MAX), cl::sub(command),
            cl::init(emulator::Options().maxCtas),
            cl::desc("CTAs that a launch may have on the emulator"));
static cl::opt<bool> checkRaces(
    "check-races", cl::sub(command), cl::init(true),
    cl::desc("Report memory accesses on the emulator that nothing orders "
             "(default on)"));

namespace {

/// Everything one run needs, in the order in which it comes to be.
struct Session {
  std::unique_ptr<Program> program;
  mlir::OwningOpRef<mlir::ModuleOp> oracle;
  CompiledKernel kernel;
  manifest::Manifest manifest;
  StringSet<> read;                 ///< arguments whose memory the kernel reads
  std::vector<ArgumentData> inputs; ///< what is only written is poisoned
  std::vector<ArgumentData> reference; ///< after the oracle
  std::vector<ArgumentData> scale;     ///< the oracle on magnitudes
  std::unique_ptr<Device> device;
  double innerRounding = 0; ///< see InnerRounding.h
};

/// Null if the program has no tile form to compare with.
/// These steps return an exit code.
int loadOracle(Session &session) {
  Program &program = *session.program;
  if (oracleFile.empty() && program.rung() <= Rung::Sched) {
    session.oracle = program.module().clone();
    return kFine;
  }
  if (oracleFile.empty())
    return fail(diag::oracle_missing,
                program.path() + " is on the " + spelling(program.rung()) +
                    " rung; name the tile program it came from by --oracle "
                    "FILE");
  Expected<Source> source = loadSource(oracleFile, {});
  if (!source)
    return fail(source.takeError());
  session.oracle = pipeline::parse(*source, *program.module().getContext());
  return session.oracle ? kFine : program.exitCode();
}

int reportKernelChoice(ArrayRef<std::string> names) {
  return fail(diag::kernel_choice, "choose a kernel by --kernel; there are " +
                                       llvm::join(names, ", "));
}

/// The kernel as the tile rung has it, and no code yet: that needs no manifest.
int describeForCpu(Session &session) {
  Program &program = *session.program;
  if (program.rung() != Rung::Tile)
    return fail(diag::rung_below,
                "the way to the CPU leaves the ladder at tile, and " +
                    program.path() + " is on the " + spelling(program.rung()) +
                    " rung");
  tile::KernelOp found;
  std::vector<std::string> names;
  for (auto kernel : program.module().getOps<tile::KernelOp>()) {
    names.push_back(kernel.getSymName().str());
    if (kernelName.empty() || kernel.getSymName() == kernelName)
      found = kernel;
  }
  if (!found || (kernelName.empty() && names.size() > 1))
    return reportKernelChoice(names);
  auto manifest = describeArguments(found);
  if (failed(manifest))
    return program.exitCode();
  session.manifest = std::move(*manifest);
  return kFine;
}

/// Compiles for this processor, by the figures of --machine.
int createCpuDevice(Session &session) {
  machine::Processor processor = machine::defaultProcessor();
  const std::string &name = session.program->options().machine;
  std::string error;
  if (!name.empty() && !machine::findProcessor(name, processor, error))
    return fail(diag::machine, error);
  unsigned workers = einsumOptions.workers;
  if (workers < 1 || workers > 1024)
    return fail(diag::usage, "--workers is 1 to 1024, not " + Twine(workers));
  auto device = tool::createCpuDevice(
      session.program->module(), session.manifest, processor, int(workers));
  if (failed(device))
    return session.program->exitCode();
  session.device = std::move(*device);
  return kFine;
}

/// As far as every launch is the same.
int lowerKernel(Session &session) {
  if (int status = debugWaits ? session.program->debugWaits() : kFine)
    return status;
  if (int status =
          traceFile.empty() ? kFine : session.program->trace(kTraceAll))
    return status;
  auto others = otherTiles.request();
  if (!others)
    return fail(others.takeError());
  if (where == Where::Emulator)
    session.program->takeFaulty();
  auto manifests = session.program->lowerToNvvm(*others);
  if (failed(manifests))
    return session.program->exitCode();
  auto found =
      llvm::find_if(*manifests, [](const manifest::Manifest &manifest) {
        return kernelName.empty() || manifest.kernel == kernelName;
      });
  if (found == manifests->end() ||
      (kernelName.empty() && manifests->size() > 1)) {
    std::vector<std::string> names;
    for (const manifest::Manifest &manifest : *manifests)
      names.push_back(manifest.kernel);
    return reportKernelChoice(names);
  }
  session.manifest = std::move(*found);
  return kFine;
}

/// Poison would spread from what the kernel updates.
bool isOnlyWritten(const Session &session, const ArgumentData &data) {
  return data.argument().written &&
         !session.read.contains(data.argument().name);
}

Error fillArguments(Session &session) {
  auto arguments = argumentOptions.make(
      traceFile.empty() ? session.manifest : withoutTrace(session.manifest));
  if (!arguments)
    return arguments.takeError();
  session.inputs = std::move(*arguments);
  session.read = findArgumentsRead(*session.oracle, session.manifest.kernel);
  for (auto [index, data] : enumerate(session.inputs))
    // What lies behind a pointer may be updated through another.
    if (data.isView() && isOnlyWritten(session, data))
      data.poison();
    else if (data.hasMemory())
      data.fillRandom(integers ? InputKind::Integers : InputKind::Normal,
                      seed * 1000 + index);
  return contentOptions.fill(session.inputs);
}

std::vector<ArgumentData> cloneAll(ArrayRef<ArgumentData> arguments) {
  std::vector<ArgumentData> copies;
  for (const ArgumentData &data : arguments)
    copies.push_back(data.clone());
  return copies;
}

mlir::LogicalResult runOracles(Session &session) {
  session.reference = cloneAll(session.inputs);
  if (failed(runOracle(*session.oracle, session.manifest.kernel,
                       session.reference, maxSteps)))
    return mlir::failure();
  session.scale = cloneAll(integers ? session.reference : session.inputs);
  if (integers)
    return mlir::success();
  for (ArgumentData &data : session.scale)
    if (!data.hasMemory() || !isOnlyWritten(session, data))
      data.makeAbsolute();
  return runOracle(*session.oracle, session.manifest.kernel, session.scale,
                   maxSteps);
}

EmulatorSettings emulatorSettings() {
  EmulatorSettings settings;
  settings.options.seed = seed;
  settings.options.schedule = order;
  settings.options.checkRaces = checkRaces;
  settings.options.maxCtas = maxCtas;
  settings.options.maxStepsPerCta = maxSteps;
  settings.multiprocessors = multiprocessors;
  return settings;
}

/// What a launch takes: the inputs, and where stamps go.
std::vector<ArgumentData> makeLaunchArguments(const Session &session) {
  std::vector<ArgumentData> arguments = cloneAll(session.inputs);
  if (!traceFile.empty())
    arguments.push_back(makeTrace(session.manifest));
  return arguments;
}

/// A GPU gets the kernel whole, the emulator what it will launch of it.
int translateForDevice(Session &session) {
  std::string reason;
  bool useGpu =
      where == Where::Gpu || (where == Where::Auto && isGpuUsable(reason));
  EmulatorSettings settings = emulatorSettings();
  std::vector<int> variants;
  if (!useGpu) {
    auto chosen = chooseVariants(session.manifest, makeLaunchArguments(session),
                                 settings);
    if (!chosen)
      return fail(chosen.takeError());
    variants = std::move(*chosen);
  }
  auto kernel = pipeline::translateKernel(session.program->module(),
                                          session.manifest, variants);
  if (failed(kernel))
    return session.program->exitCode();
  session.kernel = std::move(*kernel);
  auto device =
      useGpu ? createGpuDevice(session.kernel, session.manifest)
             : createEmulatorDevice(session.kernel, session.manifest, settings);
  if (!device)
    return fail(device.takeError());
  session.device = std::move(*device);
  return kFine;
}

std::string describeShape(const ArgumentData &data) {
  std::string text;
  for (int64_t extent : data.shape())
    text += std::to_string(extent) + "x";
  return text + manifest::spelling(data.argument().element);
}

void printDifference(const ArgumentData &reference, const Difference &worst,
                     const ArgumentData &result) {
  outs() << reference.argument().name << " (" << describeShape(reference)
         << "): ";
  if (worst.maxAbsolute == 0)
    outs() << "equal to the oracle";
  else
    outs() << "max error " << format("%.3g", worst.maxAbsolute) << ", "
           << format("%.3g", worst.maxEpsilons) << " eps of "
           << manifest::spelling(reference.argument().element)
           << " x the result for |inputs|";
  if (worst.wrong == 0) {
    outs() << "; right\n";
    return;
  }
  outs() << "; WRONG in " << worst.wrong << " of " << reference.elementCount()
         << " elements, first at "
         << describePosition(reference, worst.firstWrong) << ": "
         << describeElement(result, worst.firstWrong) << " for "
         << describeElement(reference, worst.firstWrong) << "\n";
}

Tolerance chooseTolerance(const Session &session) {
  if (integers)
    return Tolerance::exact();
  Tolerance tolerance;
  tolerance.accumulator =
      std::max(tolerance.accumulator, session.innerRounding);
  return tolerance;
}

std::string describeTolerance(const Session &session) {
  if (integers)
    return "none (integer inputs)";
  if (chooseTolerance(session).accumulator == Tolerance().accumulator)
    return "1 eps of the value + 2^-15 of the result for |inputs| "
           "(256 roundings to f32)";
  return ("1 eps of the value + 2^" +
          Twine(int(std::log2(session.innerRounding))) +
          " of the result for |inputs| (a rounding inside the program)")
      .str();
}

/// True if every written view is right.
bool compareOutputs(const Session &session, ArrayRef<ArgumentData> results,
                    bool print) {
  Tolerance tolerance = chooseTolerance(session);
  bool right = true;
  for (auto [result, reference, scale] :
       zip(results, session.reference, session.scale)) {
    if (!result.hasMemory() || !result.argument().written)
      continue;
    Difference difference = compare(result, reference, scale, tolerance);
    if (print || difference.wrong)
      printDifference(reference, difference, result);
    right &= difference.wrong == 0;
  }
  return right;
}

int writeTrace(const Session &session, const ArgumentData &trace) {
  return writeText(
      traceFile,
      drawStamps(session.manifest.variants[session.device->variant()], trace,
                 session.device->name()));
}

void printKernel(const Session &session) {
  outs() << "kernel " << session.manifest.kernel;
  const auto &variants = session.manifest.variants;
  if (!variants.empty())
    outs() << ", variant " << variants[session.device->variant()].entry << " ("
           << session.device->variant() + 1 << " of " << variants.size() << ")";
  outs() << ", on " << session.device->name() << "\n";
}

/// Launches twice: the second launch must find everything as the first did.
int launchAndCompare(Session &session) {
  std::vector<ArgumentData> results;
  for (int round = 0; round < 2; ++round) {
    results = makeLaunchArguments(session);
    if (Error error = session.device->launch(results))
      return fail(std::move(error));
    if (round == 0)
      printKernel(session);
    if (!compareOutputs(session, results, round == 1))
      return fail(diag::wrong_result,
                  Twine(round ? "the second" : "the first") +
                      " launch of kernel " + session.manifest.kernel +
                      " differs from the oracle");
  }
  if (int status =
          traceFile.empty() ? kFine : writeTrace(session, results.back()))
    return status;
  auto milliseconds = session.device->timeMilliseconds(results, repeat);
  if (!milliseconds)
    return fail(milliseconds.takeError());
  outs() << "tolerance: " << describeTolerance(session)
         << "; time: " << format("%.4g", *milliseconds) << " ms a launch\n";
  return kFine;
}

} // namespace

static int run() {
  Session session;
  session.program = std::make_unique<Program>(
      programOptions, tileOptions.request(&argumentOptions));
  if (!session.program->isValid())
    return session.program->exitCode();
  const Program &program = *session.program;
  if (program.rung() == Rung::Einsum) {
    if (int status =
            refuseGiven({argumentOptions.scalars, contentOptions.contents,
                         kernelName, oracleFile, debugWaits, traceFile},
                        program.path(), program.rung()))
      return status;
    EinsumRun request;
    request.views.assign(argumentOptions.views.begin(),
                         argumentOptions.views.end());
    request.seed = seed;
    request.integers = integers;
    request.repeat = repeat;
    request.maxSteps = maxSteps;
    EinsumDevice device{where == Where::Gpu, emulatorSettings()};
    if (where == Where::Gpu || where == Where::Emulator)
      request.device = &device;
    return runEinsum(*session.program, einsumOptions, request);
  }
  if (int status = refuseGiven({einsumOptions.operands.densities,
                                einsumOptions.operands.patterns,
                                einsumOptions.operands.elements,
                                einsumOptions.plan, einsumOptions.interpret},
                               program.path(), program.rung()))
    return status;
  if (int status = loadOracle(session))
    return status;
  bool isForCpu = where == Where::Cpu;
  if (isForCpu && (debugWaits || !traceFile.empty()))
    return fail(diag::usage, "--debug-waits and --trace are for kernels of "
                             "several processes, and on the CPU there is one");
  if (int status = isForCpu ? describeForCpu(session) : lowerKernel(session))
    return status;
  session.innerRounding = findInnerRounding(*session.oracle);
  if (Error error = fillArguments(session))
    return fail(std::move(error));
  // Before the oracle, which takes longer than finding that there is no way.
  if (int status = isForCpu ? createCpuDevice(session) : kFine)
    return status;
  if (failed(runOracles(session)))
    return session.program->exitCode();
  if (int status = isForCpu ? kFine : translateForDevice(session))
    return status;
  return launchAndCompare(session);
}

Command heddle::tool::getRunCommand() { return {command, run}; }
