//===- ContractProducts.cpp - A product and a sum with one rounding -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program whose language leaves open whether a * b + c is rounded once or
// twice, as Triton does. Out: once, in f32, wherever the product is used for
// nothing else. A program that was written on the tile rung says what it means
// and does not come here.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace heddle {
#define GEN_PASS_DEF_CONTRACTPRODUCTS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

/// The product that is `value`, if nobody else reads it.
static arith::MulFOp productOf(Value value, Operation *reader) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  return product && value.hasOneUse() &&
                 product->getBlock() == reader->getBlock()
             ? product
             : arith::MulFOp();
}

/// -value; of a tile that repeats a smaller one, the smaller one's sign
/// changes.
static Value negate(OpBuilder &builder, Location loc, Value value) {
  Operation *op = value.getDefiningOp();
  if (op && isa<tile::BroadcastOp, tile::ExpandDimsOp, tile::SplatOp>(op)) {
    Operation *copy = builder.clone(*op);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy);
    copy->setOperand(0, negate(builder, loc, op->getOperand(0)));
    return copy->getResult(0);
  }
  return arith::NegFOp::create(builder, loc, value);
}

static void contract(Operation *op) {
  if (!getElementTypeOrSelf(op->getResult(0).getType()).isF32())
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  bool isDifference = isa<arith::SubFOp>(op);
  Value left = op->getOperand(0), right = op->getOperand(1);
  arith::MulFOp product = productOf(left, op);
  Value a, b, c;
  if (product) {
    a = product.getLhs();
    b = product.getRhs();
    c = isDifference ? negate(builder, loc, right) : right;
  } else if ((product = productOf(right, op))) {
    a = isDifference ? negate(builder, loc, product.getLhs())
                     : product.getLhs();
    b = product.getRhs();
    c = left;
  } else {
    return;
  }
  op->getResult(0).replaceAllUsesWith(
      math::FmaOp::create(builder, loc, a, b, c).getResult());
  op->erase();
  product->erase();
}

namespace {

struct ContractProductsPass
    : heddle::impl::ContractProductsBase<ContractProductsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> sums;
    getOperation().walk([&](Operation *op) {
      // What combines elements is associative, which this would not be.
      if (isa<arith::AddFOp, arith::SubFOp>(op) &&
          !isa<tile::ReduceOp, tile::ScanOp>(op->getParentOp()))
        sums.push_back(op);
    });
    for (Operation *op : sums)
      contract(op);
  }
};

} // namespace
