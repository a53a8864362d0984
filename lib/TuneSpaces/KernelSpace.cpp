//===- KernelSpace.cpp - What may be chosen of a kernel -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles first, as lib/TileChoice has them; then the lines that make sense for
// the plan that the program has by default. A line that no plan keeps makes its
// point invalid, so nothing here decides what is legal.
//
//===----------------------------------------------------------------------===//

#include "heddle/TuneSpaces/KernelSpace.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Diagnostics/Tuner.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using namespace heddle::tunespaces;
using tuner::Kind;
using tuner::Parameter;
using tuner::Word;

/// The value of a choice that is left to the compiler.
static constexpr llvm::StringLiteral kOpen = "auto";
/// Parameters beside the tiles. Slots are two: whether, and how many.
static constexpr llvm::StringLiteral kSchedule = "schedule", kRings = "rings",
                                     kSlots = "slots", kGiven = "given",
                                     kTurns = "turns", kBlocks = "blocks",
                                     kBands = "bands";
static constexpr llvm::StringLiteral kTurningUnit = "tensor";
static constexpr int64_t kLeastSlots = 2, kMostSlots = 8;

static llvm::Error refuse(const llvm::Twine &sentence) {
  return makeError(diag::tuner_kernel, sentence);
}

static Parameter categorical(llvm::StringRef name,
                             std::vector<std::string> texts) {
  Parameter made;
  made.name = name.str();
  made.kind = Kind::Categorical;
  made.texts = std::move(texts);
  made.preset = 0;
  return made;
}

static Parameter ofTiles(llvm::StringRef name, llvm::ArrayRef<int64_t> legal,
                         int64_t own) {
  Parameter made;
  made.name = name.str();
  made.kind = Kind::Ordinal;
  for (int64_t value : legal)
    made.numbers.push_back(double(value));
  llvm::sort(made.numbers);
  made.isLog = made.numbers.front() > 0;
  made.preset = llvm::find(made.numbers, double(own)) - made.numbers.begin();
  return made;
}

namespace {

/// What the program's plan has, as far as choices hang on it.
struct DefaultPlan {
  bool isPipelined = false, hasRings = false;
  std::vector<std::string> turning; ///< loops that use the unit with turns
};

} // namespace

/// The plan of a copy; the error is the compiler's.
static llvm::Expected<DefaultPlan>
planOf(ModuleOp module, const pipeline::LowerOptions &lowering) {
  OwningOpRef<ModuleOp> copy = module.clone();
  std::string first;
  ScopedDiagnosticHandler keeper(module.getContext(), [&](Diagnostic &message) {
    if (first.empty() && message.getSeverity() == DiagnosticSeverity::Error)
      first = message.str();
    return success();
  });
  if (failed(pipeline::lower(*copy, pipeline::Rung::Tile, pipeline::Rung::Sched,
                             lowering)))
    return refuse("the program's own settings do not compile: " +
                  llvm::StringRef(first).rsplit(" [").first);
  DefaultPlan found;
  copy->walk([&](sched::RingOp) { found.hasRings = true; });
  copy->walk([&](sched::TableOp table) {
    if (int64_t(table.getIi()) <= 0)
      return;
    found.isPipelined = true;
    bool turns = false;
    table.walk([&](sched::EntryOp entry) {
      turns |= entry.getUnit() == kTurningUnit;
    });
    if (turns)
      found.turning.push_back(table.getLoop().str());
  });
  return found;
}

llvm::Expected<KernelSpace>
KernelSpace::make(ModuleOp module, const tilechoice::Options &options,
                  const Choices &choices) {
  KernelSpace made;
  made.module = module;
  int kernels = 0;
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    made.name = kernel.getSymName().str();
    ++kernels;
  }
  if (kernels != 1)
    return refuse("one kernel is tuned at a time, and the program has " +
                  llvm::Twine(kernels));
  if (llvm::Error error = made.describe(options, choices))
    return error;
  return made;
}

llvm::Error KernelSpace::describe(const tilechoice::Options &options,
                                  const Choices &choices) {
  auto kernel = module.lookupSymbol<tile::KernelOp>(name);
  auto pins = sched::readPins(kernel);
  if (failed(pins))
    return refuse("the lines of the program's mapping cannot be read");
  auto isSaid = [&](llvm::StringRef line) {
    return llvm::any_of(
        *pins, [&](const sched::Pin &pin) { return pin.name == line; });
  };
  llvm::Expected<DefaultPlan> plan = planOf(module, options.lowering);
  if (!plan)
    return plan.takeError();

  // With the costs that predictions have, or bounds would not be below these.
  tilechoice::Options bounding = options;
  bounding.machine = options.machine.asFitted();
  if (!choices.tiles)
    llvm::append_range(bounding.fixed, tilechoice::findTileShapes(module));
  choice = tilechoice::boundTiles(module, bounding);
  for (size_t k = 0; k < choice.candidates.size(); ++k)
    byTiles[choice.candidates[k].values] = k;

  std::vector<Parameter> parameters;
  for (auto [tile, legal, own] :
       llvm::zip(choice.parameters, choice.legal, choice.own))
    parameters.push_back(ofTiles(tile, legal, own));
  bool isMethodOpen = options.lowering.schedule == kOpen;
  if (choices.schedules && plan->isPipelined && isMethodOpen &&
      !isSaid(sched::kPinSchedule))
    parameters.push_back(
        categorical(kSchedule, {kOpen.str(), "heuristic", "in-step", "exact"}));
  if (choices.slots && plan->hasRings && plan->isPipelined &&
      !isSaid(sched::kPinPipeline) && !isSaid(sched::kPinDepth)) {
    parameters.push_back(categorical(kRings, {kOpen.str(), kGiven.str()}));
    Parameter slots;
    slots.name = kSlots.str();
    slots.kind = Kind::Integer;
    slots.first = kLeastSlots;
    slots.last = kMostSlots;
    slots.activeIf = (kRings + " == '" + kGiven + "'").str();
    slots.preset = 0;
    parameters.push_back(slots);
  }
  if (choices.turns && !plan->turning.empty() && !isSaid(sched::kPinTurns)) {
    loops = plan->turning;
    parameters.push_back(categorical(
        kTurns, {kOpen.str(), sched::kFreeTurns.str(), kTurningUnit.str()}));
  }
  if (choices.blocks && plan->isPipelined && !isSaid(sched::kPinBlocks))
    parameters.push_back(
        categorical(kBlocks, {kOpen.str(), "1", "2", "3", "4"}));
  if (choices.bands && !isSaid(sched::kPinBlockOrder))
    parameters.push_back(
        categorical(kBands, {kOpen.str(), "1", "2", "4", "8", "16", "32"}));
  if (parameters.empty())
    return refuse("kernel '" + name +
                  "' leaves nothing to choose: no shape parameter is a tile "
                  "shape, and its plan has no pipelined loop");
  llvm::Expected<tuner::Space> made =
      tuner::Space::make(std::move(parameters), {});
  if (!made)
    return made.takeError();
  points = std::move(*made);
  return llvm::Error::success();
}

const tilechoice::Candidate &
KernelSpace::tilesOf(const tuner::Point &point) const {
  std::vector<int64_t> values;
  for (size_t k = 0; k < choice.parameters.size(); ++k)
    values.push_back(
        int64_t(points->parameters()[k].numbers[size_t(point[k])]));
  return choice.candidates[byTiles.at(values)];
}

llvm::StringRef KernelSpace::refusal(const tuner::Point &point) const {
  return tilesOf(point).refused;
}
double KernelSpace::estimate(const tuner::Point &point) const {
  return tilesOf(point).estimate.total;
}
double KernelSpace::least(const tuner::Point &point) const {
  return tilesOf(point).estimate.least;
}

OwningOpRef<ModuleOp> KernelSpace::configure(const tuner::Point &point) const {
  OwningOpRef<ModuleOp> copy = ModuleOp(module).clone();
  auto kernel = copy->lookupSymbol<tile::KernelOp>(name);
  Builder builder(copy->getContext());
  Location place = kernel.getLoc();
  llvm::SmallVector<sched::Pin> pins;
  if (auto own = sched::readPins(kernel); succeeded(own))
    pins = *own;
  size_t before = pins.size();
  for (auto [parameter, word] : llvm::zip(points->parameters(), point)) {
    llvm::StringRef what = parameter.name;
    if (parameter.kind == Kind::Ordinal) {
      copy->lookupSymbol<tile::ParamOp>(what).setInit(
          int64_t(parameter.numbers[size_t(word)]));
      continue;
    }
    if (parameter.kind == Kind::Integer) {
      if (word != tuner::kInactive)
        pins.push_back({sched::kPinPipeline,
                        builder.getI64IntegerAttr(parameter.first + word),
                        place});
      continue;
    }
    llvm::StringRef text = parameter.texts[size_t(word)];
    int64_t number = 0;
    bool isNumber = !text.getAsInteger(10, number);
    if (text == kOpen || what == kRings)
      continue;
    if (what == kTurns) {
      for (llvm::StringRef loop : loops)
        pins.push_back(
            {sched::kPinTurns, builder.getStringAttr(text), place, -1, loop});
      continue;
    }
    llvm::StringRef line = what == kSchedule ? sched::kPinSchedule
                           : what == kBlocks ? sched::kPinBlocks
                                             : sched::kPinBlockOrder;
    pins.push_back({line,
                    isNumber ? Attribute(builder.getI64IntegerAttr(number))
                             : Attribute(builder.getStringAttr(text)),
                    place});
  }
  if (pins.size() > before)
    kernel->setAttr(sched::kPins, sched::writePins(copy->getContext(), pins));
  return copy;
}
