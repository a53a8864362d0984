//===- Alternatives.cpp - Tiles that a launch chooses among ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/TileChoice/Alternatives.h"

#include "LaunchExpr.h"
#include "Trials.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Pipeline/Alternatives.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Support/Diagnostics/Program.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;
using pipeline::Rung;

namespace {

/// Cycles of each kernel, as a launch computes them.
using Times = std::map<std::string, Expr>;

} // namespace

/// Lowers `module` in place to nvvm.
static FailureOr<Times> lowerAndEstimate(ModuleOp module,
                                         const Options &options) {
  FailureOr<Rung> rung = pipeline::detectRung(module);
  if (failed(rung) ||
      failed(pipeline::lower(module, *rung, Rung::Sched, options.lowering)))
    return failure();
  OwningOpRef<ModuleOp> scheduled = module.clone();
  int64_t blocks = 1;
  if (failed(lowerToCode(module, options.lowering, blocks)))
    return failure();
  Times times;
  for (auto kernel : scheduled->getOps<tile::KernelOp>()) {
    auto cycles = timeOfLaunch(kernel, blocks, options.machine);
    if (!cycles)
      return reportNoLaunchTime(kernel);
    times[kernel.getSymName().str()] = *cycles;
  }
  return times;
}

/// By how many cycles the alternative `index` beats all others, the program's
/// own tiles by a margin; negative where it does not.
static Times gainOf(size_t index, const Times &own,
                    const std::vector<Times> &others) {
  Times gain;
  for (const auto &[kernel, cycles] : own) {
    Expr best = LaunchExpr::floorDiv(
        LaunchExpr::mul(cycles, LaunchExpr::constant(kWorthParts)),
        LaunchExpr::constant(kWorthOf));
    for (size_t other = 0; other < others.size(); ++other)
      if (other != index)
        best = LaunchExpr::min(best, others[other].at(kernel));
    gain[kernel] = LaunchExpr::sub(best, others[index].at(kernel));
  }
  return gain;
}

/// "_BM128_BN64".
static std::string suffixOf(const Settings &settings) {
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

LogicalResult heddle::tilechoice::lowerAlternatives(ModuleOp own,
                                                    ModuleOp program,
                                                    const Options &options,
                                                    const OtherTiles &others) {
  if (failed(checkRung(program)))
    return failure();
  auto chosen = others.isAutomatic ? coverSizes(program, options)
                                   : FailureOr(others.settings);
  if (failed(chosen) || chosen->empty())
    return success(succeeded(chosen));
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<Times> times;
  for (const Settings &settings : *chosen) {
    OwningOpRef<ModuleOp> copy = program.clone();
    if (failed(pipeline::setParameters(*copy, settings)))
      return failure();
    auto estimated = lowerAndEstimate(*copy, options);
    if (failed(estimated))
      return failure();
    modules.push_back(std::move(copy));
    times.push_back(std::move(*estimated));
  }
  auto estimated = lowerAndEstimate(own, options);
  if (failed(estimated))
    return failure();
  for (size_t i = 0; i < modules.size(); ++i)
    if (failed(pipeline::addAlternative(own, *modules[i],
                                        gainOf(i, *estimated, times),
                                        suffixOf((*chosen)[i]))))
      return failure();
  return success();
}
