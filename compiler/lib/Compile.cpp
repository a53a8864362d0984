//===- Compile.cpp - heddle_compile ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Program text and options in JSON go in; a heddle_result comes out, with
// messages, report, schedule and picture, and for each kernel its PTX, manifest
// and certificate. The steps are those of `heddle compile`, but all texts stay
// in memory, and a failure becomes an outcome with a sentence in the result.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "Options.h"

#include "heddle/Report/Certificates.h"
#include "heddle/Report/ScheduleReport.h"

#include "heddle/Conversion/DebugWaits.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/General.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/TileChoice/Alternatives.h"

#include "llvm/Support/raw_ostream.h"

using namespace heddle;
using namespace heddle::compiler;
using namespace llvm;
using pipeline::Rung;

static heddle_outcome outcomeOf(diag::Outcome outcome) {
  return static_cast<heddle_outcome>(diag::exitCode(outcome));
}

static heddle_outcome refuse(Error error, heddle_result &result) {
  std::string message = toString(std::move(error));
  const diag::Kind *kind = diag::kindOfMessage(message);
  result.messages += "error: " + message + "\n";
  return kind ? outcomeOf(kind->outcome) : HEDDLE_BAD_INPUT;
}

/// Down to the sched rung, where there is a schedule to tell of and to certify.
/// `certificates` are those of the kernels in the order of the program.
static mlir::LogicalResult
describe(mlir::ModuleOp module, Rung &rung,
         const pipeline::LowerOptions &options, heddle_result &result,
         std::vector<schedule::Certificate> &certificates) {
  if (rung > Rung::Sched)
    return mlir::success();
  if (failed(pipeline::lower(module, rung, Rung::Sched, options)))
    return mlir::failure();
  rung = Rung::Sched;
  result.schedule = pipeline::print(module);
  machine::Costs costs;
  std::string fault;
  if (!machine::findMachine(options.machineName(), costs, fault))
    return mlir::success(); // a saved plan for a machine that is not here
  tool::ScheduleReport report(module, costs);
  raw_string_ostream stream(result.report);
  report.print(stream);
  result.picture = schedule::drawSvg(report.loops);
  return tool::certify(module, costs, certificates);
}

static heddle_outcome compileTo(StringRef text, const CompileOptions &options,
                                heddle_result &result) {
  Expected<Source> source = applySettings(options.path, text, options.settings);
  if (!source)
    return refuse(source.takeError(), result);
  auto context = pipeline::createContext();
  raw_string_ostream stream(result.messages);
  pipeline::DiagnosticPrinter printer(*context, *source, stream);
  auto failure = [&] {
    heddle_outcome outcome = outcomeOf(printer.worst());
    return outcome == HEDDLE_FINE ? HEDDLE_INTERNAL : outcome;
  };
  pipeline::LowerOptions lowering;
  lowering.schedule = options.schedule;
  lowering.machine = options.machine;
  lowering.assume = options.assume;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      pipeline::parse(*source, *context, lowering);
  if (!module)
    return failure();
  auto rung = pipeline::detectRung(*module);
  if (failed(rung))
    return failure();
  if (options.debugWaits)
    (*module)->setAttr(kDebugWaitsAttribute,
                       mlir::UnitAttr::get(context.get()));
  mlir::OwningOpRef<mlir::ModuleOp> program;
  if (options.orTile.areAsked())
    program = module->clone();
  std::vector<schedule::Certificate> certificates;
  if (failed(describe(*module, *rung, lowering, result, certificates)))
    return failure();
  std::vector<manifest::Manifest> manifests;
  if (program &&
      failed(tilechoice::lowerAlternatives(
          *module, *program, tilechoice::optionsFor(*source, lowering),
          options.orTile, manifests)))
    return failure();
  if (lowering.assume == pipeline::Assume::Either) {
    manifests.clear();
    if (failed(pipeline::addGeneral(*module, *source, lowering)))
      return failure();
  }
  auto kernels =
      pipeline::compileToPtx(*module, lowering, std::move(manifests));
  if (failed(kernels))
    return failure();
  for (pipeline::CompiledKernel &kernel : *kernels) {
    heddle_result::Kernel &texts = result.kernels.emplace_back();
    texts.name = std::move(kernel.name);
    texts.ptx = std::move(kernel.ptx);
    texts.manifest = std::move(kernel.manifest);
    for (const schedule::Certificate &certificate : certificates)
      if (certificate.kernel == texts.name)
        texts.certificate = schedule::toJson(certificate);
  }
  return HEDDLE_FINE;
}

heddle_outcome heddle_compile(const char *source, size_t source_size,
                              const char *options,
                              heddle_result **result) noexcept {
  return enter(result, [&](heddle_result &texts) {
    if (!source)
      return refuse(diag::makeError(diag::usage, "the source is null"), texts);
    if (source_size > kMostTextBytes)
      return refuse(
          diag::makeError(diag::usage, "the source has " + Twine(source_size) +
                                           " bytes; heddle reads at most " +
                                           Twine(kMostTextBytes)),
          texts);
    Expected<CompileOptions> read = readCompileOptions(options);
    if (!read)
      return refuse(read.takeError(), texts);
    return compileTo(StringRef(source, source_size), *read, texts);
  });
}
