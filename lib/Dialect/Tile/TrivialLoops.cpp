//===- TrivialLoops.cpp - Loops that run never, once, or for nothing --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop counts in exact integers. The pattern of the scf dialect takes the
// difference of constant bounds in as many bits as they have, so that from -128
// to 127 is less than nothing and the loop goes. createCanonicalizer leaves it
// out, and this one stands in its place.
//
//===----------------------------------------------------------------------===//

#include "TrivialLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

/// Is it known that the distance of the bounds has no more bits than they?
static bool hasExactDistance(scf::ForOp loop) {
  APInt lower, upper;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
    return true; // upstream knows none, or that it is that of a sum
  bool overflows = false;
  if (loop.getUnsignedCmp())
    return lower.ule(upper) && !upper.usub_ov(lower, overflows).isNegative();
  (void)upper.ssub_ov(lower, overflows);
  return !overflows;
}

namespace {
struct DropTrivialLoops : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern<scf::ForOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    if (!hasExactDistance(loop))
      return failure();
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips)
      return failure();
    if (trips->isZero()) {
      rewriter.replaceOp(loop, loop.getInitArgs());
      return success();
    }
    Block &body = *loop.getBody();
    if (trips->isOne()) {
      SmallVector<Value> arguments = {loop.getLowerBound()};
      llvm::append_range(arguments, loop.getInitArgs());
      auto yield = cast<scf::YieldOp>(body.getTerminator());
      rewriter.inlineBlockBefore(&body, loop, arguments);
      rewriter.replaceOp(loop, yield.getResults());
      rewriter.eraseOp(yield);
      return success();
    }
    bool isEmpty = body.without_terminator().empty() &&
                   llvm::all_of(loop.getYieldedValues(), [&](Value value) {
                     return loop.isDefinedOutsideOfLoop(value);
                   });
    if (!isEmpty)
      return failure();
    SmallVector<Value> yielded(loop.getYieldedValues());
    rewriter.replaceOp(loop, yielded);
    return success();
  }
};
} // namespace

void heddle::tile::addTrivialLoops(RewritePatternSet &patterns) {
  patterns.add<DropTrivialLoops>(patterns.getContext());
}
