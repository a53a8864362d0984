//===- InnerRounding.cpp - Roundings to narrow types inside a program -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InnerRounding.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace heddle;

static bool isOnlyStored(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    if (isa<tile::StoreOp, tile::ScatterOp, tile::ViewScatterOp>(user))
      return true;
    return isa<tile::ReshapeOp, tile::TransOp>(user) &&
           isOnlyStored(user->getResult(0));
  });
}

double heddle::tool::findInnerRounding(ModuleOp module) {
  double coarsest = 0;
  module.walk([&](Operation *op) {
    if (!isa<tile::CastOp, arith::TruncFOp>(op) ||
        isOnlyStored(op->getResult(0)))
      return;
    auto to = dyn_cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
    auto from = dyn_cast<FloatType>(getElementTypeOrSelf(op->getOperand(0)));
    if (to && from && to.getFPMantissaWidth() < from.getFPMantissaWidth())
      coarsest =
          std::max(coarsest, std::ldexp(1.0, 1 - int(to.getFPMantissaWidth())));
  });
  return coarsest;
}
