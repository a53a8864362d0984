//===- StoreAtOnce.cpp - Rewrite: no late stores where threads store ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoreAtOnce.h"

#include "heddle/Dialect/Aref/Aref.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace heddle;

static bool isLate(scf::IfOp conditional) {
  return conditional->hasAttr(aref::kLate);
}

bool heddle::areftohopper::hasLateStores(tile::KernelOp kernel) {
  return kernel
      ->walk([](scf::IfOp conditional) {
        return isLate(conditional) ? WalkResult::interrupt()
                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Copies what is computed deeper inside `loop` than its body's end sees.
static void repeatWhatIsHidden(OpBuilder &builder, scf::ForOp loop, Value value,
                               IRMapping &mapping) {
  Operation *def = value.getDefiningOp();
  if (mapping.contains(value) || !def || def->getBlock() == loop.getBody() ||
      !loop->isProperAncestor(def))
    return;
  for (Value operand : def->getOperands())
    repeatWhatIsHidden(builder, loop, operand, mapping);
  builder.clone(*def, mapping);
}

/// The next instance, `loop`'s step further, would do `late` for this one.
static void storeAtEnd(scf::ForOp loop, scf::IfOp late) {
  Operation *yield = loop.getBody()->getTerminator();
  OpBuilder builder(yield);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(),
              arith::AddIOp::create(builder, loop.getLoc(),
                                    loop.getInductionVar(), loop.getStep()));
  for (auto [carried, yielded] :
       llvm::zip(loop.getRegionIterArgs(), yield->getOperands()))
    mapping.map(carried, yielded);
  for (Operation &op : late.thenBlock()->without_terminator()) {
    if (op.hasAttr(aref::kBefore)) {
      mapping.map(op.getResult(0), loop.getInductionVar());
      continue;
    }
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!late->isAncestor(operand.getParentBlock()->getParentOp()))
          repeatWhatIsHidden(builder, loop, operand, mapping);
    });
    builder.clone(op, mapping);
  }
}

/// The tiles that no late store reads any more.
static void dropUnusedArguments(ArrayRef<Operation *> loops) {
  if (loops.empty())
    return;
  RewritePatternSet patterns(loops.front()->getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns,
                                          loops.front()->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  (void)applyOpPatternsGreedily(loops, std::move(patterns), config);
}

void heddle::areftohopper::storeAtOnce(tile::KernelOp kernel) {
  SmallVector<scf::IfOp> all;
  kernel->walk([&](scf::IfOp conditional) {
    if (isLate(conditional))
      all.push_back(conditional);
  });
  llvm::SmallSetVector<Operation *, 2> loops;
  for (scf::IfOp late : all) {
    // Each way through the host has a copy, and there is one behind the loop.
    auto loop = late->getParentOfType<scf::ForOp>();
    if (loop && loops.insert(loop))
      storeAtEnd(loop, late);
  }
  for (scf::IfOp late : all)
    late.erase();
  dropUnusedArguments(loops.getArrayRef());
}
