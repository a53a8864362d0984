//===- CompareConstants.cpp - Neighbours compared with numbers -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareConstants.h"

#include "heddle/Conversion/LeastBounds.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
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

/// Only of numbers that are not negative does base + distance not wrap, and is
/// a bound below -1 as good as -1, from which a base can be taken.
bool isNotNegative(Value *value, const DataLayout &layout) {
  return computeKnownBits(value, layout).isNonNegative();
}

/// Whether the sum would be held while the bound changes.
bool isHeld(Value *number, Value *bound, const Loop *loop) {
  return loop->isLoopInvariant(number) && !loop->isLoopInvariant(bound);
}

/// With fewer bounds of a base, or comparisons with a bound, all stay.
struct Least {
  size_t bounds = 0, comparisons = 0;
};

/// The number that hopper-to-nvvm gave the function; none if it gave none.
std::optional<size_t> numberOf(const Function &function, StringRef name) {
  size_t number = 0;
  if (function.getFnAttribute(name).getValueAsString().getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// What to rewrite, by base and bound.
Groups collect(BasicBlock &block, const Loop *loop, Least least,
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
    return comparisons.size() < least.comparisons ||
           !isHeld(comparisons.back().compare->getOperand(0), operands.second,
                   loop);
  });
  DenseMap<Value *, size_t> bounds;
  for (auto &[operands, comparisons] : groups)
    ++bounds[operands.first];
  groups.remove_if([&](auto &group) {
    return bounds.lookup(group.first.first) < least.bounds;
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
  auto bounds = numberOf(function, kLeastBounds),
       comparisons = numberOf(function, kLeastComparisons);
  if (!bounds || !comparisons)
    return PreservedAnalyses::all();
  Least least{*bounds, *comparisons};
  const DataLayout &layout = function.getParent()->getDataLayout();
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
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
