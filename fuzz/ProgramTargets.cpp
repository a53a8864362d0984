//===- ProgramTargets.cpp - Text of any rung, through every pass ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the text is, it is parsed and verified, run by the oracle, the
// simulator or the checker, as its rung is, and lowered as far as it goes. Each
// step may object; none may crash, hang or take more memory than the limit.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "heddle/Check/Extract.h"
#include "heddle/Check/Prove.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Mappings.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Simulator/Simulator.h"
#include "heddle/Support/Files.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

using namespace heddle;

static constexpr int64_t kViewExtent = 20;

namespace {
/// Zeros for every argument: views have the same extents, numbers are 1.
struct Arguments {
  std::vector<std::vector<uint64_t>> memory;
  std::vector<interp::Argument> values;
};

struct Parsed {
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<mlir::ScopedDiagnosticHandler> quiet;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<pipeline::Rung> rung;
};
} // namespace

static bool makeArguments(tile::KernelOp kernel, Arguments &arguments) {
  for (mlir::Type type : kernel.getEntry().getArgumentTypes()) {
    int64_t rank = 1;
    bool isView = llvm::isa<tile::ViewType>(type);
    if (isView)
      rank = llvm::cast<tile::ViewType>(type).getRank();
    if (isView || llvm::isa<tile::PtrType>(type)) {
      if (rank > 3)
        return false;
      interp::Buffer buffer;
      int64_t count = 1;
      for (int64_t axis = 0; axis < rank; ++axis) {
        buffer.shape.push_back(kViewExtent);
        count *= kViewExtent;
      }
      arguments.memory.emplace_back(size_t(count));
      buffer.data = arguments.memory.back().data();
      arguments.values.push_back(buffer);
    } else if (type.isIntOrIndex()) {
      arguments.values.push_back(int64_t(1));
    } else {
      arguments.values.push_back(1.0);
    }
  }
  return true;
}

static Parsed parse(const std::string &text) {
  Parsed parsed;
  parsed.context = pipeline::createContext();
  parsed.quiet = std::make_unique<mlir::ScopedDiagnosticHandler>(
      parsed.context.get(), [](mlir::Diagnostic &message) {
        (void)message.str(); // as whoever prints it
        return mlir::success();
      });
  Source source;
  source.path = "fuzz.mlir";
  source.text = text;
  parsed.module = pipeline::parse(source, *parsed.context);
  if (!parsed.module)
    return parsed;
  if (auto rung = pipeline::detectRung(*parsed.module); succeeded(rung))
    parsed.rung = *rung;
  return parsed;
}

/// As far as it goes; LLVM's own code generation is not what is tested here,
/// and the exact solver has a target of its own.
static void lower(Parsed &parsed, pipeline::LowerOptions options = {}) {
  if (options.schedule == "auto")
    options.schedule = "heuristic";
  if (*parsed.rung < pipeline::Rung::Nvvm)
    (void)pipeline::lower(*parsed.module, *parsed.rung, pipeline::Rung::Nvvm,
                          options);
}

int heddle::fuzz::runProgram(const std::string &text) {
  Parsed parsed = parse(text);
  if (!parsed.module)
    return -1; // not worth keeping
  if (!parsed.rung)
    return 0;
  if (*parsed.rung <= pipeline::Rung::Sched)
    for (auto kernel : parsed.module->getOps<tile::KernelOp>())
      if (Arguments arguments; makeArguments(kernel, arguments)) {
        interp::Options options;
        options.maxSteps = 2000;
        (void)interp::interpret(kernel, arguments.values, options);
      }
  // The text of a rung must be one that the parser takes.
  (void)pipeline::print(*parsed.module);
  lower(parsed);
  return 0;
}

int heddle::fuzz::runTtir(const std::string &text) {
  Parsed parsed = parse(text);
  if (parsed.rung)
    lower(parsed);
  // What is refused early shows which text the importer knows.
  return 0;
}

int heddle::fuzz::runAref(const std::string &text) {
  Parsed parsed = parse(text);
  if (!parsed.rung)
    return -1;
  if (*parsed.rung == pipeline::Rung::Aref)
    for (auto kernel : parsed.module->getOps<tile::KernelOp>())
      for (auto order :
           {simulator::Schedule::Fair, simulator::Schedule::Adversarial})
        if (Arguments arguments; makeArguments(kernel, arguments)) {
          simulator::Options options;
          options.schedule = order;
          options.maxSteps = 2000;
          (void)simulator::simulate(kernel, arguments.values, options);
        }
  lower(parsed);
  return 0;
}

int heddle::fuzz::runHopper(const std::string &text) {
  Parsed parsed = parse(text);
  if (!parsed.rung)
    return -1;
  check::Limits limits;
  limits.states = 200;
  limits.steps = 20000;
  if (*parsed.rung == pipeline::Rung::Hopper)
    for (auto kernel : parsed.module->getOps<hopper::KernelOp>()) {
      check::Extraction extraction = check::extract(kernel);
      if (extraction.gap.empty())
        (void)check::prove(extraction.protocol, limits);
    }
  lower(parsed);
  return 0;
}

/// The text is a kernel, a line of dashes, and the plan for it.
int heddle::fuzz::runPlan(const std::string &text) {
  static constexpr llvm::StringLiteral separator = "\n// -----\n";
  size_t at = text.find(separator.data());
  if (at == std::string::npos)
    return -1;
  enterScratchFolder();
  if (!writeFile("plan.mlir", text.substr(at + separator.size())).empty())
    return -1;
  Parsed parsed = parse(text.substr(0, at));
  if (!parsed.rung)
    return -1;
  pipeline::LowerOptions options;
  options.schedule = "plan.mlir";
  lower(parsed, options);
  return 0;
}

/// The text is a program of tasks or a kernel, a line of dashes, and a mapping
/// that takes the place of its own. The task tree is read whole, a plan is
/// looked for under the lines by the quickest method, and is written out.
int heddle::fuzz::runTasks(const std::string &text) {
  static constexpr llvm::StringLiteral separator = "\n// -----\n";
  size_t at = text.find(separator.data());
  if (at == std::string::npos)
    return -1;
  Source program{"program.mlir", text.substr(0, at), {}},
      mapping{"mapping.mlir", text.substr(at + separator.size()), {}};
  auto context = pipeline::createContext();
  mlir::ScopedDiagnosticHandler quiet(
      context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  pipeline::LowerOptions options;
  options.schedule = "heuristic";
  auto module = pipeline::parse(program, *context, options, &mapping);
  if (!module)
    return -1;
  auto rung = pipeline::detectRung(*module);
  if (failed(rung) || *rung > pipeline::Rung::Sched)
    return -1;
  (void)pipeline::writeMappings(*module, *rung, options, mapping, program);
  return 0;
}
