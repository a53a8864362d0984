//===- MoveLandedTest.cpp - Which results of waits are moved ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many moves stand behind the waits of a function.
// test/EndToEnd/landed.test has a kernel that needs them.
//
//===----------------------------------------------------------------------===//

#include "MoveLanded.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

std::string product(const std::string &result) {
  return "  " + result +
         " = call float asm sideeffect \"start $0\", \"=&f\"() "
         "\"hopper.product\"\n";
}

/// A product that goes on in the registers of `sum`.
std::string add(const std::string &result, const std::string &sum) {
  return "  " + result +
         " = call float asm sideeffect \"start $0\", \"=f,0\"(float " + sum +
         ") \"hopper.product\"\n";
}

std::string wait(const std::string &result, const std::string &flight) {
  return "  " + result +
         " = call float asm sideeffect \"wait\", \"=f,0\"(float " + flight +
         ") \"hopper.product_wait\"\n";
}

std::string use(const std::string &value) {
  return "  call void @use(float " + value + ")\n";
}

/// `prologue`, then a loop with these phis and this body.
std::string loop(const std::string &prologue, const std::string &phis,
                 const std::string &body) {
  return prologue + "  br label %loop\nloop:\n" + phis + body +
         "  br i1 %more, label %loop, label %end\nend:\n";
}

std::string phi(const std::string &result, const std::string &first,
                const std::string &next) {
  return "  " + result + " = phi float [" + first + ", %entry], [" + next +
         ", %loop]\n";
}

/// The moves that the pass adds, each of which reads a wait's result.
int movesIn(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
      "declare void @use(float)\ndefine void @f(i1 %more) {\nentry:\n" + body +
          "  ret void\n}\n",
      error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  llvm::Function &function = *module->getFunction("f");
  llvm::FunctionAnalysisManager analyses;
  MoveLandedPass().run(function, analyses);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  int moves = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    auto *text = call
                     ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
                     : nullptr;
    if (!text || !text->getAsmString().starts_with("mov"))
      continue;
    EXPECT_FALSE(text->hasSideEffects());
    for (llvm::Value *operand : call->args()) {
      ++moves;
      EXPECT_TRUE(operand->hasOneUse())
          << "the result itself goes nowhere else";
    }
  }
  return moves;
}

TEST(MoveLanded, LeavesAResultThatIsReadAtOnce) {
  EXPECT_EQ(movesIn(product("%a") + wait("%w", "%a") + use("%w")), 0);
}

TEST(MoveLanded, LeavesASumThatALoopCarries) {
  EXPECT_EQ(
      movesIn(loop(product("%a") + wait("%v", "%a"), phi("%sum", "%v", "%w"),
                   add("%b", "%sum") + wait("%w", "%b")) +
              use("%w")),
      0);
}

TEST(MoveLanded, LeavesAFlightThatALoopCarries) {
  EXPECT_EQ(movesIn(loop(product("%a"), phi("%flight", "%a", "%b"),
                         wait("%w", "%flight") + use("%w") + product("%b")) +
                    wait("%v", "%b") + use("%v")),
            0);
}

// The product is made while what the one before gave is still to be read.
TEST(MoveLanded, MovesWhatIsReadBehindTheNextProduct) {
  EXPECT_EQ(
      movesIn(loop(product("%a") + wait("%v", "%a"), phi("%last", "%v", "%w"),
                   product("%b") + use("%last") + wait("%w", "%b")) +
              use("%w")),
      1);
}

// As above, and the product goes on with the sum of another, which the loop
// carries too.
TEST(MoveLanded, MovesWhatIsReadBesideTheNextSum) {
  EXPECT_EQ(movesIn(loop(product("%a") + wait("%v", "%a") + product("%d") +
                             wait("%x", "%d"),
                         phi("%sum", "%v", "%w") + phi("%last", "%x", "%y"),
                         product("%b") + use("%last") + add("%c", "%sum") +
                             wait("%w", "%b") + wait("%y", "%c")) +
                    use("%w") + use("%y")),
            2);
}

TEST(MoveLanded, MovesOnlyTheRegistersThatNeedIt) {
  const std::string pair = "{ float, float }";
  EXPECT_EQ(
      movesIn(loop("", "  %last = phi float [0.0, %entry], [%w, %loop]\n",
                   "  %b = call " + pair +
                       " asm sideeffect \"start $0, $1\", \"=&f,=&f\"() "
                       "\"hopper.product\"\n"
                       "  %b0 = extractvalue " +
                       pair +
                       " %b, 0\n"
                       "  %b1 = extractvalue " +
                       pair + " %b, 1\n" + use("%last") + "  %r = call " +
                       pair +
                       " asm sideeffect \"wait\", \"=f,=f,0,1\"(float %b0, "
                       "float %b1) \"hopper.product_wait\"\n"
                       "  %w = extractvalue " +
                       pair +
                       " %r, 0\n"
                       "  %u = extractvalue " +
                       pair + " %r, 1\n" + use("%u")) +
              use("%w")),
      1);
}

TEST(MoveLanded, LeavesOtherAssembly) {
  auto other = [](const std::string &result, const std::string &value) {
    return "  " + result +
           " = call float asm sideeffect \"wait\", \"=f,0\"(float " + value +
           ")\n";
  };
  EXPECT_EQ(
      movesIn(loop(product("%a") + other("%v", "%a"), phi("%last", "%v", "%w"),
                   product("%b") + use("%last") + other("%w", "%b")) +
              use("%w")),
      0);
}

} // namespace
