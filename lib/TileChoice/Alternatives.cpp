//===- Alternatives.cpp - Tiles that a launch chooses among ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/TileChoice/Alternatives.h"

#include "Alternative.h"
#include "Estimate.h"
#include "Execution.h"
#include "LaunchExpr.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/Alternatives.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Transforms/DivideSums.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;
using pipeline::Rung;

namespace {
/// A module that is lowered to code, as it was when it was scheduled.
struct Scheduled {
  OwningOpRef<ModuleOp> module;
  int64_t blocks = 1; ///< of a multiprocessor
};
} // namespace

static FailureOr<Scheduled> lowerWhole(ModuleOp module, const Options &options,
                                       OnHopper onHopper = {}) {
  FailureOr<Rung> rung = pipeline::detectRung(module);
  if (failed(rung) ||
      failed(pipeline::lower(module, *rung, Rung::Sched, options.lowering)))
    return failure();
  Scheduled scheduled;
  scheduled.module = module.clone();
  if (failed(lowerToCode(module, options.lowering, scheduled.blocks, onHopper)))
    return failure();
  return scheduled;
}

static FailureOr<Times> timesOf(const Scheduled &scheduled,
                                const Options &options) {
  Times times;
  times.areExecuted = true;
  ModuleOp module = *scheduled.module;
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    auto time = timeOfLaunch(kernel, scheduled.blocks, options.machine);
    if (!time)
      return reportNoLaunchTime(kernel);
    times[kernel.getSymName().str()] = time->cycles;
    times.areExecuted &= time->isExecuted;
  }
  return times;
}

FailureOr<Times> heddle::tilechoice::lowerAndEstimate(ModuleOp module,
                                                      const Options &options,
                                                      OnHopper onHopper) {
  auto scheduled = lowerWhole(module, options, onHopper);
  if (failed(scheduled))
    return failure();
  return timesOf(*scheduled, options);
}

std::pair<int64_t, int64_t>
heddle::tilechoice::shareForOthers(const machine::Costs &machine,
                                   bool isExecuted) {
  constexpr int64_t kPercent = 100;
  double share =
      isExecuted ? 1 - machine.choices.modelError : machine.choices.otherTiles;
  int64_t parts = std::llround(share * kPercent);
  int64_t divisor = std::gcd(parts, kPercent);
  return {parts / divisor, kPercent / divisor};
}

/// Of the program's own tiles, as a launch compares them: others are taken if
/// they are faster by a margin.
static Times withMargin(Times own, const machine::Costs &machine) {
  auto [parts, of] = shareForOthers(machine, own.areExecuted);
  for (auto &[kernel, cycles] : own)
    cycles = LaunchExpr::floorDiv(
        LaunchExpr::mul(cycles, LaunchExpr::constant(double(parts))),
        LaunchExpr::constant(double(of)));
  return own;
}

std::string heddle::tilechoice::suffixOf(const Settings &settings) {
  std::string suffix;
  for (StringRef setting : settings) {
    auto [name, value] = setting.split('=');
    suffix += ("_" + name + value).str();
  }
  return suffix;
}

static LogicalResult checkRung(ModuleOp program) {
  FailureOr<Rung> rung = pipeline::detectRung(program);
  if (failed(rung))
    return failure();
  if (*rung > Rung::Tile)
    return report(pipeline::startOf(program), diag::rung_below)
           << "further tiles are compiled from the tile rung on, and the "
              "program is on the "
           << pipeline::spelling(*rung) << " rung";
  return success();
}

static LogicalResult reportUndivided(const SumObstacle &obstacle) {
  return report(*obstacle.place, diag::sums_undivided)
         << "the sums of the program cannot be made in parts: "
         << obstacle.reason;
}

static FailureOr<Alternative> lowerParts(ModuleOp program, Settings tiles,
                                         const Options &options) {
  Alternative result;
  result.suffix = suffixOf(tiles);
  SumObstacle obstacle;
  result.parts =
      makeParts(program, options, PartsUntil::Code, result.suffix, obstacle);
  if (!result.parts && obstacle.place)
    return reportUndivided(obstacle);
  if (!result.parts)
    return failure();
  result.times[result.parts->kernel] = result.parts->cycles;
  return result;
}

/// Takes what is no tile out of `settings`.
static bool takeParts(Settings &settings) {
  bool isDivided = llvm::is_contained(settings, kPartsSetting);
  llvm::erase(settings, kPartsSetting);
  return isDivided;
}

FailureOr<Alternative>
heddle::tilechoice::lowerAlternative(ModuleOp program, const Settings &settings,
                                     const Options &options) {
  Settings tiles = settings;
  bool isDivided = takeParts(tiles);
  OwningOpRef<ModuleOp> copy = program.clone();
  if (failed(pipeline::setParameters(*copy, tiles)))
    return failure();
  if (isDivided)
    return lowerParts(*copy, std::move(tiles), options);
  Alternative result;
  result.suffix = suffixOf(tiles);
  auto times = lowerAndEstimate(*copy, options, [](ModuleOp onHopper) {
    pipeline::eraseUnjoined(onHopper);
  });
  if (failed(times))
    return failure();
  result.times = std::move(*times);
  result.module = std::move(copy);
  return result;
}

/// `settings` without their order and the spelling of numbers.
static Settings meaningOf(const Settings &settings) {
  Settings meaning;
  for (StringRef setting : settings) {
    auto [name, text] = setting.split('=');
    int64_t value = 0;
    if (text.getAsInteger(10, value)) // something else is said of that
      meaning.push_back(setting.str());
    else
      meaning.push_back((name + "=" + Twine(value)).str());
  }
  llvm::sort(meaning);
  return meaning;
}

/// Each is compiled, and a launch of new sizes compares all of them.
static LogicalResult checkListed(ModuleOp program,
                                 const std::vector<Settings> &listed) {
  if (listed.size() > OtherTiles::kMostCounted)
    return report(pipeline::startOf(program), diag::setting)
           << listed.size() << " further tiles are listed; at most "
           << OtherTiles::kMostCounted << " are compiled";
  std::vector<Settings> known;
  for (const Settings &settings : listed) {
    if (settings.empty())
      return report(pipeline::startOf(program), diag::setting)
             << "further tiles that set nothing are the program's own";
    known.push_back(meaningOf(settings));
    if (llvm::is_contained(ArrayRef(known).drop_back(), known.back()))
      return report(pipeline::startOf(program), diag::setting)
             << "the further tiles " << llvm::join(settings, ",")
             << " are listed twice; once is enough";
  }
  return success();
}

FailureOr<std::vector<Settings>>
heddle::tilechoice::chooseSettings(ModuleOp program, const Options &options,
                                   const OtherTiles &others, Lowered *lowered) {
  if (failed(checkRung(program)))
    return failure();
  if (others.isAutomatic)
    return coverSizes(program, options, others, lowered);
  if (failed(checkListed(program, others.settings)))
    return failure();
  return others.settings;
}

/// What stands in the way of tiles that nobody asked for is no error, and what
/// is chosen no remark.
static std::optional<ScopedDiagnosticHandler>
silenceDefault(ModuleOp program, const OtherTiles &others) {
  if (!others.isDefault)
    return std::nullopt;
  return std::optional<ScopedDiagnosticHandler>(
      std::in_place, program.getContext(),
      [](Diagnostic &) { return success(); });
}

static OwningOpRef<ModuleOp> nameKernels(OwningOpRef<ModuleOp> program,
                                         const Twine &suffix) {
  for (auto kernel : program->getOps<tile::KernelOp>())
    kernel.setSymName((kernel.getSymName() + suffix).str());
  return program;
}

FailureOr<std::vector<OwningOpRef<ModuleOp>>>
heddle::tilechoice::writeAlternatives(ModuleOp program, const Options &options,
                                      const OtherTiles &others) {
  std::optional<ScopedDiagnosticHandler> silence =
      silenceDefault(program, others);
  std::vector<OwningOpRef<ModuleOp>> programs;
  auto chosen = chooseSettings(program, options, others);
  if (failed(chosen) && others.isDefault)
    return programs;
  if (failed(chosen))
    return failure();
  for (Settings tiles : *chosen) {
    bool isDivided = takeParts(tiles);
    OwningOpRef<ModuleOp> copy = program.clone();
    if (failed(pipeline::setParameters(*copy, tiles)))
      return failure();
    std::string suffix = suffixOf(tiles);
    if (!isDivided) {
      programs.push_back(nameKernels(std::move(copy), suffix));
      continue;
    }
    SumObstacle obstacle;
    auto divided = divideSums(*copy, suffix, options.machine, obstacle);
    if (!divided)
      return reportUndivided(obstacle);
    programs.push_back(
        nameKernels(std::move(divided->parts), suffix + "_parts"));
    programs.push_back(
        nameKernels(std::move(divided->whole), suffix + "_whole"));
  }
  return programs;
}

static bool areInstancesAlike(const Scheduled &scheduled,
                              const Options &options) {
  ModuleOp module = *scheduled.module;
  return llvm::all_of(module.getOps<tile::KernelOp>(), [&](auto kernel) {
    return areInstancesAlike(describeWork(kernel, options.machine));
  });
}

static bool canExecute(const Scheduled &scheduled, const Options &options) {
  ModuleOp module = *scheduled.module;
  return llvm::all_of(module.getOps<tile::KernelOp>(), [&](auto kernel) {
    return canExecute(kernel, options.machine);
  });
}

/// What is chosen, lowered. None where nobody asked and something stands in the
/// way.
static FailureOr<std::vector<Alternative>> lowerChosen(ModuleOp program,
                                                       const Options &options,
                                                       const OtherTiles &others,
                                                       Lowered *lowered) {
  auto silence = silenceDefault(program, others);
  auto chosen = chooseSettings(program, options, others, lowered);
  std::vector<Alternative> alternatives;
  if (failed(chosen) && others.isDefault)
    return alternatives;
  if (failed(chosen))
    return failure();
  for (const Settings &settings : *chosen) {
    auto take = [&]() -> FailureOr<Alternative> {
      if (lowered)
        if (auto known = lowered->others.find(llvm::join(settings, " "));
            known != lowered->others.end())
          return std::move(known->second);
      return lowerAlternative(program, settings, options);
    };
    FailureOr<Alternative> alternative = take();
    if (failed(alternative) && others.isDefault)
      continue;
    if (failed(alternative))
      return failure();
    alternatives.push_back(std::move(*alternative));
  }
  return alternatives;
}

static LogicalResult join(ModuleOp own, Times times, const Options &options,
                          const std::vector<Alternative> &alternatives,
                          std::vector<manifest::Manifest> &joined) {
  auto join =
      pipeline::Join::into(own, withMargin(std::move(times), options.machine));
  if (failed(join))
    return failure();
  for (const Alternative &alternative : alternatives) {
    const std::optional<Parts> &parts = alternative.parts;
    if (failed(parts
                   ? join->addSteps(*parts->first, *parts->second, parts->steps,
                                    alternative.times, alternative.suffix)
                   : join->add(*alternative.module, alternative.times,
                               alternative.suffix)))
      return failure();
  }
  joined = join->finish();
  return success();
}

/// The program's own tiles are lowered first, and once, since the choice needs
/// their times; what the choice lowers is kept, without its remarks. Where
/// instances differ, or launches have no times to compare, nothing is chosen.
static LogicalResult lowerByDefault(ModuleOp own, ModuleOp program,
                                    const Options &options,
                                    const OtherTiles &others,
                                    std::vector<manifest::Manifest> &joined) {
  {
    auto silence = silenceDefault(program, others);
    if (failed(checkRung(program)))
      return success();
  }
  OwningOpRef<ModuleOp> kept;
  if (own == program)
    program = *(kept = program.clone());
  auto scheduled = lowerWhole(own, options);
  if (failed(scheduled))
    return failure();
  if (!areInstancesAlike(*scheduled, options))
    return success();
  std::optional<FailureOr<Times>> times;
  Lowered lowered;
  lowered.canExecuteOwn = canExecute(*scheduled, options);
  lowered.own = [&] {
    if (!times)
      times = timesOf(*scheduled, options);
    return *times;
  };
  auto alternatives = lowerChosen(program, options, others, &lowered);
  if (failed(alternatives) || alternatives->empty())
    return success(succeeded(alternatives));
  return join(own, *lowered.own(), options, *alternatives, joined);
}

LogicalResult heddle::tilechoice::lowerAlternatives(
    ModuleOp own, ModuleOp program, const Options &options,
    const OtherTiles &others, std::vector<manifest::Manifest> &joined) {
  if (others.isDefault)
    return lowerByDefault(own, program, options, others, joined);
  // What stands in the way of tiles that are asked for is said first.
  auto alternatives = lowerChosen(program, options, others, nullptr);
  if (failed(alternatives) || alternatives->empty())
    return success(succeeded(alternatives));
  auto times = lowerAndEstimate(own, options);
  if (failed(times))
    return failure();
  return join(own, std::move(*times), options, *alternatives, joined);
}
