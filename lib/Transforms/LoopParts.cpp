//===- LoopParts.cpp - What loops with products consist of ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number is moved in front of a loop with what it is made of, as far as that
// is pure arithmetic of the loop's own body.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace heddle {

bool multiplies(Operation *op) {
  return op->walk([](tile::DotOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool multiplies(Region &region) {
  return region.walk([](tile::DotOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool isInnermost(scf::ForOp loop) {
  return !loop.getBody()
              ->walk(
                  [](LoopLikeOpInterface) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

bool moveOut(scf::ForOp loop, Value number) {
  if (loop.isDefinedOutsideOfLoop(number))
    return true;
  Operation *op = number.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() ||
      !isPure(op) || !number.getType().isIntOrIndex() ||
      !llvm::all_of(op->getOperands(),
                    [&](Value operand) { return moveOut(loop, operand); }))
    return false;
  op->moveBefore(loop);
  return true;
}

Value findStep(scf::ForOp loop, unsigned index) {
  Operation *next = loop.getYieldedValues()[index].getDefiningOp();
  BlockArgument argument = loop.getRegionIterArg(index);
  bool isAddress = isa<tile::PtrType>(getElementTypeOrSelf(argument.getType()));
  bool isSum = isAddress ? isa_and_nonnull<tile::PtrAddOp>(next)
                         : isa_and_nonnull<arith::AddIOp>(next);
  if (!isSum || next->getOperand(0) != argument)
    return {};
  Value each = next->getOperand(1);
  if (auto splat = each.getDefiningOp<tile::SplatOp>();
      splat && isa<RankedTensorType>(argument.getType()))
    each = splat.getValue();
  bool isNumber = each.getType().isIntOrIndex() && moveOut(loop, each);
  return isNumber ? each : Value();
}

bool storesWhereLoaded(tile::StoreOp store, tile::LoadOp load) {
  return store.getView() == load.getView() &&
         llvm::equal(store.getOffsets(), load.getOffsets()) &&
         store.getValue().getType() == load.getResult().getType();
}

} // namespace heddle
