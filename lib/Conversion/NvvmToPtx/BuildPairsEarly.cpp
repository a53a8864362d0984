//===- BuildPairsEarly.cpp - No vector of old values behind a product -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildPairsEarly.h"

#include "ProductCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static bool buildEarly(BasicBlock &block) {
  auto product = find_if(block, heddle::isProductCall);
  if (product == block.end())
    return false;
  auto isBefore = [&](const Use &use) {
    auto *operand = dyn_cast<Instruction>(use);
    return !operand || operand->getParent() != &block ||
           operand->comesBefore(&*product);
  };
  bool changed = false;
  for (Instruction &instruction :
       make_early_inc_range(make_range(std::next(product), block.end()))) {
    if (!isa<InsertElementInst>(instruction) ||
        !all_of(instruction.operands(), isBefore))
      continue;
    instruction.moveBefore(product);
    changed = true;
  }
  return changed;
}

PreservedAnalyses heddle::BuildPairsEarlyPass::run(Function &function,
                                                   FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= buildEarly(block);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}
