//===- HandOnAddresses.cpp - Where the loop before has come to ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: loops with products that hand on addresses, or places of blocks, which
// move on by one number each iteration: one loop for whole blocks, and behind
// it one for those that a mask cuts, which goes on where the first has come to.
// Out: what the second begins with is written with what the first began with
// and with how often it ran. So the second loop's addresses are those of an
// array again, and the first one hands on nothing but its sums. Stands in front
// of the recovery of views.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace heddle {
#define GEN_PASS_DEF_HANDONADDRESSES
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

bool isAddress(Value value) {
  return isa<tile::PtrType>(getElementTypeOrSelf(value.getType()));
}

bool beginsALoop(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto next = dyn_cast<scf::ForOp>(use.getOwner());
    return next && use.getOperandNumber() >= next.getNumControlOperands();
  });
}

class HandingOn {
public:
  explicit HandingOn(scf::ForOp loop) : loop(loop), builder(loop) {
    builder.setInsertionPointAfter(loop);
  }

  void run() {
    // How far a number of 64 bits goes does not wrap.
    if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isIndex() ||
        !multiplies(loop))
      return;
    for (OpResult result : loop.getResults()) {
      if (result.use_empty() || !beginsALoop(result))
        continue;
      if (Value each = findStep(loop, result.getResultNumber()))
        write(result, each);
    }
  }

private:
  /// How often the loop ran, as a number of the loop's own type.
  Value turns() {
    if (counted)
      return counted;
    Location loc = loop.getLoc();
    Value none = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(loop.getStep().getType(), 0));
    Value distance = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                           loop.getLowerBound());
    distance = arith::MaxSIOp::create(builder, loc, distance, none);
    return counted = arith::CeilDivSIOp::create(builder, loc, distance,
                                                loop.getStep());
  }

  Value as(Type type, Value number) {
    Location loc = loop.getLoc();
    Type from = number.getType();
    if (from == type)
      return number;
    if (from.isIndex() || type.isIndex())
      return arith::IndexCastOp::create(builder, loc, type, number);
    return from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth()
               ? Value(arith::ExtSIOp::create(builder, loc, type, number))
               : Value(arith::TruncIOp::create(builder, loc, type, number));
  }

  /// Numbers wrap alike, whether they are added often or multiplied once.
  /// Addresses have 64 bits, and so has what is added to them.
  void write(OpResult result, Value each) {
    Location loc = loop.getLoc();
    Value first = loop.getInitArgs()[result.getResultNumber()];
    Type type = isAddress(first) ? Type(builder.getI64Type()) : each.getType();
    Value count = as(type, turns());
    Value distance = arith::MulIOp::create(builder, loc, count, as(type, each));
    auto shape = dyn_cast<RankedTensorType>(first.getType());
    if (shape)
      distance = tile::SplatOp::create(
          builder, loc, RankedTensorType::get(shape.getShape(), type),
          distance);
    Value last =
        isAddress(first)
            ? Value(tile::PtrAddOp::create(builder, loc, first.getType(), first,
                                           distance))
            : Value(arith::AddIOp::create(builder, loc, first, distance));
    result.replaceAllUsesWith(last);
  }

  scf::ForOp loop;
  OpBuilder builder;
  Value counted;
};

struct HandOnAddressesPass
    : heddle::impl::HandOnAddressesBase<HandOnAddressesPass> {
  void runOnOperation() override {
    // In program order: a third loop begins where the second has come to.
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>(
        [&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      HandingOn(loop).run();
  }
};

} // namespace
