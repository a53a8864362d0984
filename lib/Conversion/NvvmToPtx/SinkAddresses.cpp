//===- SinkAddresses.cpp - Addresses computed where they are used ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects, for a block directly in a loop around loops that work, the arithmetic
// in front of that loop that serves this block only; decides by what the loop
// would have to hold instead; moves it. Vector registers alone count: ptxas keeps
// what all threads of a warp share in others, but LLVM does not say what that is.
//
//===----------------------------------------------------------------------===//

#include "SinkAddresses.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// Spinning on a barrier: nothing changes from one turn to the next.
static bool isWait(const Loop &loop) {
  return loop.getNumBlocks() == 1 && loop.getHeader()->phis().empty();
}

static bool holdsWork(const Loop &loop) {
  return any_of(loop.getSubLoops(),
                [](const Loop *inner) { return !isWait(*inner); });
}

static bool isArithmetic(const Instruction &op) {
  return isa<BinaryOperator, CastInst, GetElementPtrInst>(op) &&
         !op.getType()->isFPOrFPVectorTy() && !op.mayHaveSideEffects();
}

namespace {

class Sinking {
public:
  Sinking(BasicBlock &block, const Loop &loop) : block(block), loop(loop) {}

  /// What only this block reads, users before their operands.
  void collect() {
    for (Instruction &op : block)
      if (!isa<PHINode>(op))
        for (Value *operand : op.operands())
          consider(operand);
    for (unsigned i = 0; i < sunk.size(); ++i)
      for (Value *operand : sunk[i]->operands())
        consider(operand);
  }

  /// Whether the loop holds less if they are computed in the block.
  bool pays() const {
    SmallPtrSet<Value *, 8> roots;
    uint64_t held = 0, instead = 0;
    for (Instruction *op : sunk) {
      if (any_of(op->users(), [&](User *user) { return isInBlock(user); }))
        held += bitsOf(op);
      for (Value *operand : op->operands())
        if (isHeldFor(operand) && roots.insert(operand).second)
          instead += bitsOf(operand);
    }
    return instead < held;
  }

  void move() {
    BasicBlock::iterator place = block.getFirstNonPHIIt();
    while (none_of(place->operands(), [&](Value *operand) {
      auto *op = dyn_cast<Instruction>(operand);
      return op && sunk.contains(op);
    }))
      ++place;
    // Users come first: each goes behind the operands that follow it.
    for (Instruction *op : sunk) {
      op->moveBefore(block, place);
      place = op->getIterator();
    }
  }

private:
  uint64_t bitsOf(const Value *value) const {
    return block.getDataLayout().getTypeSizeInBits(value->getType());
  }

  bool isInBlock(const User *user) const {
    return cast<Instruction>(user)->getParent() == &block;
  }

  void consider(Value *value) {
    auto *op = dyn_cast<Instruction>(value);
    if (!op || loop.contains(op) || !isArithmetic(*op))
      return;
    bool isOnlyOurs = all_of(op->users(), [&](User *user) {
      return (isInBlock(user) && !isa<PHINode>(user)) ||
             sunk.contains(cast<Instruction>(user));
    });
    if (isOnlyOurs)
      sunk.insert(op);
  }

  /// Only because of what is sunk: nothing else in the loop reads it.
  bool isHeldFor(Value *value) const {
    auto *op = dyn_cast<Instruction>(value);
    if (!op || sunk.contains(op))
      return false; // arguments and constants are read where they are needed
    return none_of(op->users(), [&](User *user) {
      return loop.contains(cast<Instruction>(user));
    });
  }

  BasicBlock &block;
  const Loop &loop;
  SetVector<Instruction *> sunk;
};

} // namespace

PreservedAnalyses
heddle::SinkAddressesPass::run(Function &function,
                               FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (BasicBlock &block : function) {
    Loop *loop = loops.getLoopFor(&block);
    if (!loop || !holdsWork(*loop))
      continue;
    Sinking sinking(block, *loop);
    sinking.collect();
    if (!sinking.pays())
      continue;
    sinking.move();
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
