//===- MovedTiles.cpp - Tiles that iterations move by numbers of their own --===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum has 32 bits only where a tile of 32-bit places moves by it, too: an
// axis has fewer elements, while addresses may move further in all than a
// number of 32 bits says.
//
//===----------------------------------------------------------------------===//

#include "MovedTiles.h"

#include "LoopParts.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace heddle;

namespace {

/// A carried tile that an iteration moves by `factor` times a number.
struct MovedTile {
  unsigned index;
  Value factor; ///< the same in all iterations; null is 1
};

} // namespace

static Type elementOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getElementType();
}

/// The number that an iteration adds to each element of the tile that the loop
/// carries at `index`; null if it does something else.
static Value findMove(scf::ForOp loop, unsigned index) {
  Operation *next = loop.getYieldedValues()[index].getDefiningOp();
  BlockArgument tile = loop.getRegionIterArg(index);
  if (!isa<RankedTensorType>(tile.getType()) ||
      !isa_and_nonnull<arith::AddIOp, tile::PtrAddOp>(next) ||
      next->getBlock() != loop.getBody() || next->getOperand(0) != tile)
    return {};
  auto splat = next->getOperand(1).getDefiningOp<tile::SplatOp>();
  bool isNumber = splat && isa<IntegerType>(splat.getValue().getType());
  return isNumber ? splat.getValue() : Value();
}

/// `number` in another width.
static Value resized(OpBuilder &builder, Value number, Type type) {
  if (number.getType() == type)
    return number;
  if (number.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtSIOp::create(builder, number.getLoc(), type, number);
  return arith::TruncIOp::create(builder, number.getLoc(), type, number);
}

/// What the tile is after moves that add up to `sum`.
static Value moved(OpBuilder &builder, Value first, Value sum, Value factor) {
  Location loc = first.getLoc();
  Type element = elementOf(first);
  bool isAddress = !isa<IntegerType>(element);
  Type width = isAddress ? builder.getI64Type() : element;
  Value distance = resized(builder, sum, width);
  if (factor)
    distance = arith::MulIOp::create(builder, loc, distance,
                                     resized(builder, factor, width));
  auto type = RankedTensorType::get(
      cast<RankedTensorType>(first.getType()).getShape(), width);
  Value tile = tile::SplatOp::create(builder, loc, type, distance);
  if (isAddress)
    return tile::PtrAddOp::create(builder, loc, first.getType(), first, tile);
  return arith::AddIOp::create(builder, loc, first, tile);
}

void heddle::sumMoves(scf::ForOp loop) {
  if (loop.getBody()->getOps<tile::DotOp>().empty())
    return;
  llvm::MapVector<Value, SmallVector<MovedTile>> byNumber;
  for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index) {
    Value number = findMove(loop, index);
    if (!number || loop.isDefinedOutsideOfLoop(number) || findStep(loop, index))
      continue;
    Value factor;
    if (auto product = number.getDefiningOp<arith::MulIOp>())
      for (unsigned side : {0, 1})
        if (!factor && moveOut(loop, product->getOperand(side))) {
          factor = product->getOperand(side);
          number = product->getOperand(1 - side);
        }
    byNumber[number].push_back({index, factor});
  }
  if (byNumber.empty())
    return;

  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> zeros;
  for (auto &[number, tiles] : byNumber) {
    auto has = [&](unsigned bits) {
      return llvm::any_of(tiles, [&](const MovedTile &tile) {
        return elementOf(loop.getRegionIterArg(tile.index)).isInteger(bits);
      });
    };
    bool isPlace = has(32) && !has(64);
    Type width = isPlace && number.getType().isInteger(32)
                     ? number.getType()
                     : Type(rewriter.getI64Type());
    zeros.push_back(arith::ConstantOp::create(
        rewriter, loc, rewriter.getIntegerAttr(width, 0)));
  }
  unsigned count = loop.getNumRegionIterArgs();
  auto sums = [&](OpBuilder &builder, Location,
                  ArrayRef<BlockArgument> before) {
    SmallVector<Value> made;
    for (auto [sum, entry] : llvm::zip(before, byNumber))
      made.push_back(arith::AddIOp::create(
          builder, loc, sum, resized(builder, entry.first, sum.getType())));
    return made;
  };
  auto wide = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(rewriter, zeros, false, sums));
  for (auto [group, entry] : llvm::enumerate(byNumber))
    for (const MovedTile &tile : entry.second) {
      Value first = wide.getInitArgs()[tile.index];
      BlockArgument carried = wide.getRegionIterArg(tile.index);
      rewriter.setInsertionPointToStart(wide.getBody());
      carried.replaceAllUsesWith(moved(
          rewriter, first, wide.getRegionIterArg(count + group), tile.factor));
      wide.getBody()->getTerminator()->setOperand(tile.index, carried);
      if (wide.getResult(tile.index).use_empty())
        continue;
      rewriter.setInsertionPointAfter(wide);
      wide.getResult(tile.index)
          .replaceAllUsesWith(moved(
              rewriter, first, wide.getResult(count + group), tile.factor));
    }
}
