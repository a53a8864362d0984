//===- KeepShifts.cpp - Shifts into the sign stay shifts ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeepShifts.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

PreservedAnalyses heddle::KeepShiftsPass::run(Function &function,
                                              FunctionAnalysisManager &) {
  for (Instruction &instruction : instructions(function)) {
    const APInt *amount;
    if (match(&instruction, m_Shl(m_Value(), m_APInt(amount))) &&
        *amount == amount->getBitWidth() - 1)
      instruction.setHasNoSignedWrap(false);
  }
  return PreservedAnalyses::all();
}
