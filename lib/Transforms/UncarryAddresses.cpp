//===- UncarryAddresses.cpp - Addresses made anew in each iteration -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: loops with products that carry tiles of addresses, which move on by one
// number each iteration. Out: the same addresses, made in the iteration from
// what they were made of in front of the loop, a pointer and rows and columns
// of offsets; only the pointer moves. A tile of addresses takes two registers
// an element for all of the loop, its rows and columns next to none. Stands
// behind the recovery of views, which takes what is a box of an array.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle {
#define GEN_PASS_DEF_UNCARRYADDRESSES
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

bool holdsAddresses(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile && isa<tile::PtrType>(tile.getElementType());
}

/// The tile's one pointer and all that lies between it and the tile, outermost
/// first; empty if it is made in another way.
SmallVector<Operation *> chainFromPointer(Value value) {
  SmallVector<Operation *> chain;
  while (Operation *op = value.getDefiningOp()) {
    chain.push_back(op);
    if (isa<tile::SplatOp>(op))
      return chain;
    if (!isa<tile::PtrAddOp, tile::BroadcastOp, tile::ExpandDimsOp>(op))
      break;
    value = op->getOperand(0);
  }
  return {};
}

class Uncarrier {
public:
  explicit Uncarrier(scf::ForOp loop) : loop(loop), builder(loop) {}

  void run() {
    if (loop.getBody()->getOps<tile::DotOp>().empty())
      return;
    for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
      if (holdsAddresses(loop.getRegionIterArg(index)) &&
          loop.getResult(index).use_empty())
        if (Value step = findStep(loop, index);
            step && isa<IntegerType>(step.getType()))
          uncarry(index, step);
  }

private:
  /// How often the loop has moved on, as i64.
  Value turns() {
    if (counted)
      return counted;
    Location loc = loop.getLoc();
    Value distance = arith::SubIOp::create(builder, loc, loop.getInductionVar(),
                                           loop.getLowerBound());
    Value count =
        arith::DivSIOp::create(builder, loc, distance, loop.getStep());
    Type wide = builder.getI64Type();
    if (count.getType().isIndex())
      count = arith::IndexCastOp::create(builder, loc, wide, count);
    else if (count.getType() != wide)
      count = arith::ExtSIOp::create(builder, loc, wide, count);
    return counted = count;
  }

  void uncarry(unsigned index, Value step) {
    BlockArgument argument = loop.getRegionIterArg(index);
    SmallVector<Operation *> chain =
        chainFromPointer(loop.getInitArgs()[index]);
    if (chain.empty())
      return;
    Location loc = loop.getLoc();
    builder.setInsertionPointToStart(loop.getBody());
    if (counted)
      builder.setInsertionPointAfter(counted.getDefiningOp());
    Value count = turns();
    if (step.getType() != count.getType())
      step = arith::ExtSIOp::create(builder, loc, count.getType(), step);
    Value offset = arith::MulIOp::create(builder, loc, count, step);
    auto first = cast<tile::SplatOp>(chain.back());
    Value pointer = first.getValue();
    pointer = tile::PtrAddOp::create(builder, loc, pointer.getType(), pointer,
                                     offset);
    IRMapping mapping;
    mapping.map(first.getValue(), pointer);
    for (Operation *op : llvm::reverse(chain))
      builder.clone(*op, mapping);
    argument.replaceAllUsesWith(mapping.lookup(loop.getInitArgs()[index]));
  }

  scf::ForOp loop;
  OpBuilder builder;
  Value counted;
};

struct UncarryAddressesPass
    : heddle::impl::UncarryAddressesBase<UncarryAddressesPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      Uncarrier(loop).run();
  }
};

} // namespace
