//===- DefaultTiles.cpp - Tiles that nobody asked for ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DefaultTiles.h"

#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/DivideSums.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;

/// Whether options leave open for which tiles to compile. Pinned lines are such
/// options. Of programs that do more than sum products the model's choice among
/// tiles was not timed.
static bool isOpen(Program &program, const ProgramOptions &options,
                   const TileOptions &tile, const OtherTilesOption &others) {
  if (others.isGiven() || !tile.tile.empty() ||
      options.schedule.getNumOccurrences() || !options.mapping.empty() ||
      !options.machine.empty() || options.shareCode.getNumOccurrences() ||
      options.assume.getNumOccurrences() || program.rung() != Rung::Tile ||
      !program.hasOpenTiles())
    return false;
  for (auto kernel : program.module().getOps<tile::KernelOp>())
    if (auto pins = sched::readPins(kernel); failed(pins) || !pins->empty())
      return false;
  SumObstacle obstacle;
  machine::Costs costs;
  std::string error;
  return machine::findMachine(machine::kDefaultMachine, costs, error) &&
         divideSums(program.module(), "", costs, obstacle).has_value();
}

Expected<tilechoice::OtherTiles>
heddle::tool::requestTiles(Program &program, const ProgramOptions &options,
                           const TileOptions &tile,
                           const OtherTilesOption &others) {
  auto request = others.request();
  if (request && isOpen(program, options, tile, others))
    request->isAutomatic = request->isDefault = true;
  return request;
}
