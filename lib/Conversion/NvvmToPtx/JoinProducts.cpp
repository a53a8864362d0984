//===- JoinProducts.cpp - Both halves of a product by one multiplication ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinProducts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The factors of a product of 32-bit numbers, in an order of no meaning.
using Factors = std::pair<Value *, Value *>;

Factors inOrder(Value *a, Value *b) {
  return std::less<Value *>()(a, b) ? Factors(a, b) : Factors(b, a);
}

/// What `value` was before it was extended by zeros from 32 bits; null if it
/// was not.
Value *narrowed(Value *value) {
  Value *inner;
  if (match(value, m_ZExt(m_Value(inner))) && inner->getType()->isIntegerTy(32))
    return inner;
  const APInt *constant;
  if (match(value, m_APInt(constant)) && constant->isIntN(32))
    return ConstantInt::get(Type::getInt32Ty(value->getContext()),
                            constant->trunc(32));
  return nullptr;
}

bool joinIn(BasicBlock &block) {
  MapVector<Factors, Instruction *> wide, narrow; // the first of each
  bool changed = false;
  for (Instruction &product : make_early_inc_range(block)) {
    Value *a, *b;
    if (!match(&product, m_Mul(m_Value(a), m_Value(b))))
      continue;
    if (product.getType()->isIntegerTy(32)) {
      narrow.try_emplace(inOrder(a, b), &product);
    } else if (product.getType()->isIntegerTy(64)) {
      Value *left = narrowed(a), *right = narrowed(b);
      if (left && right)
        wide.try_emplace(inOrder(left, right), &product);
    }
  }
  for (auto &[factors, product] : wide) {
    Instruction *half = narrow.lookup(factors);
    if (!half)
      continue;
    if (half->comesBefore(product)) {
      // The factors are there already, but their extensions may not be.
      IRBuilder<> builder(half);
      Type *type = product->getType();
      Value *moved =
          builder.CreateMul(builder.CreateZExt(half->getOperand(0), type),
                            builder.CreateZExt(half->getOperand(1), type), "",
                            /*HasNUW=*/true);
      product->replaceAllUsesWith(moved);
      product->eraseFromParent();
      half->replaceAllUsesWith(builder.CreateTrunc(moved, half->getType()));
    } else {
      IRBuilder<> builder(half);
      half->replaceAllUsesWith(builder.CreateTrunc(product, half->getType()));
    }
    half->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses heddle::JoinProductsPass::run(Function &function,
                                                FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= joinIn(block);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
