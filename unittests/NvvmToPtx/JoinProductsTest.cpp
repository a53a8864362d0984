//===- JoinProductsTest.cpp - Which products are joined ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass on straight-line code: how many multiplications are left of each
// width. In PTX a second multiplication is no error, only slower; here a lost
// pair is one.
//
//===----------------------------------------------------------------------===//

#include "JoinProducts.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

/// How many multiplications of each width are left of a body that has %a and
/// %b.
struct Left {
  int narrow = 0, wide = 0;
  bool operator==(const Left &) const = default;
};

Left join(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
      "define void @f(i32 %a, i32 %b, ptr %p, ptr %q) {\n" + body +
          "  ret void\n}\n",
      error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  llvm::Function &function = *module->getFunction("f");
  llvm::FunctionAnalysisManager analyses;
  JoinProductsPass().run(function, analyses);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  Left left;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.getOpcode() == llvm::Instruction::Mul)
      ++(instruction.getType()->isIntegerTy(64) ? left.wide : left.narrow);
  return left;
}

const std::string kExtend = R"(
  %wa = zext i32 %a to i64
  %wb = zext i32 %b to i64
)";
const std::string kHigh = R"(
  %w = mul nuw i64 %wa, %wb
  %s = lshr i64 %w, 32
  %high = trunc i64 %s to i32
  store i32 %high, ptr %p
)";
const std::string kLow = R"(
  %low = mul i32 %b, %a
  store i32 %low, ptr %q
)";

TEST(JoinProducts, TakesTheLowerHalfOfAWideProduct) {
  EXPECT_EQ(join(kExtend + kHigh + kLow), (Left{0, 1}));
  // The product that comes first may stand above what the wide one is made of.
  EXPECT_EQ(join(kLow + kExtend + kHigh), (Left{0, 1}));
}

TEST(JoinProducts, KnowsConstants) {
  std::string high = R"(
  %wa = zext i32 %a to i64
  %w = mul nuw i64 %wa, 3528531795
  store i64 %w, ptr %p
)";
  EXPECT_EQ(
      join(high + "  %l = mul i32 %a, -766435501\n  store i32 %l, ptr %q\n"),
      (Left{0, 1}));
  EXPECT_EQ(
      join(high + "  %l = mul i32 %a, 766435501\n  store i32 %l, ptr %q\n"),
      (Left{1, 1}));
}

TEST(JoinProducts, LeavesOtherProducts) {
  // Signs matter to the upper half, but then it is another product.
  EXPECT_EQ(join(R"(
  %wa = sext i32 %a to i64
  %wb = sext i32 %b to i64
)" + kHigh + kLow),
            (Left{1, 1}));
  EXPECT_EQ(join(kLow), (Left{1, 0}));
  EXPECT_EQ(join(kExtend + kHigh + "  br label %next\nnext:\n" + kLow),
            (Left{1, 1}));
}

} // namespace
