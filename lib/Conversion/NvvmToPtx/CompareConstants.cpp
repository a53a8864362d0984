//===- CompareConstants.cpp - Neighbours compared with numbers -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareConstants.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// base + distance, compared with a bound.
struct Comparison {
  ICmpInst *compare;
  APInt distance;
};

/// Base and bound.
using Operands = std::pair<Value *, Value *>;
using Groups = MapVector<Operands, SmallVector<Comparison>>;

/// Fewer are not worth a subtraction.
constexpr size_t kLeast = 4;

/// With fewer registers a thread, ptxas 13.0 uses those that come free to start
/// products before it has narrowed their operands, and then spills: with 200,
/// where threads copy, 504 B in place of none.
constexpr uint64_t kEnough = 224;

/// Only of numbers that are not negative does base + distance not wrap, and is
/// a bound below -1 as good as -1, from which a base can be taken.
bool isNotNegative(Value *value, const DataLayout &layout) {
  return computeKnownBits(value, layout).isNonNegative();
}

/// Whether the sum would be held while the bound changes.
bool isHeld(Value *number, Value *bound, const Loop *loop) {
  return loop->isLoopInvariant(number) && !loop->isLoopInvariant(bound);
}

/// Whether threads write to global memory themselves, at addresses that take
/// registers, and not by TMA.
bool storesByThreads(Function &function) {
  return any_of(instructions(function), [](Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    return text && StringRef(text->getAsmString()).starts_with("@$0 st.global");
  });
}

/// Of the process that has most; 0 if the launch decides.
uint64_t registersOfLargest(Function &function) {
  uint64_t most = 0;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (call && (call->getIntrinsicID() ==
                     Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32 ||
                 call->getIntrinsicID() ==
                     Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32))
      most = std::max(
          most, cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
  }
  return most;
}

/// What to rewrite: of a base, nothing or comparisons with `leastBounds`.
Groups collect(BasicBlock &block, const Loop *loop, size_t leastBounds,
               const DataLayout &layout) {
  Groups groups;
  for (Instruction &instruction : block) {
    auto *compare = dyn_cast<ICmpInst>(&instruction);
    if (!compare || compare->isUnsigned() ||
        !compare->getOperand(0)->getType()->isIntegerTy())
      continue;
    Value *number = compare->getOperand(0), *bound = compare->getOperand(1);
    Value *base = number;
    const APInt *constant;
    APInt distance = APInt::getZero(number->getType()->getIntegerBitWidth());
    if (match(number, m_AddLike(m_Value(base), m_APInt(constant))))
      distance = *constant;
    if (isa<Constant>(bound) || !isa<Instruction>(number) ||
        distance.isNegative() || !isNotNegative(number, layout) ||
        !isNotNegative(base, layout))
      continue;
    groups[{base, bound}].push_back({compare, distance});
  }
  groups.remove_if([&](auto &group) {
    auto &[operands, comparisons] = group;
    return comparisons.size() < kLeast ||
           !isHeld(comparisons.back().compare->getOperand(0), operands.second,
                   loop);
  });
  DenseMap<Value *, size_t> bounds;
  for (auto &[operands, comparisons] : groups)
    ++bounds[operands.first];
  groups.remove_if([&](auto &group) {
    return bounds.lookup(group.first.first) < leastBounds;
  });
  return groups;
}

void rewrite(Operands operands, ArrayRef<Comparison> comparisons,
             const DataLayout &layout) {
  auto [base, bound] = operands;
  IRBuilder<> builder(comparisons.front().compare);
  if (!isNotNegative(bound, layout))
    bound = builder.CreateBinaryIntrinsic(
        Intrinsic::smax, bound, Constant::getAllOnesValue(bound->getType()));
  Value *left = builder.CreateNSWSub(bound, base);
  for (auto [compare, distance] : comparisons) {
    // A constant is the second operand.
    compare->setOperand(0, left);
    compare->setOperand(1, builder.getInt(distance));
    compare->setPredicate(compare->getSwappedPredicate());
    compare->setSameSign(false); // held of the sum and the bound
  }
}

} // namespace

PreservedAnalyses
heddle::CompareConstantsPass::run(Function &function,
                                  FunctionAnalysisManager &analyses) {
  uint64_t registers = registersOfLargest(function);
  if (registers && registers < kEnough)
    return PreservedAnalyses::all();
  const DataLayout &layout = function.getParent()->getDataLayout();
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  // Columns that are compared with one bound only, the end of a view, are left
  // where they are unless addresses want their registers: kernels lost by it as
  // often as they gained.
  size_t least = storesByThreads(function) ? 1 : 2;
  bool changed = false;
  for (BasicBlock &block : function)
    if (const Loop *loop = loops.getLoopFor(&block))
      for (auto &[operands, comparisons] :
           collect(block, loop, least, layout)) {
        rewrite(operands, comparisons, layout);
        changed = true;
      }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
