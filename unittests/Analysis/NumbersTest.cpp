//===- NumbersTest.cpp - What is proved of a kernel's scalars -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of the hopper rung with named numbers, and bounds that must be
// provable or must not. Most bounds are asked for one beyond too: a prover that
// agrees too often would let a kernel compute in 32 bits that overflow.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Numbers.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

/// A kernel with one process; operations that carry {name = "x"} are asked for.
class NumbersTest : public testing::Test {
protected:
  void parse(const std::string &outside, const std::string &inside) {
    std::string text = R"(
      hopper.kernel @k(%a: !tile.view<?x?xf32>, %n: i32, %w: i64) source "k"
          threads 128 shared 1024 tma [] {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c64 = arith.constant 64 : index
        %m = tile.dim %a, 0 : !tile.view<?x?xf32>
        %k = tile.dim %a, 1 : !tile.view<?x?xf32>
        %worker = tile.worker_id : index
        %workers = tile.worker_count : index
        )" + outside + R"(
        hopper.process "main" warps 0 + 4 registers 0 {
        )" + inside + "}}";
    context = pipeline::createContext();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
    ASSERT_TRUE(module);
    auto kernel = *module->getOps<hopper::KernelOp>().begin();
    numbers.emplace(kernel);
  }

  mlir::Value named(llvm::StringRef name) {
    mlir::Value found;
    module->walk([&](mlir::Operation *op) {
      auto given = op->getAttrOfType<mlir::StringAttr>("name");
      if (given && given.getValue() == name)
        found = op->getResult(0);
    });
    return found;
  }
  LinearForm form(llvm::StringRef name) { return numbers->form(named(name)); }
  bool isAtMost(llvm::StringRef name, Wide most) {
    return numbers->isNeverNegative(LinearForm(most) - form(name));
  }
  bool isAtLeast(llvm::StringRef name, Wide least) {
    return numbers->isNeverNegative(form(name) - least);
  }

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Numbers> numbers;
};

} // namespace

TEST_F(NumbersTest, ExtentsAreWhatLaunchesAccept) {
  parse("", "%x = arith.addi %m, %c64 {name = \"x\"} : index");
  EXPECT_TRUE(isAtLeast("x", 64));
  EXPECT_FALSE(isAtLeast("x", 65));
  EXPECT_TRUE(isAtMost("x", (Wide(1) << 31) + 63));
  EXPECT_FALSE(isAtMost("x", (Wide(1) << 31) + 62));
}

TEST_F(NumbersTest, AnArithmeticThatWrapsSaysNothing) {
  parse("", R"(
    %c = arith.constant 4294967296 : index
    %b = arith.muli %c, %m : index
    %s = arith.muli %b, %c64 {name = "s"} : index
    %i = arith.addi %n, %n {name = "i"} : i32)");
  EXPECT_FALSE(isAtLeast("s", 0)); // 2^69
  EXPECT_FALSE(
      numbers->isNeverNegative(form("i") - numbers->form(named("i")) * 2));
  EXPECT_EQ(numbers->range(named("i")), NumberRange::ofWidth(32));
}

TEST_F(NumbersTest, APointLiesBetweenTheEndsOfItsLoop) {
  parse("", R"(
    scf.for %p = %c4 to %k step %c64 {
      %x = arith.subi %k, %p {name = "x"} : index
      %y = arith.subi %p, %c4 {name = "y"} : index
    })");
  EXPECT_TRUE(isAtLeast("x", 1));
  EXPECT_FALSE(isAtLeast("x", 2));
  EXPECT_TRUE(isAtLeast("y", 0));
  EXPECT_FALSE(isAtLeast("y", 1));
}

// Where t < m * g, t / (4 g) * 4 is no more than m: tiles in groups of rows.
TEST_F(NumbersTest, AGroupOfTilesBeginsWithinTheRows) {
  parse("%i = arith.muli %m, %k : index\n hopper.grid %i", R"(
    scf.for %t = %worker to %i step %workers {
      %g = arith.muli %c4, %k : index
      %q = arith.divui %t, %g : index
      %f = arith.muli %q, %c4 : index
      %left = arith.subi %m, %f {name = "left"} : index
    })");
  EXPECT_TRUE(isAtLeast("left", 0));
}

// The last instance of a worker: w + ceil((i - w) / n) * n - n < i.
TEST_F(NumbersTest, TheLastInstanceIsOne) {
  parse("%i = arith.muli %c1, %m : index\n hopper.grid %i", R"(
    %some = arith.cmpi slt, %worker, %i : index
    scf.if %some {
      %d = arith.subi %i, %worker : index
      %r = arith.ceildivsi %d, %workers : index
      %f = arith.muli %r, %workers : index
      %e = arith.addi %worker, %f : index
      %l = arith.subi %e, %workers : index
      %left = arith.subi %i, %l {name = "left"} : index
    })");
  EXPECT_TRUE(isAtLeast("left", 1));
}

TEST_F(NumbersTest, AConditionHoldsInItsBranchOnly) {
  parse("", R"(
    %c = arith.cmpi slt, %m, %k : index
    scf.if %c {
      %x = arith.subi %k, %m : index
      %inside = arith.divui %x, %c4 {name = "inside"} : index
    }
    %y = arith.subi %k, %m : index
    %outside = arith.divui %y, %c4 {name = "outside"} : index)");
  EXPECT_TRUE(isAtMost("inside", Wide(1) << 29));
  EXPECT_FALSE(isAtMost("outside", Wide(1) << 29));
}

TEST_F(NumbersTest, AComparisonThatRangesDecideChooses) {
  parse("", R"(
    %zero = arith.constant 0 : i1
    %all = arith.constant 1 : i1
    %is = arith.cmpi ult, %m, %c0 : index
    %y = arith.select %is, %k, %c4 {name = "y"} : index
    %signed = arith.cmpi slt, %all, %zero : i1
    %z = arith.select %signed, %c4, %c64 {name = "z"} : index
    %wide = arith.cmpi ult, %w, %w : i64
    %v = arith.select %wide, %c4, %c64 {name = "v"} : index)");
  EXPECT_TRUE(isAtLeast("y", 4));
  EXPECT_TRUE(isAtMost("y", 4));
  // True is -1 with a sign: 4 it is.
  EXPECT_FALSE(isAtLeast("z", 64));
  EXPECT_FALSE(isAtMost("v", 4));
}

TEST_F(NumbersTest, WhatALoopCarriesIsNotKnown) {
  parse("", R"(
    %r = scf.for %p = %c0 to %k step %c1 iter_args(%s = %c0) -> (index) {
      %t = arith.addi %s, %c1 {name = "t"} : index
      scf.yield %t : index
    })");
  EXPECT_FALSE(isAtMost("t", Wide(1) << 40));
  EXPECT_FALSE(isAtLeast("t", 0));
}

TEST_F(NumbersTest, LaunchesAreAskedForNumbersOfTheHost) {
  parse("", R"(
    %n.i = arith.index_cast %n : i32 to index
    %x = arith.addi %n.i, %c64 {name = "x"} : index)");
  EXPECT_FALSE(isAtLeast("x", 64));
  auto asked = numbers->whatMakesNonNegative(form("x") - 64);
  ASSERT_EQ(asked.size(), 1u);
  numbers->assume(asked.front());
  EXPECT_TRUE(isAtLeast("x", 64));
}

TEST_F(NumbersTest, WhatIsPassedIn64BitsIsNotAskedToBeSmall) {
  parse("", "%x = arith.index_cast %w {name = \"x\"} : i64 to index");
  EXPECT_TRUE(
      numbers->whatMakesNonNegative(LinearForm(Wide(1) << 31) - form("x"))
          .empty());
}

TEST_F(NumbersTest, NoLaunchOfSizeOneIsRefused) {
  parse("", R"(
    %n.i = arith.index_cast %n : i32 to index
    %x = arith.addi %n.i, %c0 {name = "x"} : index)");
  EXPECT_TRUE(numbers->whatMakesNonNegative(form("x") - 1000).empty());
}

TEST_F(NumbersTest, SignsAreThoseOfTheCast) {
  parse("", R"(
    %b = arith.cmpi slt, %m, %k : index
    %u = arith.extui %b {name = "u"} : i1 to i32
    %s = arith.extsi %b {name = "s"} : i1 to i32
    %z = arith.index_castui %n {name = "z"} : i32 to index)");
  EXPECT_EQ(numbers->range(named("u")), (NumberRange{0, 1}));
  EXPECT_EQ(numbers->range(named("s")), (NumberRange{-1, 0}));
  EXPECT_EQ(numbers->range(named("z")), (NumberRange{0, (Wide(1) << 32) - 1}));
}
