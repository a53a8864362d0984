//===- JoinComparisonsTest.cpp - Which comparisons are the first neighbour's ===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass on single comparisons: with which neighbour a number is compared
// afterwards. Predicates, alignments and bounds that do not allow it stand
// beside those that do, because a wrong join gives wrong masks at the edge of a
// view only.
//
//===----------------------------------------------------------------------===//

#include "JoinComparisons.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

/// What `number` is compared as, beside %base, which is a multiple of 8: its
/// distance from that; -1 if it was left alone.
int64_t compared(const std::string &number,
                 const std::string &bound = "and i32 %n, -8",
                 const std::string &predicate = "slt") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
      "define i1 @f(i32 %t, i32 %n, i32 %k) {\n  %base = shl i32 %t, 3\n  "
      "%five = or i32 %base, 5\n"
      "  %number = " +
          number + "\n  %bound = " + bound + "\n  %m = icmp " + predicate +
          " i32 %number, %bound\n  ret i1 %m\n}\n",
      error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  llvm::Function &function = *module->getFunction("f");
  llvm::FunctionAnalysisManager analyses;
  JoinComparisonsPass().run(function, analyses);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
      llvm::Value *left = compare->getOperand(0), *base;
      uint64_t distance = 0;
      if (left->getName() == "number")
        return -1;
      if (!llvm::PatternMatch::match(
              left, llvm::PatternMatch::m_Add(
                        llvm::PatternMatch::m_Value(base),
                        llvm::PatternMatch::m_ConstantInt(distance))))
        base = left;
      EXPECT_EQ(base->getName(), "base");
      return int64_t(distance);
    }
  return -1;
}

TEST(JoinComparisons, ComparesTheFirstOfNeighbours) {
  EXPECT_EQ(compared("add i32 %base, 7"), 0);
  EXPECT_EQ(compared("or disjoint i32 %base, 1"), 0);
  EXPECT_EQ(compared("or i32 %base, 1"), 0);
  EXPECT_EQ(compared("add i32 %five, 24"), 24);
  for (const char *predicate : {"sge", "ult", "uge"})
    EXPECT_EQ(compared("add i32 %base, 7", "and i32 %n, -8", predicate), 0);
}

TEST(JoinComparisons, GoesAsFarAsBothAreMultiples) {
  EXPECT_EQ(compared("add i32 %base, 7", "and i32 %n, -4"), 4);
  EXPECT_EQ(compared("add i32 %base, 13", "shl i32 %n, 4"), 8);
}

TEST(JoinComparisons, LeavesTheRest) {
  EXPECT_EQ(compared("add i32 %base, 8"), -1);
  EXPECT_EQ(compared("add i32 %t, 7"), -1);
  EXPECT_EQ(compared("add i32 %base, 7", "add i32 %n, 1"), -1);
  EXPECT_EQ(compared("add i32 %base, %k"), -1);
  for (const char *predicate : {"sgt", "sle", "eq", "ne", "ugt", "ule"})
    EXPECT_EQ(compared("add i32 %base, 7", "and i32 %n, -8", predicate), -1);
}

} // namespace
