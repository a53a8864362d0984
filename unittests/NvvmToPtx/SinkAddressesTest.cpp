//===- SinkAddressesTest.cpp - Which addresses go where they are used -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SinkAddresses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

/// Where %address lies after the pass: `front` stands before a loop over
/// instances, which holds a loop with `inner`, and whose epilogue has `epilogue`.
std::string placeOf(const std::string &front, const std::string &epilogue,
                    const std::string &inner = "",
                    const std::string &phi = "%k = phi i32 [ 0, %tiles ], [ "
                                             "%k.next, %loop ]",
                    const std::string &next = "%k.next = add i32 %k, 1") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::string text = "declare i32 @lane()\n"
                     "declare void @store(i32)\n"
                     "declare i1 @done(i32)\n"
                     "define void @f(i32 %n) {\nentry:\n"
                     "  %lane = call i32 @lane()\n  " +
                     front +
                     "\n  br label %tiles\n"
                     "tiles:\n"
                     "  %tile = phi i32 [ 0, %entry ], [ %tile.next, %epilogue "
                     "]\n  br label %loop\n"
                     "loop:\n  " +
                     phi + "\n  " + inner + "\n  " + next +
                     "\n  %last = call i1 @done(i32 %tile)\n"
                     "  br i1 %last, label %epilogue, label %loop\n"
                     "epilogue:\n  " +
                     epilogue +
                     "\n  %tile.next = add i32 %tile, 1\n"
                     "  %end = call i1 @done(i32 %tile.next)\n"
                     "  br i1 %end, label %exit, label %tiles\n"
                     "exit:\n  ret void\n}\n";
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  llvm::Function &function = *module->getFunction("f");
  llvm::FunctionAnalysisManager analyses;
  llvm::PassBuilder().registerFunctionAnalyses(analyses);
  SinkAddressesPass().run(function, analyses);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &op : block)
      if (op.getName() == "address")
        return block.getName().str();
  return "";
}

const char *const kTwo = "%half = shl i32 %lane, 1\n"
                         "  %address = xor i32 %half, 32\n"
                         "  %other = xor i32 %half, 64";
const char *const kStores = "call void @store(i32 %address)\n"
                            "  call void @store(i32 %other)";

TEST(SinkAddresses, ComputesThemInTheEpilogue) {
  EXPECT_EQ(placeOf(kTwo, kStores), "epilogue");
}

TEST(SinkAddresses, LeavesWhatALoopReadsToo) {
  EXPECT_EQ(placeOf(kTwo, kStores,
                    "call void @store(i32 %address)\n  call void @store(i32 "
                    "%other)"),
            "entry");
}

// One value for another gains nothing.
TEST(SinkAddresses, LeavesOneAddressOfOneValue) {
  EXPECT_EQ(placeOf("%address = shl i32 %lane, 1",
                    "call void @store(i32 %address)"),
            "entry");
}

// Unless the loop holds that value anyway.
TEST(SinkAddresses, TakesOneAddressOfAValueThatIsHeld) {
  EXPECT_EQ(placeOf("%address = shl i32 %lane, 1",
                    "call void @store(i32 %address)",
                    "call void @store(i32 %lane)"),
            "epilogue");
}

TEST(SinkAddresses, CountsBits) {
  EXPECT_EQ(placeOf("%wide = zext i32 %lane to i64\n"
                    "  %wider = mul i64 %wide, %wide\n"
                    "  %address = trunc i64 %wider to i32",
                    "call void @store(i32 %address)"),
            "entry");
}

// Waiting needs no registers to speak of.
TEST(SinkAddresses, LeavesAddressesInFrontOfALoopThatOnlyWaits) {
  EXPECT_EQ(placeOf(kTwo, kStores, "", "", ""), "entry");
}

TEST(SinkAddresses, LeavesCalls) {
  EXPECT_EQ(placeOf("%address = call i32 @lane()\n  %other = add i32 %lane, 1",
                    kStores),
            "entry");
}

} // namespace
