//===- CompareConstantsTest.cpp - What is compared as a constant ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass on loops that are given as text: which comparisons it rewrites,
// which it leaves, and that each rewritten one has the same outcome. The last
// is tried with bounds at the ends of 32 bits, where base and bound would wrap.
//
//===----------------------------------------------------------------------===//

#include "CompareConstants.h"

#include "heddle/Conversion/LeastBounds.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

/// A loop that compares four neighbours with a bound a row, which change in it.
/// `base` and `bound` are texts of LLVM; %t, %n and %i, the counter, are there.
struct Text {
  std::string base = "and i32 %t, 6";
  std::string bound = "sub i32 %n, %i";
  std::string predicate = "sgt";
  std::string leastBounds = "2", leastComparisons = "4";
  bool changes = true;
  int neighbours = 4, rows = 2;

  std::string write() const {
    std::string text = "define void @f(i32 %t, i32 %n, ptr %p) \"" +
                       std::string(kLeastBounds) + "\"=\"" + leastBounds +
                       "\" \"" + std::string(kLeastComparisons) + "\"=\"" +
                       leastComparisons + "\" {\nentry:\n  %base = " + base +
                       "\n";
    for (int i = 0; i < neighbours; ++i)
      text += "  %c" + std::to_string(i) + " = " +
              (i ? "or disjoint i32 %base, " + std::to_string(8 * i)
                 : "add i32 %base, 0") +
              "\n";
    text += "  br label %loop\nloop:\n"
            "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
            "  %bound0 = " +
            bound + "\n  %bound1 = add i32 %bound0, 8\n";
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < neighbours; ++i) {
        std::string name = std::to_string(row) + std::to_string(i);
        text += "  %m" + name + " = icmp " + predicate + " i32 " +
                (i ? "%c" + std::to_string(i) : "%base") + ", " +
                (changes ? "%bound" + std::to_string(row) : "%n") +
                "\n  store i1 %m" + name + ", ptr %p\n";
      }
    return text + "  %next = add i32 %i, 1\n  %more = icmp ult i32 %next, 9\n"
                  "  br i1 %more, label %loop, label %end\n"
                  "end:\n  ret void\n}\n";
  }
};

/// The comparisons with constants that the pass leaves, as text.
std::string compared(const Text &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(text.write(), error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  llvm::Function &function = *module->getFunction("f");
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  CompareConstantsPass().run(function, analyses);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  std::string found;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
    if (!compare || compare->getName() == "more")
      continue;
    if (compare->hasSameSign())
      found += "samesign ";
    if (auto *constant =
            llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)))
      found += llvm::CmpInst::getPredicateName(compare->getPredicate()).str() +
               " " + std::to_string(constant->getSExtValue()) + ", ";
  }
  return found;
}

TEST(CompareConstants, TakesTheBaseFromTheBound) {
  EXPECT_EQ(compared({}), "slt 0, slt 8, slt 16, slt 24, "
                          "slt 0, slt 8, slt 16, slt 24, ");
  EXPECT_EQ(compared({.predicate = "sle"}),
            "sge 0, sge 8, sge 16, sge 24, sge 0, sge 8, sge 16, sge 24, ");
  EXPECT_EQ(compared({.predicate = "eq"}),
            "eq 0, eq 8, eq 16, eq 24, eq 0, eq 8, eq 16, eq 24, ");
  // No promise of equal signs holds of the difference.
  EXPECT_EQ(compared({.predicate = "samesign sgt"}), compared({}));
}

// What is held through no loop, may be negative, or is compared without a sign.
TEST(CompareConstants, LeavesTheRest) {
  EXPECT_EQ(compared({.neighbours = 3}), "");
  EXPECT_NE(compared({.leastComparisons = "3", .neighbours = 3}), "");
  EXPECT_EQ(compared({.changes = false}), "");
  EXPECT_EQ(compared({.base = "and i32 %t, -58"}), "");
  EXPECT_EQ(compared({.predicate = "ult"}), "");
}

// Where the kernel says so, one bound is enough, or none is.
TEST(CompareConstants, TakesAsManyBoundsAsTheKernelSays) {
  EXPECT_EQ(compared({.rows = 1}), "");
  EXPECT_EQ(compared({.leastBounds = "1", .rows = 1}),
            "slt 0, slt 8, slt 16, slt 24, ");
  EXPECT_EQ(compared({.leastBounds = ""}), "");
}

/// Runs the loop's first iteration by hand, for one thread and one n.
std::vector<bool> results(llvm::Function &function, int64_t t, int64_t n) {
  std::map<llvm::Value *, llvm::APInt> known;
  auto at = [&](llvm::Value *value) {
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    return constant ? constant->getValue() : known.at(value);
  };
  known.insert({function.getArg(0), llvm::APInt(32, t, true)});
  known.insert({function.getArg(1), llvm::APInt(32, n, true)});
  std::vector<bool> found;
  for (llvm::Instruction &one : llvm::instructions(function)) {
    std::optional<llvm::APInt> value;
    if (llvm::isa<llvm::PHINode>(one)) {
      value = llvm::APInt(32, 0);
    } else if (auto *max = llvm::dyn_cast<llvm::CallInst>(&one)) {
      value = llvm::APIntOps::smax(at(max->getArgOperand(0)),
                                   at(max->getArgOperand(1)));
    } else if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&one)) {
      value = llvm::APInt(1, llvm::ICmpInst::compare(at(compare->getOperand(0)),
                                                     at(compare->getOperand(1)),
                                                     compare->getPredicate()));
      if (compare->getName() != "more")
        found.push_back(value->getBoolValue());
    } else if (auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(&one)) {
      llvm::APInt a = at(sum->getOperand(0)), b = at(sum->getOperand(1));
      switch (sum->getOpcode()) {
      case llvm::Instruction::And:
        value = a & b;
        break;
      case llvm::Instruction::Or:
        value = a | b;
        break;
      case llvm::Instruction::Add:
        value = a + b;
        break;
      default:
        value = a - b;
      }
    }
    if (value)
      known.insert({&one, *value});
  }
  return found;
}

// A bound far below every number must not wrap when the base is taken from it.
TEST(CompareConstants, HoldsForEveryBound) {
  for (const char *predicate : {"sgt", "sge", "slt", "sle", "eq", "ne"}) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic error;
    std::string text = Text{.predicate = predicate}.write();
    auto before = llvm::parseAssemblyString(text, error, context);
    auto after = llvm::parseAssemblyString(text, error, context);
    llvm::PassBuilder builder;
    llvm::FunctionAnalysisManager analyses;
    builder.registerFunctionAnalyses(analyses);
    CompareConstantsPass().run(*after->getFunction("f"), analyses);
    for (int64_t n : {int64_t(INT32_MIN), int64_t(INT32_MIN) + 3, int64_t(-9),
                      int64_t(-1), int64_t(0), int64_t(7), int64_t(8),
                      int64_t(22), int64_t(31), int64_t(INT32_MAX)})
      for (int64_t t : {0, 1, 2, 6, 127})
        EXPECT_EQ(results(*before->getFunction("f"), t, n),
                  results(*after->getFunction("f"), t, n))
            << predicate << " " << n << " " << t;
  }
}

} // namespace
