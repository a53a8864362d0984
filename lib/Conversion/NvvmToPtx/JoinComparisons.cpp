//===- JoinComparisons.cpp - One comparison of neighbours -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinComparisons.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// base + distance; a null base is 0.
struct Sum {
  Value *base;
  APInt distance;
};

constexpr unsigned kDepth = 6;

/// Whether `value` is a + b; `or` of different bits is, even where LLVM forgot.
bool isSum(Value *value, Value *&a, Value *&b, const DataLayout &layout) {
  if (match(value, m_AddLike(m_Value(a), m_Value(b))))
    return true;
  return match(value, m_Or(m_Value(a), m_Value(b))) &&
         haveNoCommonBitsSet(a, b, layout);
}

/// Whether `value` is a sum with a constant somewhere in it.
bool hasConstant(Value *value, const DataLayout &layout, unsigned depth = 0) {
  Value *a, *b;
  if (isa<ConstantInt>(value))
    return true;
  return depth < kDepth && isSum(value, a, b, layout) &&
         (hasConstant(a, layout, depth + 1) ||
          hasConstant(b, layout, depth + 1));
}

/// Takes the constants out of a sum.
Sum split(Value *value, const DataLayout &layout, IRBuilder<> &builder,
          unsigned depth = 0) {
  Value *a, *b;
  const APInt *constant;
  if (match(value, m_APInt(constant)))
    return {nullptr, *constant};
  if (!hasConstant(value, layout, depth) || !isSum(value, a, b, layout))
    return {value, APInt::getZero(value->getType()->getScalarSizeInBits())};
  Sum left = split(a, layout, builder, depth + 1);
  Sum right = split(b, layout, builder, depth + 1);
  APInt distance = left.distance + right.distance;
  if (!left.base || !right.base)
    return {left.base ? left.base : right.base, distance};
  return {builder.CreateAdd(left.base, right.base), distance};
}

bool holdsOfNeighbours(CmpInst::Predicate predicate) {
  return predicate == CmpInst::ICMP_SLT || predicate == CmpInst::ICMP_SGE ||
         predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_UGE;
}

unsigned knownZeros(Value *value, const DataLayout &layout) {
  return computeKnownBits(value, layout).countMinTrailingZeros();
}

/// Compares with the first neighbour instead. Instructions made for nothing are
/// left to later passes.
bool join(ICmpInst &compare, const DataLayout &layout) {
  Value *number = compare.getOperand(0), *bound = compare.getOperand(1);
  if (!holdsOfNeighbours(compare.getPredicate()) ||
      !number->getType()->isIntegerTy() || isa<Constant>(number) ||
      !hasConstant(number, layout))
    return false;
  unsigned zeros = knownZeros(bound, layout);
  if (zeros == 0)
    return false;
  IRBuilder<> builder(&compare);
  Sum sum = split(number, layout, builder);
  if (!sum.base)
    return false;
  zeros = std::min(zeros, knownZeros(sum.base, layout));
  if (zeros >= sum.distance.getBitWidth())
    return false;
  APInt first = sum.distance;
  first.clearLowBits(zeros);
  if (first == sum.distance)
    return false;
  compare.setOperand(
      0, first.isZero() ? sum.base
                        : builder.CreateAdd(sum.base, builder.getInt(first)));
  return true;
}

} // namespace

PreservedAnalyses heddle::JoinComparisonsPass::run(Function &function,
                                                   FunctionAnalysisManager &) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *compare = dyn_cast<ICmpInst>(&instruction))
      changed |= join(*compare, layout);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
