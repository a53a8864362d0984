//===- OwnTiles.cpp - Each tile that a loop hands on is its own -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a split, named kernel. Out: the same, in which each tile that a loop with
// products hands on is made in the loop's body, and handed on once. Rows of the
// turn before last, or two that change places, are what a turn before had; a
// reshape to the same shape, which moves nothing, makes them anew, so that a
// process owns them and a schedule says when.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"
#include "NewNames.h"

#include "heddle/Dialect/Sched/Owned.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_OWNTILES
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

/// Where a tile is made: what the turn before, or the one before that, handed
/// on has the name and the sub-tile of its maker.
static Operation *makerOf(Value value, scf::ForOp loop) {
  for (unsigned turns = 0; turns <= loop.getNumRegionIterArgs(); ++turns) {
    if (Operation *maker = value.getDefiningOp())
      return maker;
    auto argument = cast<BlockArgument>(value);
    if (argument.getOwner() != loop.getBody())
      break;
    value = loop.getTiedLoopYieldedValue(argument)->get();
  }
  return loop;
}

/// Rows that only change places are made in front of the loop: they are of the
/// sub-tile that reads them. Null if there is none, or several are.
static Operation *readerOf(Value value, scf::ForOp loop) {
  Operation *reader = nullptr;
  for (unsigned turns = 0; turns <= loop.getNumRegionIterArgs(); ++turns) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getBody())
      break;
    for (Operation *user : argument.getUsers()) {
      Attribute sub = user->getAttr(sched::kSubIndex);
      if (sub && reader && reader->getAttr(sched::kSubIndex) != sub)
        return nullptr;
      if (sub && !reader)
        reader = user;
    }
    value = loop.getTiedLoopYieldedValue(argument)->get();
  }
  return reader;
}

namespace {

class Owner {
public:
  explicit Owner(tile::KernelOp kernel) : names(kernel) {}

  void own(scf::ForOp loop) {
    for (OpOperand *yielded : sched::findNotOwned(loop)) {
      Value value = yielded->get();
      if (!isa<RankedTensorType>(value.getType()))
        continue;
      OpBuilder builder(yielded->getOwner());
      auto made = tile::ReshapeOp::create(builder, loop.getLoc(),
                                          value.getType(), value);
      Operation *maker = makerOf(value, loop);
      if (Operation *reader = readerOf(value, loop); maker == loop && reader)
        maker = reader;
      names.name(made, maker, maker == loop ? "handed_on" : ".handed_on");
      yielded->set(made);
    }
  }

private:
  NewNames names;
};

struct OwnTilesPass : heddle::impl::OwnTilesBase<OwnTilesPass> {
  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) {
      Owner owner(kernel);
      kernel.walk([&](scf::ForOp loop) {
        if (multiplies(loop))
          owner.own(loop);
      });
    });
  }
};

} // namespace
