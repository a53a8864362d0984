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

/// Is all that it multiplies two products, of which one has factors that are
/// computed of the other's sums in the same iteration, as weights are of
/// scores? What launches choose for these was timed.
static bool isProductOfProduct(tile::KernelOp kernel) {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  if (dots.size() != 2)
    return false;
  SmallVector<mlir::Operation *> from = {dots[1].getA().getDefiningOp(),
                                         dots[1].getB().getDefiningOp()};
  DenseSet<mlir::Operation *> seen;
  while (!from.empty()) {
    mlir::Operation *op = from.pop_back_val();
    if (op == dots[0])
      return true;
    if (!op || op->getBlock() != dots[0]->getBlock() || !seen.insert(op).second)
      continue;
    op->walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        from.push_back(operand.getDefiningOp());
    });
  }
  return false;
}

/// Whether options leave open for which tiles to compile. Pinned lines are such
/// options. Of programs that do neither the model's choice among
/// tiles was not timed.
static bool isOpen(Program &program, const ProgramOptions &options,
                   const TileOptions &tile, const OtherTilesOption &others) {
  if (others.isGiven() || !tile.tile.empty() ||
      options.schedule.getNumOccurrences() || !options.mapping.empty() ||
      !options.machine.empty() || options.assume.getNumOccurrences() ||
      program.rung() != Rung::Tile || !program.hasOpenTiles())
    return false;
  for (auto kernel : program.module().getOps<tile::KernelOp>())
    if (auto pins = sched::readPins(kernel); failed(pins) || !pins->empty())
      return false;
  if (all_of(program.module().getOps<tile::KernelOp>(), isProductOfProduct))
    return true;
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
