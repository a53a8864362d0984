//===- BuildPairsEarly.cpp - No vector of old values behind a product -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildPairsEarly.h"

#include "ProductCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static constexpr StringLiteral kProduct = "wgmma.mma_async";

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

bool heddle::copiesProductsInFlight(StringRef ptx) {
  StringSet<> writing;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    line = line.trim();
    if (line.starts_with(kProduct)) {
      StringRef list = line.split('{').second.split('}').first;
      SmallVector<StringRef> registers;
      list.split(registers, ", ");
      writing.insert_range(registers);
    } else if (line.contains("wgmma.wait_group")) {
      writing.clear();
    } else if (line.starts_with("mov.b32") && !writing.empty()) {
      StringRef source = line.split(',').second.trim().split(';').first;
      if (writing.contains(source))
        return true;
    }
  }
  return false;
}
