//===- TuneKernel.cpp - heddle tune of a program --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each point is lowered whole, so that whatever a compilation would refuse is
// an invalid point with the diagnostic's id. The tiles' estimates, which take
// milliseconds for all of them, are the search's prior; what the busiest unit
// works is its lower bound.
//
//===----------------------------------------------------------------------===//

#include "TuneKernel.h"

#include "Command.h"
#include "KernelArguments.h"
#include "TuneEinsum.h"
#include "TuneLoop.h"
#include "TunePoint.h"
#include "TuneReport.h"
#include "WriteText.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Evaluate/Evaluate.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Run/Device.h"
#include "heddle/Run/ElementFormat.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/TuneSpaces/KernelSpace.h"
#include "heddle/Tuner/Confirm.h"
#include "heddle/Tuner/Scenario.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;
using tunespaces::KernelSpace;

TuneKernelOptions::TuneKernelOptions(cl::SubCommand &command)
    : arguments(command), operands(command),
      workers("workers", within(1u, 1024u), cl::sub(command), cl::init(2),
              cl::value_desc("COUNT"),
              cl::desc("Threads that share the work of an einsum program")),
      choices("choose", cl::sub(command), cl::CommaSeparated,
              cl::value_desc("tiles,schedule,slots,turns,blocks,bands"),
              cl::desc("Which choices of a program to tune. Default: all, but "
                       "bands of a model, which knows no caches")),
      device("device", cl::sub(command), cl::init(TimeSource::Auto),
             cl::desc("Whose times the points of a program have:"),
             cl::values(clEnumValN(TimeSource::Auto, "auto",
                                   "the GPU's if there is one (default)"),
                        clEnumValN(TimeSource::Gpu, "gpu", "the GPU's"),
                        clEnumValN(TimeSource::Model, "model",
                                   "those that `heddle predict` says"))),
      repeat("repeat", within(1u, 1000000u), cl::sub(command), cl::init(20),
             cl::desc("Launches to time for each point")),
      worth("worth", within(0.0, 100.0), cl::sub(command), cl::init(2),
            cl::value_desc("PERCENT"),
            cl::desc("Points of a program that cannot be faster by this much "
                     "are not tried")),
      output("o", cl::sub(command), cl::value_desc("OUT"),
             cl::desc("Where to write the plan of a program, for `heddle "
                      "compile --mapping`; - is standard output. Default: "
                      "KERNEL.plan.mlir")) {}

std::string TuneKernelOptions::firstGiven() const {
  return tool::firstGiven({arguments.views, arguments.scalars,
                           operands.densities, operands.patterns,
                           operands.elements, workers, choices, device, repeat,
                           worth, output});
}

namespace {

/// A point on the GPU.
struct LoadedKernel {
  pipeline::CompiledKernel kernel;
  manifest::Manifest manifest;
  std::unique_ptr<Device> device; ///< refers to both
};

/// Compiles points and says how long they take.
class KernelTuning {
public:
  KernelTuning(Program &program, const TuneKernelOptions &options,
               const TuneRequest &request)
      : program(program), options(options), request(request) {}

  int run();

private:
  Expected<tunespaces::Choices> readChoices() const;
  Error giveSizes();
  Error chooseSource();
  Expected<tuner::Outcome> measure(const tuner::Point &point);
  tuner::Outcome predict(mlir::ModuleOp planned);
  std::unique_ptr<LoadedKernel> compile(mlir::ModuleOp planned,
                                        std::string &reason);
  std::string start(LoadedKernel &loaded);
  Error fillInputs(const manifest::Manifest &manifest);
  Expected<tuner::Outcome> timeCode(mlir::ModuleOp planned);
  Expected<tuner::Outcome> timeOnGpu(LoadedKernel &loaded);
  Expected<size_t> confirmOnGpu(const TuneJob &job, Tuned &tuned,
                                const tuner::Point &preset);
  std::string digestOfPlan(mlir::ModuleOp planned) const;
  bool isAsBefore(ArrayRef<ArgumentData> results);
  std::string recordKey() const;
  int writePlan(const tuner::Told &best, double preset);

  Program &program;
  const TuneKernelOptions &options;
  const TuneRequest &request;
  std::optional<KernelSpace> space;
  tilechoice::Extents extents;
  manifest::Manifest arguments; ///< the kernel's name and arguments alone
  std::vector<ViewSpec> views;
  std::vector<ScalarSpec> scalars;
  machine::Costs costs;
  bool usesGpu = false; ///< values are its times
  std::string noGpu;    ///< why it cannot measure; "" if it can
  std::string source;   ///< of the values, in words
  std::vector<ArgumentData> inputs, firstResults; ///< on a GPU
  /// By the digests of plans, and of code where it is timed.
  std::map<std::string, tuner::Outcome> outcomes;
};

Expected<tunespaces::Choices> KernelTuning::readChoices() const {
  tunespaces::Choices choices;
  choices.bands = usesGpu;
  if (options.choices.empty())
    return choices;
  choices = {false, false, false, false, false, false};
  for (StringRef name : options.choices) {
    bool *chosen = StringSwitch<bool *>(name)
                       .Case("tiles", &choices.tiles)
                       .Case("schedule", &choices.schedules)
                       .Case("slots", &choices.slots)
                       .Case("turns", &choices.turns)
                       .Case("blocks", &choices.blocks)
                       .Case("bands", &choices.bands)
                       .Default(nullptr);
    if (!chosen)
      return makeError(diag::usage, "--choose is '" + name +
                                        "'; it is tiles, schedule, slots, "
                                        "turns, blocks or bands");
    *chosen = true;
  }
  return choices;
}

/// Vectors and matrices that --view does not name count as tilechoice has them.
Error KernelTuning::giveSizes() {
  auto kernels = to_vector(program.module().getOps<tile::KernelOp>());
  if (kernels.size() != 1)
    return makeError(diag::tuner_kernel, "one kernel is tuned at a time, and " +
                                             program.path() + " has " +
                                             Twine(kernels.size()));
  auto described = describeArguments(kernels.front());
  if (failed(described))
    return makeError(diag::tuner_kernel, "no caller can pass its arguments");
  arguments = *described;
  auto given = parseAll(options.arguments.views, parseViewSpec);
  if (!given)
    return given.takeError();
  views = std::move(*given);
  auto numbers = parseAll(options.arguments.scalars, parseScalarSpec);
  if (!numbers)
    return numbers.takeError();
  scalars = std::move(*numbers);
  std::string open;
  for (const manifest::Argument &argument : arguments.arguments) {
    bool isGiven = any_of(views, [&](const ViewSpec &view) {
      return view.name == argument.name;
    });
    if (isGiven || argument.kind != manifest::Argument::Kind::View ||
        argument.rank > 2)
      continue;
    ViewSpec view;
    view.name = argument.name;
    view.shape.assign(size_t(argument.rank), tilechoice::kOpenExtent);
    views.push_back(view);
    open += (open.empty() ? "" : ", ") + argument.name;
  }
  if (!open.empty())
    outs() << "extents of " << open << " count as " << tilechoice::kOpenExtent
           << "; --view gives others\n";
  for (const ViewSpec &view : views)
    extents.views[view.name] = view.shape;
  for (const ScalarSpec &scalar : scalars)
    extents.scalars[scalar.name] = scalar.number.value;
  return checkSizes(program.module(), extents);
}

Error KernelTuning::chooseSource() {
  tilechoice::Options choice = program.tileOptions();
  if (choice.machine.name.empty()) {
    std::string error;
    machine::findMachine(program.options().machineName(), costs, error);
    return makeError(diag::machine, error);
  }
  costs = choice.machine;
  bool hasGpu = options.device != TimeSource::Model && isGpuUsable(noGpu);
  // What a GPU elsewhere measured is looked at without one.
  bool replays = options.device == TimeSource::Gpu && !request.replay.empty();
  usesGpu = hasGpu || replays;
  if (options.device == TimeSource::Gpu && !usesGpu)
    return makeError(diag::device_missing, noGpu);
  if (usesGpu && !pipeline::isCodeMadeFor(costs))
    return makeError(diag::tuner_kernel,
                     "there is no code for machine '" + costs.name +
                         "'; --device=model takes its model's times");
  source = usesGpu ? "milliseconds on the GPU"
                   : "cycles by the model of " + costs.name;
  if (!usesGpu && options.device == TimeSource::Auto)
    source += ", since no GPU is there";
  return Error::success();
}

tuner::Outcome KernelTuning::predict(mlir::ModuleOp planned) {
  ErrorKeeper errors(planned.getContext());
  if (pipeline::isCodeMadeFor(costs)) { // or its code might not be laid out
    mlir::OwningOpRef<mlir::ModuleOp> code = planned.clone();
    if (failed(
            pipeline::lower(*code, Rung::Sched, Rung::Nvvm, program.options())))
      return invalidPoint(idOf(errors.first));
  }
  auto data = makeArguments(arguments, views, scalars, Backing::None);
  if (!data)
    return invalidPoint(idOf(toString(data.takeError())));
  auto kernel = planned.lookupSymbol<tile::KernelOp>(space->kernel());
  evaluate::Launch launch;
  launch.arguments = toSizes(kernel, *data);
  launch.workers = costs.limits.multiprocessors;
  auto score = evaluate::evaluate(planned, space->kernel(), costs, launch);
  if (failed(score))
    return invalidPoint(idOf(errors.first));
  return validPoint(double(score->cycles));
}

/// Some elements of what the kernel writes, beside what the first point wrote:
/// sums in another order differ by roundings, and faults by more.
bool KernelTuning::isAsBefore(ArrayRef<ArgumentData> results) {
  constexpr int64_t kStep = 997;
  constexpr double kMost = 1.0 / 64;
  if (firstResults.empty()) {
    for (const ArgumentData &result : results)
      firstResults.push_back(result.clone());
    return true;
  }
  for (auto [result, first] : zip(results, firstResults)) {
    if (!result.isView() || !result.argument().written)
      continue;
    double largest = 0, furthest = 0;
    auto at = [](const ArgumentData &data, int64_t k) {
      return finite(data.argument().element, data.element(k));
    };
    for (int64_t k = 0; k < first.elementCount(); k += kStep) {
      double found = at(result, k), expected = at(first, k);
      if (std::isnan(found) != std::isnan(expected))
        return false;
      if (std::isnan(found))
        continue;
      if (std::isfinite(first.element(k)))
        largest = std::max(largest, std::abs(expected));
      furthest = std::max(furthest, std::abs(found - expected));
    }
    if (furthest > kMost * largest)
      return false;
  }
  return true;
}

/// Null with the reason.
std::unique_ptr<LoadedKernel> KernelTuning::compile(mlir::ModuleOp planned,
                                                    std::string &reason) {
  auto loaded = std::make_unique<LoadedKernel>();
  {
    ErrorKeeper errors(planned.getContext());
    auto compiled = pipeline::compileToPtx(planned, program.options());
    if (failed(compiled)) {
      reason = idOf(errors.first);
      return nullptr;
    }
    loaded->kernel = std::move(compiled->front());
  }
  std::string error;
  if (!manifest::parse(loaded->kernel.manifest, loaded->manifest, error)) {
    reason = "manifest";
    return nullptr;
  }
  return loaded;
}

/// Gives what was compiled to the GPU; "" or the reason why it does not take
/// it.
std::string KernelTuning::start(LoadedKernel &loaded) {
  auto device = createGpuDevice(loaded.kernel, loaded.manifest);
  if (!device)
    return idOf(toString(device.takeError()));
  loaded.device = std::move(*device);
  return "";
}

Error KernelTuning::fillInputs(const manifest::Manifest &manifest) {
  if (!inputs.empty())
    return Error::success();
  auto made = makeArguments(manifest, views, scalars);
  if (!made)
    return made.takeError();
  inputs = std::move(*made);
  for (auto [index, data] : enumerate(inputs))
    if (data.hasMemory())
      data.fillRandom(InputKind::Normal, index);
  return Error::success();
}

Expected<tuner::Outcome> KernelTuning::timeOnGpu(LoadedKernel &loaded) {
  constexpr int kTimes = 5;
  if (!noGpu.empty())
    return makeError(diag::device_missing,
                     "a point has no value in the record, and " + noGpu);
  if (std::string reason = start(loaded); !reason.empty())
    return invalidPoint(reason);
  if (Error error = fillInputs(loaded.manifest))
    return error;
  std::vector<ArgumentData> results;
  for (const ArgumentData &data : inputs)
    results.push_back(data.clone());
  if (Error error = loaded.device->launch(results))
    return invalidPoint(idOf(toString(std::move(error))));
  if (!isAsBefore(results))
    return invalidPoint("wrong-result");
  std::vector<double> times;
  for (int k = 0; k < kTimes; ++k) {
    auto time = loaded.device->timeMilliseconds(results, int(options.repeat));
    if (!time)
      return invalidPoint(idOf(toString(time.takeError())));
    times.push_back(*time);
  }
  llvm::sort(times);
  return validPoint(times[kTimes / 2]);
}

/// The points that may win are timed again beside the program's own settings;
/// the index of the winner among those told.
Expected<size_t> KernelTuning::confirmOnGpu(const TuneJob &job, Tuned &tuned,
                                            const tuner::Point &preset) {
  std::map<tuner::Point, std::unique_ptr<LoadedKernel>> kernels;
  auto time = [&](const tuner::Point &point) -> std::optional<double> {
    auto [found, isNew] = kernels.try_emplace(point);
    if (isNew) {
      std::string reason;
      mlir::OwningOpRef<mlir::ModuleOp> planned = space->configure(point);
      found->second = compile(*planned, reason);
      if (found->second && !start(*found->second).empty())
        found->second.reset();
    }
    if (!found->second)
      return std::nullopt;
    if (Error error = fillInputs(found->second->manifest)) {
      consumeError(std::move(error));
      return std::nullopt;
    }
    auto milliseconds =
        found->second->device->timeMilliseconds(inputs, int(options.repeat));
    if (milliseconds)
      return *milliseconds;
    consumeError(milliseconds.takeError());
    return std::nullopt;
  };
  return confirmBest(job, tuned, preset, time);
}

/// Choices may leave the same plan.
std::string KernelTuning::digestOfPlan(mlir::ModuleOp planned) const {
  mlir::OwningOpRef<mlir::ModuleOp> copy = planned.clone();
  copy->lookupSymbol(space->kernel())->removeAttr(sched::kPins);
  std::string text;
  raw_string_ostream stream(text);
  copy->print(stream);
  return digest(text);
}

/// Plans that differ may leave the same code: it is timed once, also where a
/// record has it.
Expected<tuner::Outcome> KernelTuning::timeCode(mlir::ModuleOp planned) {
  std::string reason;
  std::unique_ptr<LoadedKernel> compiled = compile(planned, reason);
  if (!compiled)
    return invalidPoint(reason);
  std::string code = digest(compiled->kernel.ptx + compiled->kernel.manifest);
  if (auto found = outcomes.find(code); found != outcomes.end())
    return found->second;
  Expected<tuner::Outcome> outcome = timeOnGpu(*compiled);
  if (outcome) {
    outcome->code = code;
    outcomes[code] = *outcome;
  }
  return outcome;
}

Expected<tuner::Outcome> KernelTuning::measure(const tuner::Point &point) {
  if (StringRef reason = space->refusal(point); !reason.empty())
    return invalidPoint(idOf(reason));
  mlir::OwningOpRef<mlir::ModuleOp> planned = space->configure(point);
  {
    ErrorKeeper errors(planned->getContext());
    if (failed(pipeline::lower(*planned, Rung::Tile, Rung::Sched,
                               program.options())))
      return invalidPoint(idOf(errors.first));
  }
  std::string plan = digestOfPlan(*planned);
  if (auto found = outcomes.find(plan); found != outcomes.end())
    return found->second;
  Expected<tuner::Outcome> outcome =
      usesGpu ? timeCode(*planned) : predict(*planned);
  if (outcome) {
    if (outcome->code.empty()) // of a model a plan is all that is looked at
      outcome->code = plan;
    outcomes[plan] = *outcome;
  }
  return outcome;
}

/// Programs, sizes and sources of times that differ have records that differ.
std::string KernelTuning::recordKey() const {
  if (!request.key.empty())
    return request.key;
  std::string text;
  raw_string_ostream stream(text);
  mlir::ModuleOp(program.module()).print(stream);
  std::string key = (space->kernel() + " " + digest(text)).str();
  for (const auto &[name, shape] : extents.views) {
    key += ", " + name + "=";
    for (size_t k = 0; k < shape.size(); ++k)
      key += (k ? "x" : "") + std::to_string(shape[k]);
  }
  for (const auto &[name, value] : extents.scalars)
    key += ", " + name + "=" + std::to_string(value);
  return key + ", " + source;
}

int KernelTuning::writePlan(const tuner::Told &best, double preset) {
  mlir::OwningOpRef<mlir::ModuleOp> winner = space->configure(best.point);
  std::optional<std::string> plan = program.writeMappingsOf(*winner);
  if (!plan)
    return fail(diag::internal, "bug in heddle: the best point, " +
                                    space->space().spell(best.point) +
                                    ", cannot be planned again");
  std::string path = options.output.empty()
                         ? (space->kernel() + ".plan.mlir").str()
                         : options.output.getValue();
  if (int status = writeText(path, *plan))
    return status;
  if (path == "-")
    return kFine;
  if (preset > 0)
    outs() << format("%.3f", best.outcome.value / preset)
           << " of the time of the program's own settings\n";
  outs() << "the plan: heddle compile " << program.path()
         << " --mapping=" << path << "\n";
  return kFine;
}

int KernelTuning::run() {
  if (program.rung() != Rung::Tile)
    return fail(diag::rung_below, "choices are tuned on the tile rung, and " +
                                      program.path() + " is on the " +
                                      spelling(program.rung()) + " rung");
  if (Error error = giveSizes())
    return fail(std::move(error));
  if (Error error = chooseSource())
    return fail(std::move(error));
  Expected<tunespaces::Choices> choices = readChoices();
  if (!choices)
    return fail(choices.takeError());
  tilechoice::Options tiles = program.tileOptions();
  tiles.extents = extents;
  Expected<KernelSpace> made =
      KernelSpace::make(program.module(), tiles, *choices);
  if (!made)
    return fail(made.takeError());
  space.emplace(std::move(*made));
  outs() << "kernel " << space->kernel() << ": ";
  printSpace(space->space(), source, outs());

  auto model = [&](const tuner::Point &point) {
    double cycles = space->estimate(point);
    return std::log(std::max(1.0, cycles));
  };
  // A GPU's clock is not known, so cycles bound no milliseconds.
  auto bound = [&](const tuner::Point &point) {
    if (!space->refusal(point).empty())
      return std::numeric_limits<double>::infinity();
    return usesGpu ? 0 : space->least(point);
  };
  tuner::Scenario scenario;
  tuner::SearchOptions search = request.search;
  search.worth = options.worth / 100;
  if (request.exhaust)
    if (Error error = request.exhaust(space->space(), search))
      return fail(std::move(error));
  TuneJob job = {scenario, space->space(), search, outs(),
                 [&](const tuner::Point &point) { return measure(point); }};
  job.record = request.record;
  job.key = request.record.empty() ? "" : recordKey();
  job.replay = request.replay;
  job.model = model;
  job.bound = bound;
  job.explains = request.explains;
  job.measured = [&](const tuner::Told &one) {
    if (!one.outcome.code.empty())
      outcomes.try_emplace(one.outcome.code, one.outcome);
  };
  Expected<Tuned> tuned = runTuning(job);
  if (!tuned)
    return fail(tuned.takeError());
  std::optional<tuner::Point> preset = tuner::presetOf(space->space());
  const std::vector<tuner::Told> &told = tuned->search.told();
  double own = 0;
  for (const tuner::Told &one : told)
    if (preset && one.point == *preset && one.outcome.isValid)
      own = one.outcome.value;
  size_t winner = size_t(tuned->search.best());
  bool hasGpu = usesGpu && noGpu.empty();
  if (hasGpu && own > 0 && told[winner].point != *preset) {
    Expected<size_t> confirmed = confirmOnGpu(job, *tuned, *preset);
    if (!confirmed)
      return fail(confirmed.takeError());
    winner = *confirmed;
  }
  return writePlan(told[winner], own);
}

} // namespace

int heddle::tool::tuneKernel(const ProgramOptions &programOptions,
                             const TuneKernelOptions &options,
                             const TuneRequest &request) {
  Program program(programOptions);
  if (!program.isValid())
    return program.exitCode();
  if (program.rung() == Rung::Einsum)
    return tuneEinsum(program, options, request);
  if (int status =
          refuseGiven({options.operands.densities, options.operands.patterns,
                       options.operands.elements, options.workers},
                      program.path(), program.rung()))
    return status;
  return KernelTuning(program, options, request).run();
}
