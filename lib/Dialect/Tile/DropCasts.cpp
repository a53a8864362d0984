//===- DropCasts.cpp - Pairs of casts of an index that change nothing -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// index -> iN -> index is the number itself only where N bits hold it. The
// patterns of the arith dialect drop every such pair; createCanonicalizer
// leaves them out, and these stand in their place.
//
//===----------------------------------------------------------------------===//

#include "TrivialLoops.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace heddle;

/// Bits of an index, and of what launches keep to: an extent, an instance, the
/// number of a worker (Support/LaunchBounds.h).
static constexpr unsigned kIndexBits = 64, kLaunchBits = 32;

static unsigned bitsOf(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer ? integer.getWidth() : kIndexBits;
}

/// Do `bits` bits hold the number, with a sign?
static bool isHeldBy(Value value, unsigned bits, int depth = 4) {
  if (bits >= bitsOf(value.getType()))
    return true;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isSignedIntN(bits);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (isa<tile::ParallelOp>(owner))
      return bits >= kLaunchBits;
    auto loop = dyn_cast<scf::ForOp>(owner);
    return loop && value == loop.getInductionVar() && !loop.getUnsignedCmp() &&
           depth > 0 && isHeldBy(loop.getLowerBound(), bits, depth - 1) &&
           isHeldBy(loop.getUpperBound(), bits, depth - 1);
  }
  Operation *op = value.getDefiningOp();
  if (isa<tile::DimOp, tile::WorkerIdOp, tile::WorkerCountOp>(op))
    return bits >= kLaunchBits;
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return bits >= bitsOf(op->getOperand(0).getType());
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return depth > 0 && isHeldBy(op->getOperand(0), bits, depth - 1) &&
           isHeldBy(op->getOperand(1), bits, depth - 1);
  return false;
}

namespace {
template <typename Cast> struct DropPair : OpRewritePattern<Cast> {
  using OpRewritePattern<Cast>::OpRewritePattern;

  LogicalResult matchAndRewrite(Cast outer,
                                PatternRewriter &rewriter) const override {
    auto inner = outer.getIn().template getDefiningOp<Cast>();
    if (!inner || inner.getIn().getType() != outer.getType())
      return failure();
    unsigned between = bitsOf(outer.getIn().getType());
    bool isHeld = between >= bitsOf(outer.getType());
    if constexpr (std::is_same_v<Cast, arith::IndexCastOp>)
      isHeld = isHeld || isHeldBy(inner.getIn(), between);
    if (!isHeld)
      return failure();
    rewriter.replaceOp(outer, inner.getIn());
    return success();
  }
};
} // namespace

void tile::TileDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<DropPair<arith::IndexCastOp>, DropPair<arith::IndexCastUIOp>>(
      patterns.getContext());
  addTrivialLoops(patterns);
}
