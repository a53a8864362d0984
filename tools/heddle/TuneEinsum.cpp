//===- TuneEinsum.cpp - heddle tune of a sparse program -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner's choice is the default point, and its cycles are the search's
// prior: they are bounds of nothing, since no model of a processor is exact.
// Each plan that is timed must give the oracle's results first.
//
//===----------------------------------------------------------------------===//

#include "TuneEinsum.h"

#include "Command.h"
#include "EinsumSession.h"
#include "TuneLoop.h"
#include "TunePoint.h"
#include "TuneReport.h"
#include "WriteText.h"

#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Sparse.h"
#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/TuneSpaces/PlanSpace.h"
#include "heddle/Tuner/Confirm.h"
#include "heddle/Tuner/Scenario.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;
using tunespaces::PlanSpace;

namespace {

class EinsumTuning {
public:
  EinsumTuning(Program &program, const TuneKernelOptions &options,
               const TuneRequest &request)
      : program(program), options(options), request(request) {}

  int run();

private:
  Error prepare();
  Error makeSpace();
  mlir::OwningOpRef<mlir::ModuleOp> configure(const tuner::Point &point);
  mlir::OwningOpRef<mlir::ModuleOp> lower(const tuner::Point &point,
                                          std::string &reason);
  Expected<tuner::Outcome> measure(const tuner::Point &point);
  tuner::Outcome timePlan(mlir::ModuleOp lowered);
  mlir::FailureOr<pipeline::CpuPrograms> compile(const tuner::Point &point);
  Expected<double> leastTime(pipeline::CpuPrograms &compiled);
  Expected<size_t> confirm(const TuneJob &job, Tuned &tuned,
                           const tuner::Point &preset);
  std::string recordKey();
  int writePlan(const tuner::Told &best, double preset);

  bool isTimed() const { return options.device != TimeSource::Model; }

  Program &program;
  const TuneKernelOptions &options;
  const TuneRequest &request;
  einsum::ProgramOp source;
  std::optional<EinsumSession> session;
  std::optional<PlanSpace> space;
  std::string values; ///< what they are, in words
  std::map<std::string, tuner::Outcome> byCode;
};

/// Makes the operands, and what the oracle has to say of them.
Error EinsumTuning::prepare() {
  // Operands are those of `heddle run`, whatever the seed of the search.
  constexpr uint64_t kSeed = 0;
  auto programs = to_vector(program.module().getOps<einsum::ProgramOp>());
  if (programs.size() != 1)
    return makeError(diag::tuner_kernel,
                     "one program is tuned at a time, and " + program.path() +
                         " has " + Twine(programs.size()));
  source = programs.front();
  if (einsum::PlanOp own = findPlan(source)) {
    own.erase();
    outs() << "the program's own plan is left out\n";
  }
  storeOperandsAgain(program.module());
  std::vector<std::string> views(options.arguments.views.begin(),
                                 options.arguments.views.end());
  auto sound = makeSoundOperands(source, views, options.operands, kSeed,
                                 /*integers=*/false);
  if (!sound)
    return sound.takeError();
  if (Error error = describeMachine(source, program.options().machine,
                                    int(options.workers), sound->statistics))
    return error;
  values = isTimed() ? "milliseconds on this processor"
                     : "cycles by the model of a processor";
  values += ", " + std::to_string(unsigned(options.workers)) +
            (options.workers == 1 ? " worker" : " workers");
  session.emplace(source, std::move(*sound), /*areIntegers=*/false,
                  int(options.workers));
  return isTimed() ? session->prepare() : Error::success();
}

Error EinsumTuning::makeSpace() {
  ErrorKeeper errors(program.module().getContext());
  auto planned = planProgram(source, session->statistics());
  if (failed(planned))
    return makeError(diag::tuner_kernel,
                     "the program has no plan: " +
                         StringRef(errors.first).rsplit(" [").first);
  std::map<std::string, size_t> numbers; // of statements
  for (auto op : source.getEntry().getOps<einsum::StatementOp>())
    numbers.emplace(op.getName().str(), numbers.size());
  std::vector<tunespaces::PlanTerm> terms;
  for (PlannedTerm &term : *planned) {
    sparse::Statement statement = describeStatement(term.statement);
    const sparse::Statistics &known =
        session->statistics()[numbers[statement.result.tensor]];
    terms.push_back(
        {std::move(statement), term.term, known, std::move(term.candidates)});
  }
  Expected<PlanSpace> made = PlanSpace::make(std::move(terms));
  if (!made)
    return made.takeError();
  space.emplace(std::move(*made));
  return Error::success();
}

/// The program with the plan of a legal point.
mlir::OwningOpRef<mlir::ModuleOp>
EinsumTuning::configure(const tuner::Point &point) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(program.module().clone());
  setPlan(*copy->getOps<einsum::ProgramOp>().begin(), space->nestsOf(point));
  return copy;
}

/// The same as tiles; null where it is refused, and the id of the reason.
mlir::OwningOpRef<mlir::ModuleOp> EinsumTuning::lower(const tuner::Point &point,
                                                      std::string &reason) {
  mlir::OwningOpRef<mlir::ModuleOp> configured = configure(point);
  ErrorKeeper errors(configured->getContext());
  if (succeeded(pipeline::lower(*configured, Rung::Einsum, Rung::Tile)))
    return configured;
  reason = idOf(errors.first);
  return {};
}

/// What else the machine does makes a run longer and never shorter.
Expected<double> EinsumTuning::leastTime(pipeline::CpuPrograms &compiled) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned k = 0; k < options.repeat; ++k) {
    EinsumOutcome outcome;
    Expected<double> time = session->time(compiled, outcome);
    if (!time)
      return time.takeError();
    least = std::min(least, *time);
  }
  return least;
}

tuner::Outcome EinsumTuning::timePlan(mlir::ModuleOp lowered) {
  ErrorKeeper errors(lowered.getContext());
  auto compiled = pipeline::compileForCpu(lowered);
  if (failed(compiled))
    return invalidPoint(idOf(errors.first));
  EinsumOutcome outcome;
  if (Error error = session->launch(*compiled, /*isAlone=*/false, outcome))
    return invalidPoint(idOf(toString(std::move(error))));
  if (!session->judge(compiled->programs[0], outcome, nulls()))
    return invalidPoint("wrong-result");
  Expected<double> time = leastTime(*compiled);
  if (!time)
    return invalidPoint(idOf(toString(time.takeError())));
  return validPoint(*time);
}

Expected<tuner::Outcome> EinsumTuning::measure(const tuner::Point &point) {
  if (!space->isLegal(point))
    return invalidPoint(diag::einsum_plan.id());
  std::string reason;
  mlir::OwningOpRef<mlir::ModuleOp> lowered = lower(point, reason);
  if (!lowered)
    return invalidPoint(reason);
  std::string code = digest(pipeline::print(*lowered));
  if (auto found = byCode.find(code); found != byCode.end())
    return found->second;
  tuner::Outcome outcome =
      isTimed() ? timePlan(*lowered) : validPoint(space->estimate(point));
  outcome.code = code;
  byCode[code] = outcome;
  return outcome;
}

mlir::FailureOr<pipeline::CpuPrograms>
EinsumTuning::compile(const tuner::Point &point) {
  std::string reason;
  mlir::OwningOpRef<mlir::ModuleOp> lowered = lower(point, reason);
  if (!lowered)
    return mlir::failure();
  ErrorKeeper errors(lowered->getContext());
  return pipeline::compileForCpu(*lowered);
}

/// The plans that may win are timed again beside the planner's choice; the
/// index of the winner among those told.
Expected<size_t> EinsumTuning::confirm(const TuneJob &job, Tuned &tuned,
                                       const tuner::Point &preset) {
  std::map<tuner::Point, mlir::FailureOr<pipeline::CpuPrograms>> programs;
  auto time = [&](const tuner::Point &point) -> std::optional<double> {
    auto found = programs.find(point);
    if (found == programs.end())
      found = programs.emplace(point, compile(point)).first;
    if (failed(found->second))
      return std::nullopt;
    Expected<double> milliseconds = leastTime(*found->second);
    if (milliseconds)
      return *milliseconds;
    consumeError(milliseconds.takeError());
    return std::nullopt;
  };
  return confirmBest(job, tuned, preset, time);
}

/// Programs, operands and processors that differ have records that differ.
std::string EinsumTuning::recordKey() {
  if (!request.key.empty())
    return request.key;
  std::string key = source.getSymName().str() + " " +
                    digest(pipeline::print(program.module()));
  for (const Operand &operand : session->operands()) {
    key += ", " + operand.name + "=";
    key +=
        join(map_range(operand.tensor.extents,
                       [](int64_t extent) { return std::to_string(extent); }),
             "x");
    key += " of " + std::to_string(operand.tensor.valueCount());
  }
  auto add = [&](const cl::list<std::string> &asked) {
    for (const std::string &text : asked)
      key += ", " + text;
  };
  add(options.operands.densities);
  add(options.operands.patterns);
  add(options.operands.elements);
  if (!program.options().machine.empty())
    key += ", " + program.options().machine;
  return key + ", " + values;
}

int EinsumTuning::writePlan(const tuner::Told &best, double preset) {
  mlir::OwningOpRef<mlir::ModuleOp> winner = configure(best.point);
  std::string text;
  raw_string_ostream stream(text);
  for (auto plan : winner->getOps<einsum::PlanOp>()) {
    plan.print(stream);
    stream << "\n";
  }
  std::string path = options.output.empty()
                         ? source.getSymName().str() + ".plan.mlir"
                         : options.output.getValue();
  if (int status = writeText(path, text))
    return status;
  if (path == "-")
    return kFine;
  if (preset > 0)
    outs() << format("%.3f", best.outcome.value / preset)
           << (isTimed() ? " of the time" : " of the cycles")
           << " of the planner's choice\n";
  outs() << "the plan: heddle run " << program.path() << " --plan=" << path
         << "\n";
  return kFine;
}

int EinsumTuning::run() {
  if (Error error = prepare())
    return fail(std::move(error));
  if (Error error = makeSpace())
    return fail(std::move(error));
  outs() << "program " << source.getSymName() << ": ";
  printSpace(space->space(), values, outs());
  tuner::Scenario scenario;
  tuner::SearchOptions search = request.search;
  if (request.exhaust)
    if (Error error = request.exhaust(space->space(), search))
      return fail(std::move(error));
  TuneJob job = {scenario, space->space(), search, outs(),
                 [&](const tuner::Point &point) { return measure(point); }};
  job.record = request.record;
  job.key = request.record.empty() ? "" : recordKey();
  job.replay = request.replay;
  job.explains = request.explains;
  job.model = [&](const tuner::Point &point) {
    return space->isLegal(point)
               ? std::log(std::max(1.0, space->estimate(point)))
               : 0;
  };
  job.bound = [&](const tuner::Point &point) {
    return space->isLegal(point) ? 0 : std::numeric_limits<double>::infinity();
  };
  job.measured = [&](const tuner::Told &one) {
    if (!one.outcome.code.empty())
      byCode.try_emplace(one.outcome.code, one.outcome);
  };
  Expected<Tuned> tuned = runTuning(job);
  if (!tuned)
    return fail(tuned.takeError());
  tuner::Point preset = *tuner::presetOf(space->space());
  const std::vector<tuner::Told> &told = tuned->search.told();
  double own = 0;
  for (const tuner::Told &one : told)
    if (one.point == preset && one.outcome.isValid)
      own = one.outcome.value;
  size_t winner = size_t(tuned->search.best());
  if (isTimed() && own > 0 && told[winner].point != preset) {
    Expected<size_t> confirmed = confirm(job, *tuned, preset);
    if (!confirmed)
      return fail(confirmed.takeError());
    winner = *confirmed;
  }
  return writePlan(told[winner], own);
}

} // namespace

int heddle::tool::tuneEinsum(Program &program, const TuneKernelOptions &options,
                             const TuneRequest &request) {
  if (int status = refuseGiven(
          {options.arguments.scalars, options.choices, options.worth},
          program.path(), program.rung()))
    return status;
  if (options.device == TimeSource::Gpu)
    return fail(diag::usage,
                "the plans of einsums are timed on this processor; "
                "--device is auto or model");
  return EinsumTuning(program, options, request).run();
}
