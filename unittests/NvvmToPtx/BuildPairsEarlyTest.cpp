//===- BuildPairsEarlyTest.cpp - Which vectors are built before a product ---===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each vector stands after the pass. test/EndToEnd/constant-trips.test
// has a kernel that needs it.
//
//===----------------------------------------------------------------------===//

#include "BuildPairsEarly.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

const std::string kProduct =
    "  %d = call float asm sideeffect \"wgmma.mma_async $0\", \"=r\"() "
    "\"hopper.product\"\n";

/// The vectors before and behind the product of a body that has %x and %y.
std::pair<int, int> places(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
      "define void @f(float %x, float %y) {\n" + body + "  ret void\n}\n",
      error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  llvm::Function &function = *module->getFunction("f");
  llvm::FunctionAnalysisManager analyses;
  BuildPairsEarlyPass().run(function, analyses);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  int before = 0, behind = 0;
  bool seen = false;
  for (llvm::Instruction &instruction : function.front()) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    seen |= call && call->isInlineAsm();
    if (llvm::isa<llvm::InsertElementInst>(instruction))
      ++(seen ? behind : before);
  }
  return {before, behind};
}

const std::string kPair = R"(
  %p = insertelement <2 x float> poison, float %x, i64 0
  %q = insertelement <2 x float> %p, float %y, i64 1
)";

TEST(BuildPairsEarly, MovesBothHalvesOfAPair) {
  EXPECT_EQ(places(kProduct + kPair), std::make_pair(2, 0));
}

TEST(BuildPairsEarly, LeavesWhatTheProductMakes) {
  EXPECT_EQ(places(kProduct + R"(
  %p = insertelement <2 x float> poison, float %d, i64 0
  %q = insertelement <2 x float> %p, float %y, i64 1
)"),
            std::make_pair(0, 2));
}

TEST(BuildPairsEarly, LeavesWhatIsComputedBehindTheProduct) {
  EXPECT_EQ(places(kProduct + R"(
  %s = fadd float %x, %y
  %p = insertelement <2 x float> poison, float %s, i64 0
)"),
            std::make_pair(0, 1));
}

TEST(BuildPairsEarly, LeavesBlocksWithoutAProduct) {
  EXPECT_EQ(places(kPair), std::make_pair(2, 0));
}

TEST(BuildPairsEarly, LeavesOtherAssembly) {
  EXPECT_EQ(places("  %d = call float asm sideeffect \"wgmma.mma_async $0\", "
                   "\"=r\"()\n" +
                   kPair),
            std::make_pair(0, 2));
}

} // namespace
