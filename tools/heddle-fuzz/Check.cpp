//===- Check.cpp - Compiles a program and compares it with the oracle -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   oracle(tile)  =  oracle(after each pass down to sched)
//                 =  checker's arithmetic(tile), of programs of integers
//                 =  simulator(aref)
//                 =  emulator(PTX)
//
// the last two for several schedules of the program, each in a fair and in an
// adversarial order of events. The simulator runs every operation, so that the
// expansion of a schedule is tested where the machine's rungs decline.
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "CheckerNumbers.h"

#include "heddle/Run/ArgumentData.h"
#include "heddle/Run/Compare.h"
#include "heddle/Run/Device.h"
#include "heddle/Run/Oracle.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Pipeline/Registry.h"
#include "heddle/Simulator/Simulator.h"
#include "heddle/Support/SplitMix.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace heddle;
using namespace heddle::fuzz;
using tool::ArgumentData;

const char *heddle::fuzz::spelling(Verdict verdict) {
  const char *names[] = {"agree",   "declined", "DISAGREE", "BROKEN",
                         "INVALID", "CRASH",    "HANG"};
  return names[size_t(verdict)];
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static void fill(ArgumentData &data, const ArgumentPlan &plan) {
  // A saved program has the same data everywhere.
  SplitMix random(plan.seed);
  auto range = uint64_t(plan.high - plan.low + 1);
  for (int64_t i = 0, count = data.storageCount(); i < count; ++i) {
    int64_t number = plan.low + int64_t(random.next() % range);
    data.setElement(i, std::ldexp(double(number), plan.quantum));
  }
}

static std::vector<ArgumentData>
makeArguments(const std::vector<ArgumentPlan> &plans) {
  std::vector<ArgumentData> arguments;
  for (const ArgumentPlan &plan : plans) {
    if (plan.declared.kind == manifest::Argument::Kind::Scalar) {
      arguments.emplace_back(plan.declared, plan.scalar);
      continue;
    }
    arguments.emplace_back(plan.declared, plan.shape, plan.pitch);
    if (plan.filled)
      fill(arguments.back(), plan);
    else
      arguments.back().poison();
  }
  return arguments;
}

static std::vector<ArgumentData> cloneAll(ArrayRef<ArgumentData> arguments) {
  std::vector<ArgumentData> copies;
  for (const ArgumentData &data : arguments)
    copies.push_back(data.clone());
  return copies;
}

/// The first element that is further from the oracle's than the plan allows,
/// in words; empty if there is none. Padding must be as it was.
static std::string compareOne(const ArgumentData &result,
                              const ArgumentData &reference, double tolerance) {
  auto bytes = size_t(manifest::elementBytes(reference.argument().element));
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0, count = reference.storageCount(); i < count; ++i) {
    if (!std::memcmp(result.data() + size_t(i) * bytes,
                     reference.data() + size_t(i) * bytes, bytes))
      continue;
    // Whole numbers are equal or wrong: two that differ may be one double.
    double found = result.element(i), expected = reference.element(i);
    if (!tool::isIntegral(reference.argument().element) &&
        (std::fabs(found - expected) <= tolerance ||
         (std::isnan(found) && std::isnan(expected))))
      continue;
    if (wrong++ == 0)
      first = formatv("{0}{1} is {2} and not {3}", reference.argument().name,
                      tool::describePosition(reference, i),
                      tool::describeElement(result, i),
                      tool::describeElement(reference, i));
  }
  if (wrong == 0)
    return "";
  return formatv("{0} (tolerance {1:e2}; {2} of {3} elements wrong)", first,
                 tolerance, wrong, reference.elementCount());
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

/// A program that verifies is no longer to blame: what a pass makes of it must
/// verify, and a refusal says why.
static bool saysBroken(StringRef message) {
  return message.empty() || message.contains("bug in heddle") ||
         message.contains("' op ");
}

namespace {

class Checker {
public:
  Checker(const fuzz::Program &program, const CheckOptions &options)
      : program(program), options(options), context(pipeline::createContext()) {
    handler.emplace(context.get(), [this](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
          message.empty())
        message = diagnostic.str();
      return mlir::success();
    });
  }

  Outcome run();

private:
  /// Each gives an outcome if it ends the check.
  std::optional<Outcome> interpret();
  std::optional<Outcome> checkPasses();
  std::optional<Outcome> checkSchedule(uint64_t schedule);
  std::optional<Outcome> simulate(mlir::ModuleOp scheduled,
                                  const std::string &where);
  std::optional<Outcome> emulate(const pipeline::CompiledKernel &kernel,
                                 const std::string &where);

  std::optional<Outcome> compareAll(ArrayRef<ArgumentData> results,
                                    const std::string &where);
  Outcome end(Verdict verdict, const std::string &where) {
    return {verdict, where, message};
  }
  Outcome declined(const std::string &where) {
    return end(saysBroken(message) ? Verdict::Broken : Verdict::Declined,
               where);
  }

  const fuzz::Program &program;
  const CheckOptions &options;
  std::unique_ptr<mlir::MLIRContext> context;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
  std::string message; ///< the first error since it was cleared
  mlir::OwningOpRef<mlir::ModuleOp> tile;
  std::vector<ArgumentData> inputs, reference;
};

std::optional<Outcome> Checker::compareAll(ArrayRef<ArgumentData> results,
                                           const std::string &where) {
  for (auto [result, expected, plan] :
       zip(results, reference, program.arguments)) {
    if (!expected.hasMemory())
      continue;
    std::string difference = compareOne(result, expected, plan.tolerance);
    if (!difference.empty())
      return Outcome{Verdict::Disagree, where, difference};
  }
  return std::nullopt;
}

std::optional<Outcome> Checker::interpret() {
  Source source;
  source.path = "generated.mlir";
  source.text = program.text;
  tile = pipeline::parse(source, *context);
  if (!tile)
    return end(Verdict::Invalid, "tile");
  inputs = makeArguments(program.arguments);
  reference = cloneAll(inputs);
  if (failed(tool::runOracle(*tile, "generated", reference)))
    return end(Verdict::Invalid, "oracle");
  auto kernel = tile->lookupSymbol<tile::KernelOp>("generated");
  std::string difference =
      compareWithChecker(kernel, inputs, options.sabotage ? inputs : reference);
  if (!difference.empty())
    return Outcome{Verdict::Disagree, "checker's arithmetic", difference};
  return std::nullopt;
}

std::optional<Outcome> Checker::checkPasses() {
  static const bool registered = [] {
    pipeline::registerPasses();
    return true;
  }();
  (void)registered;
  // What leads to the sched rung, as Pipeline.cpp lists it.
  mlir::OwningOpRef<mlir::ModuleOp> module = tile->clone();
  for (StringRef pass :
       {"tile-instantiate", "tile-promote-accumulation", "canonicalize", "cse",
        "tile-distribute", "sched-name-ops", "tile-split",
        "tile-stage-operands"}) {
    mlir::PassManager manager(context.get(),
                              mlir::ModuleOp::getOperationName());
    if (failed(mlir::parsePassPipeline(pass, manager)) ||
        failed(manager.run(*module)))
      return declined(pass.str());
    if (pass == "sched-name-ops" || pass == "tile-promote-accumulation")
      continue; // changes next to nothing
    std::vector<ArgumentData> results = cloneAll(inputs);
    if (failed(tool::runOracle(*module, "generated", results)))
      return Outcome{Verdict::Disagree, "oracle after " + pass.str(), message};
    if (auto outcome = compareAll(results, "oracle after " + pass.str()))
      return outcome;
  }
  return std::nullopt;
}

static void replaceAll(std::string &text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

static void sabotage(std::string &ptx) {
  replaceAll(ptx, "add.rn.f32", "sub.rn.f32");
  replaceAll(ptx, "wgmma.wait_group.sync.aligned 0",
             "wgmma.wait_group.sync.aligned 7");
}

std::optional<Outcome> Checker::emulate(const pipeline::CompiledKernel &kernel,
                                        const std::string &where) {
  manifest::Manifest manifest;
  std::string error;
  if (!manifest::parse(kernel.manifest, manifest, error))
    return Outcome{Verdict::Disagree, where, "manifest: " + error};
  uint64_t number = options.seed;
  for (auto schedule :
       {emulator::Schedule::Fair, emulator::Schedule::Adversarial}) {
    std::string run =
        where +
        (schedule == emulator::Schedule::Fair ? ", fair" : ", adversarial");
    tool::EmulatorSettings settings;
    settings.options.seed = number;
    settings.options.schedule = schedule;
    // One worker has all instances, many have one each.
    settings.multiprocessors = number++ % 2 ? 132 : 1 + int(number % 3);
    auto device = tool::createEmulatorDevice(kernel, manifest, settings);
    if (!device)
      return Outcome{Verdict::Disagree, run, toString(device.takeError())};
    std::vector<ArgumentData> results = cloneAll(inputs);
    if (Error failure = (*device)->launch(results)) {
      std::string why = toString(std::move(failure));
      // Numbers may be larger than the kernel's are.
      bool isRefused = StringRef(why).contains("[launch-refused]");
      return Outcome{isRefused ? Verdict::Declined : Verdict::Disagree, run,
                     why};
    }
    if (auto outcome = compareAll(results, run))
      return outcome;
  }
  return std::nullopt;
}

std::optional<Outcome> Checker::simulate(mlir::ModuleOp scheduled,
                                         const std::string &where) {
  mlir::OwningOpRef<mlir::ModuleOp> module(scheduled.clone());
  if (failed(pipeline::lower(*module, pipeline::Rung::Sched,
                             pipeline::Rung::Aref)))
    return declined(where + ", aref");
  auto kernel = module->lookupSymbol<tile::KernelOp>("generated");
  for (auto schedule :
       {simulator::Schedule::Fair, simulator::Schedule::Adversarial}) {
    bool fair = schedule == simulator::Schedule::Fair;
    std::string run =
        where + ", aref " + (fair ? "simulated" : "simulated adversarially");
    simulator::Options settings;
    settings.schedule = schedule;
    settings.seed = options.seed;
    std::vector<ArgumentData> results = cloneAll(inputs);
    if (failed(simulator::simulate(kernel, tool::toInterpreter(kernel, results),
                                   settings)))
      return Outcome{Verdict::Disagree, run, message};
    if (auto outcome = compareAll(results, run))
      return outcome;
  }
  return std::nullopt;
}

/// Draws another schedule for a program on the sched rung.
static mlir::LogicalResult reschedule(mlir::ModuleOp module, uint64_t seed) {
  SmallVector<sched::PlanOp> plans(module.getOps<sched::PlanOp>());
  for (sched::PlanOp plan : plans)
    plan.erase();
  mlir::PassManager manager(module.getContext(),
                            mlir::ModuleOp::getOperationName());
  std::string pass = formatv("sched-schedule{{random={0}}", seed);
  if (failed(mlir::parsePassPipeline(pass, manager)))
    return mlir::failure();
  return manager.run(module);
}

/// The solver's schedule is number 0.
std::optional<Outcome> Checker::checkSchedule(uint64_t schedule) {
  std::string where =
      schedule ? formatv("random={0}", schedule).str() : std::string("solved");
  mlir::OwningOpRef<mlir::ModuleOp> module = tile->clone();
  message.clear();
  if (failed(pipeline::lower(*module, pipeline::Rung::Tile,
                             pipeline::Rung::Sched)) ||
      (schedule && failed(reschedule(*module, schedule))))
    return declined(where + ", sched");
  if (auto outcome = simulate(*module, where))
    return outcome;
  auto kernels = pipeline::compileToPtx(*module);
  if (failed(kernels))
    return declined(where);
  pipeline::CompiledKernel &kernel = kernels->front();
  if (options.sabotage)
    sabotage(kernel.ptx);
  return emulate(kernel, where);
}

Outcome Checker::run() {
  if (auto outcome = interpret())
    return *outcome;
  if (auto outcome = checkPasses())
    return *outcome;
  if (auto outcome = checkSchedule(0))
    return *outcome;
  for (int i = 1; i <= options.schedules; ++i) {
    // A random schedule may ask for what the machine has not: the solver's ran.
    auto outcome = checkSchedule(options.seed * 16 + uint64_t(i));
    if (outcome && outcome->verdict != Verdict::Declined)
      return *outcome;
  }
  return {};
}

} // namespace

Outcome heddle::fuzz::check(const fuzz::Program &program,
                            const CheckOptions &options) {
  return Checker(program, options).run();
}
