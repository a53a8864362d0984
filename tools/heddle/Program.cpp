//===- Program.cpp - A program being compiled -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Command.h"

#include "heddle/Conversion/DebugWaits.h"
#include "heddle/Conversion/Stamps.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/General.h"
#include "heddle/Pipeline/Mappings.h"
#include "heddle/Support/Diagnostics/Program.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Assume;

ProgramOptions::ProgramOptions(cl::SubCommand &command,
                               cl::NumOccurrencesFlag required)
    : file(cl::Positional, required, cl::sub(command), cl::value_desc("FILE"),
           cl::desc("FILE")),
      settings("set", cl::sub(command), cl::value_desc("NAME=VALUE"),
               cl::desc("Fix an alias or a shape parameter of the program")),
      schedule("schedule", cl::sub(command), cl::init("auto"),
               cl::value_desc("auto|heuristic|exact|in-step|FILE"),
               cl::desc("How to find a loop's schedule; in-step: the best in "
                        "which sub-tiles do the same at equal distances; auto: "
                        "that or the heuristic's, whichever is shorter; FILE "
                        "holds a sched.plan to use")),
      machine("machine", cl::sub(command), cl::value_desc("NAME|FILE"),
              cl::desc("For which schedules are made: one of machines/, or a "
                       "description like these")),
      mapping("mapping", cl::sub(command), cl::value_desc("FILE"),
              cl::desc("The mapping of the program, in place of its own, as "
                       "--emit=mapping writes it")),
      assume("assume", cl::sub(command), cl::init(Assume::Checked),
             cl::desc("Of the launches of a Triton kernel:"),
             cl::values(clEnumValN(Assume::Checked, "checked",
                                   "what each launch checks; others are "
                                   "refused (the default)"),
                        clEnumValN(Assume::Nothing, "nothing",
                                   "nothing, which is slower"),
                        clEnumValN(Assume::Either, "either",
                                   "both, in variants of one kernel"))) {}

Program::Program(const ProgramOptions &options, Expected<TileRequest> request,
                 bool compares) {
  if (!request) {
    loadStatus = fail(request.takeError());
    return;
  }
  tiles = std::move(*request);
  lowering.schedule = options.schedule;
  lowering.machine = options.machine;
  lowering.assume = options.assume;
  std::vector<std::string> settings(options.settings.begin(),
                                    options.settings.end());
  append_range(settings, tiles.settings);
  Expected<Source> text = loadSource(options.file, settings);
  if (!text) {
    loadStatus = fail(text.takeError());
    return;
  }
  source = std::move(*text);
  if (!options.mapping.empty()) {
    Expected<Source> lines = loadSource(options.mapping, {});
    if (!lines) {
      loadStatus = fail(lines.takeError());
      return;
    }
    mapping = std::move(*lines);
  }
  context = pipeline::createContext();
  printer.emplace(*context, source);
  parsed = pipeline::parse(source, *context, lowering,
                           mapping ? &*mapping : nullptr);
  if (!parsed)
    return;
  auto rung = pipeline::detectRung(module());
  if (failed(rung))
    return;
  detected = *rung;
  if (mapping && detected > pipeline::Rung::Sched && !compares) {
    loadStatus = fail(diag::rung_below,
                      "--mapping steers whoever finds the plan, and " + path() +
                          " is on the " + spelling(detected) +
                          " rung, below; `heddle check` compares both");
    return;
  }
  valid = !tiles.isAutomatic || chooseTiles();
}

bool Program::chooseTiles() {
  if (detected > pipeline::Rung::Tile) {
    report(pipeline::startOf(module()), diag::rung_below)
        << "--tile=auto chooses tiles on the tile rung, and " << path()
        << " is on the " << spelling(detected) << " rung";
    return false;
  }
  if (Error error = checkSizes(module(), tiles.extents)) {
    loadStatus = fail(std::move(error));
    return false;
  }
  tilechoice::Options options = tileOptions();
  if (options.machine.name.empty()) // as lowering will say
    return true;
  tilechoice::Choice choice = tilechoice::chooseTiles(module(), options);
  if (choice.parameters.empty())
    return true;
  const tilechoice::Candidate *best = choice.best();
  if (!best) {
    report(pipeline::startOf(module()), diag::no_tiles)
        << "none of " << choice.candidates.size()
        << " combinations of tiles compiles; the first of them: "
        << StringRef(choice.candidates.front().refused).rsplit(" [").first;
    return false;
  }
  for (auto [name, value] : zip(choice.parameters, best->values))
    module().lookupSymbol<tile::ParamOp>(name).setInit(value);
  const tilechoice::Candidate *own = choice.find(choice.own);
  Report remark = report(pipeline::startOf(module()), diag::tiles_chosen);
  remark << "of " << choice.candidates.size() << " combinations of tiles, "
         << describeTiles(choice.parameters, best->values) << " is taken";
  if (best == own)
    remark << ", the program's own";
  else if (own->refused.empty())
    remark << ", predicted to take "
           << std::to_string(int64_t(
                  100 * best->estimate.total / own->estimate.total + 0.5))
           << " % of the time of the program's own, "
           << describeTiles(choice.parameters, choice.own);
  return true;
}

tilechoice::Options Program::tileOptions() const {
  tilechoice::Options options = tilechoice::optionsFor(source, lowering);
  options.extents = tiles.extents;
  return options;
}

bool Program::hasOpenTiles() {
  std::vector<std::string> shapes = tilechoice::findTileShapes(module());
  return !shapes.empty() && none_of(shapes, [&](StringRef shape) {
    return any_of(source.parameterSettings, [&](StringRef setting) {
      return setting.split('=').first == shape;
    });
  });
}

int Program::debugWaits() {
  if (detected > pipeline::Rung::Hopper)
    return fail(diag::rung_below,
                path() + " is on the " + spelling(detected) +
                    " rung, below hopper, whose waits --debug-waits expands");
  module()->setAttr(kDebugWaitsAttribute,
                    mlir::UnitAttr::get(module().getContext()));
  return kFine;
}

int Program::trace(StringRef processes) {
  if (detected > pipeline::Rung::Hopper)
    return fail(diag::rung_below,
                path() + " is on the " + spelling(detected) +
                    " rung, below hopper, where --trace puts its stamps");
  module()->setAttr(kTraceAttribute,
                    mlir::StringAttr::get(module().getContext(), processes));
  return kFine;
}

bool Program::lower(pipeline::Rung to) {
  if (failed(pipeline::lower(module(), rung(), to, lowering)))
    return false;
  detected = to;
  return true;
}

bool Program::lowerCopy(mlir::ModuleOp copy, pipeline::Rung from,
                        pipeline::Rung to) const {
  mlir::ScopedDiagnosticHandler silence(
      copy.getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  return succeeded(pipeline::lower(copy, from, to, lowering));
}

bool Program::lowerOther(mlir::ModuleOp other, pipeline::Rung to,
                         const tilechoice::OtherTiles &others) const {
  if (others.isDefault)
    return lowerCopy(other, pipeline::Rung::Tile, to);
  return succeeded(pipeline::lower(other, pipeline::Rung::Tile, to, lowering));
}

std::optional<std::string> Program::writeMappings() {
  auto text = pipeline::writeMappings(module(), detected, lowering,
                                      mapping ? *mapping : source, source);
  detected = pipeline::Rung::Sched;
  if (failed(text))
    return std::nullopt;
  return *text;
}

std::optional<std::string>
Program::writeMappingsOf(mlir::ModuleOp variant) const {
  mlir::ScopedDiagnosticHandler silence(
      variant.getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  auto text = pipeline::writeMappings(variant, pipeline::Rung::Tile, lowering,
                                      mapping ? *mapping : source, source);
  if (failed(text))
    return std::nullopt;
  return *text;
}

bool Program::split(bool isWhole) {
  return succeeded(pipeline::split(module(), lowering, isWhole));
}

mlir::FailureOr<std::vector<manifest::Manifest>>
Program::lowerToNvvm(const tilechoice::OtherTiles &others,
                     mlir::ModuleOp onTile) {
  if (others.isAutomatic)
    if (Error error = checkSizes(module(), tiles.extents)) {
      loadStatus = fail(std::move(error));
      return mlir::failure();
    }
  std::vector<manifest::Manifest> manifests;
  if (others.areAsked() &&
      failed(tilechoice::lowerAlternatives(module(), onTile ? onTile : module(),
                                           tileOptions(), others, manifests)))
    return mlir::failure();
  if (lowering.assume == Assume::Either) {
    manifests.clear();
    if (failed(pipeline::addGeneral(module(), source, lowering)))
      return mlir::failure();
  }
  return pipeline::lowerToNvvm(module(), lowering, std::move(manifests));
}

mlir::FailureOr<std::vector<pipeline::CompiledKernel>>
Program::compileToPtx(const tilechoice::OtherTiles &others,
                      mlir::ModuleOp onTile) {
  auto manifests = lowerToNvvm(others, onTile);
  if (failed(manifests))
    return mlir::failure();
  return pipeline::compileToPtx(module(), lowering, std::move(*manifests));
}

machine::Costs Program::machine() const {
  machine::Costs costs;
  std::string error, name = lowering.machineName();
  // A saved plan says for which it was made.
  (*parsed)->walk([&](sched::PlanOp plan) {
    auto made = plan->getAttrOfType<mlir::StringAttr>(sched::kMachine);
    if (made && lowering.machine.empty() &&
        machine::findMachine(made.getValue().str(), costs, error))
      name = made.getValue().str();
  });
  if (!machine::findMachine(name, costs, error))
    report_fatal_error(StringRef(error));
  return costs;
}

int Program::exitCode() const {
  return loadStatus || !printer ? loadStatus : diag::exitCode(printer->worst());
}
