//===- TilePlacesTest.cpp - Which accesses meet no common element ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two stores of one instance, whose places differ in one way each, on both
// sides of the border where they meet.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/TilePlaces.h"
#include "heddle/Analysis/ValueNeeds.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

class TilePlacesTest : public testing::Test {
protected:
  void parse(const std::string &body) {
    std::string text = R"(
      !t = tensor<64x32xf32>
      !v = !tile.view<?x?xf32>
      tile.kernel @k(%y: !v, %p: !tile.ptr<f32>, %n: index, %r: index, %s: i32) {
        %f0 = arith.constant 0.0 : f32
        %t = tile.splat %f0 : f32 -> !t
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c31 = arith.constant 31 : index
        %c32 = arith.constant 32 : index
        %c63 = arith.constant 63 : index
        %c64 = arith.constant 64 : index
        %c96 = arith.constant 96 : index
        %c128 = arith.constant 128 : index
        %e64 = arith.constant 64 : i32
        %e31 = arith.constant 31 : i32
        %e32 = arith.constant 32 : i32
        tile.parallel (%i, %j) to (%n, %n) {
          %m = arith.muli %i, %c128 : index
          %q = arith.muli %j, %c96 : index
          )" + body + "}}";
    module = {}; // before its context
    context = pipeline::createContext();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
    ASSERT_TRUE(module);
    ops.clear();
    module->walk([&](mlir::Operation *op) {
      if (mlir::isa<tile::StoreOp, tile::LoadOp>(op))
        ops.push_back(op);
    });
  }

  /// Of two stores at `first` and `second` of view %y.
  bool apart(const std::string &first, const std::string &second,
             const std::string &before = "", const std::string &after = "") {
    parse(before + "tile.store %t, %y[" + first + "] : !t, !v\n" +
          "tile.store %t, %y[" + second + "] : !t, !v\n" + after);
    return lieApart(ops[0], ops[1]);
  }

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<mlir::Operation *> ops;
};

TEST_F(TilePlacesTest, TilesEndBeforeOthersBegin) {
  const std::string numbers = "%m63 = arith.addi %m, %c63 : index\n"
                              "%m64 = arith.addi %c64, %m : index\n"
                              "%back = arith.subi %m, %c64 : index\n";
  EXPECT_FALSE(apart("%m, %c0", "%m, %c0"));
  EXPECT_FALSE(apart("%m, %c0", "%m63, %c0", numbers));
  EXPECT_TRUE(apart("%m, %c0", "%m64, %c0", numbers));
  EXPECT_TRUE(apart("%m, %c0", "%back, %c0", numbers));
  EXPECT_FALSE(apart("%m, %c0", "%m, %c31"));
  EXPECT_TRUE(apart("%m, %c0", "%m, %c32"));
  EXPECT_TRUE(apart("%m, %c32", "%m, %c0"));
  EXPECT_FALSE(apart("%m, %q", "%q, %m"));
  EXPECT_FALSE(apart("%r, %c0", "%n, %c0"));
}

TEST_F(TilePlacesTest, IterationsHaveTheirOwnNumbers) {
  auto looped = [&](const std::string &step, const std::string &first,
                    const std::string &second) {
    return apart(first, second,
                 "scf.for %l = %c0 to %n step " + step +
                     " {\n%l64 = arith.addi %l, %c64 : index\n"
                     "%l32 = arith.addi %l, %c32 : index\n"
                     "%lm = arith.muli %l, %c128 : index\n"
                     "%lm64 = arith.addi %lm, %c64 : index\n"
                     "%odd = arith.muli %l, %c96 : index\n"
                     "%odd64 = arith.addi %odd, %c64 : index\n",
                 "}");
  };
  EXPECT_TRUE(looped("%c128", "%l, %c0", "%l64, %c0"));
  EXPECT_FALSE(looped("%c64", "%l, %c0", "%l64, %c0"));
  EXPECT_FALSE(looped("%c96", "%l, %c0", "%l64, %c0"));
  EXPECT_FALSE(looped("%c128", "%l, %c0", "%l32, %c0"));
  EXPECT_TRUE(looped("%c1", "%lm, %c0", "%lm64, %c0"));
  EXPECT_FALSE(looped("%c1", "%odd, %c0", "%odd64, %c0"));
  // Of a number that the launch knows nothing but that it is one.
  EXPECT_FALSE(looped("%n", "%l, %c0", "%l64, %c0"));
  // Neither do all iterations have one place.
  EXPECT_TRUE(looped("%c128", "%m, %c0", "%m, %c32"));
}

TEST_F(TilePlacesTest, RowsMeetAsAWholeOrNot) {
  auto whole = [&](const std::string &step, const std::string &row) {
    parse("scf.for %l = %c0 to %n step " + step + " {\ntile.store %t, %y[" +
          row + ", %l] : !t, !v\n}");
    return meetsByWholeRows(ops[0]);
  };
  EXPECT_TRUE(whole("%c1", "%m"));
  EXPECT_TRUE(whole("%c64", "%l"));
  EXPECT_FALSE(whole("%c32", "%l"));
  EXPECT_TRUE(whole("%c96", "%l"));
  EXPECT_FALSE(whole("%c31", "%l"));
}

TEST_F(TilePlacesTest, ViewsOfOnePointer) {
  auto views = [&](const std::string &by, const std::string &one,
                   const std::string &other,
                   const std::string &second = "%m, %c0") {
    parse("%r1 = arith.addi %m, %c1 : index\n"
          "%moved = tile.ptr_add %p, " +
          by +
          " : !tile.ptr<f32>, i32\n"
          "%v = tile.make_view %p, " +
          one +
          " : !tile.ptr<f32> -> !v\n"
          "%w = tile.make_view %moved, " +
          other +
          " : !tile.ptr<f32> -> !v\n"
          "tile.store %t, %v[%m, %c0] : !t, !v\n"
          "tile.store %t, %w[" +
          second + "] : !t, !v\n");
    return lieApart(ops[0], ops[1]);
  };
  const std::string rows = "[%n, %c128], [%c128, %c1]";
  EXPECT_FALSE(views("%s", rows, rows));
  EXPECT_FALSE(views("%e31", rows, rows));
  EXPECT_TRUE(views("%e32", rows, rows));
  EXPECT_TRUE(views("%e64", rows, rows));
  // Other rows of the other half, and of the same one.
  EXPECT_TRUE(views("%e64", rows, rows, "%r1, %c0"));
  EXPECT_FALSE(views("%e31", rows, rows, "%r1, %c0"));
  EXPECT_TRUE(views("%e64", rows, rows, "%q, %c0"));
  EXPECT_TRUE(views("%e64", rows, rows, "%q, %c1"));
  EXPECT_FALSE(views("%e64", rows, rows, "%q, %c63"));
  EXPECT_FALSE(views("%e64", rows, rows, "%m, %q"));
  // A row further, the columns meet.
  EXPECT_FALSE(
      views("%e64", "[%n, %c64], [%c64, %c1]", "[%n, %c64], [%c64, %c1]"));
  // Strides of other numbers, or none that are known.
  EXPECT_FALSE(views("%e64", rows, "[%n, %c128], [%c96, %c1]"));
  EXPECT_FALSE(views("%e64", "[%n, %r], [%r, %c1]", "[%n, %r], [%r, %c1]"));
}

TEST_F(TilePlacesTest, ViewsOfOneBeginning) {
  auto views = [&](const std::string &one, const std::string &other) {
    parse("%v = tile.make_view %p, " + one +
          " : !tile.ptr<f32> -> !v\n"
          "%w = tile.make_view %p, " +
          other +
          " : !tile.ptr<f32> -> !v\n"
          "%m64 = arith.addi %m, %c64 : index\n"
          "tile.store %t, %v[%m, %c0] : !t, !v\n"
          "tile.store %t, %w[%m64, %c0] : !t, !v\n");
    return lieApart(ops[0], ops[1]);
  };
  EXPECT_TRUE(views("[%n, %r], [%r, %c1]", "[%n, %r], [%r, %c1]"));
  EXPECT_TRUE(views("[%n, %r], [%r, %c1]", "[%c128, %r], [%r, %c1]"));
  EXPECT_TRUE(views("[%n, %c96], [%c128, %c1]", "[%n, %c32], [%c128, %c1]"));
  // One row that goes on through all of the other view's.
  EXPECT_FALSE(views("[%n, %r], [%r, %c1]", "[%c1, %n], [%r, %c1]"));
  // Rows that may overlap.
  EXPECT_FALSE(views("[%n, %n], [%r, %c1]", "[%n, %n], [%r, %c1]"));
  EXPECT_FALSE(views("[%n, %c128], [%c31, %c1]", "[%n, %c128], [%c31, %c1]"));
}

TEST_F(TilePlacesTest, MatricesOfABatch) {
  auto heads = [&](const std::string &by, const std::string &second,
                   const std::string &extents = "[%n, %r, %c64]") {
    parse("%rows = arith.muli %r, %c64 : index\n"
          "%twice = arith.muli %r, %c128 : index\n"
          "%less = arith.muli %r, %c63 : index\n"
          "%moved = tile.ptr_add %p, " +
          by +
          " : !tile.ptr<f32>, index\n"
          "%v = tile.make_view %p, " +
          extents +
          ", [%r, %c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?x?xf32>\n"
          "%w = tile.make_view %moved, " +
          extents +
          ", [%r, %c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?x?xf32>\n"
          "tile.store %t, %v[%q, %m, %c0] : !t, !tile.view<?x?x?xf32>\n"
          "tile.store %t, %w[" +
          second + "] : !t, !tile.view<?x?x?xf32>\n");
    return lieApart(ops[0], ops[1]) && lieApart(ops[1], ops[0]);
  };
  EXPECT_TRUE(heads("%rows", "%q, %m, %c0"));
  EXPECT_TRUE(heads("%twice", "%q, %n, %c31"));
  EXPECT_FALSE(heads("%less", "%q, %m, %c0"));
  EXPECT_FALSE(heads("%rows", "%m, %m, %c0"));
  EXPECT_FALSE(heads("%rows", "%q, %m, %c0", "[%n, %n, %c64]"));
  EXPECT_FALSE(heads("%rows", "%q, %m, %c0", "[%n, %r, %c96]"));
}

TEST_F(TilePlacesTest, TheNextMatrixOfABatch) {
  auto batches = [&](const std::string &first, const std::string &second,
                     const std::string &extents = "[%n, %n, %r]") {
    parse("%all = arith.muli %n, %r : index\n"
          "%c2 = arith.constant 2 : index\n"
          "%i2 = arith.muli %i, %c2 : index\n"
          "%j2 = arith.muli %j, %c2 : index\n"
          "%moved = tile.ptr_add %p, %all : !tile.ptr<f32>, index\n"
          "%v = tile.make_view %p, " +
          extents +
          ", [%all, %r, %c1] : !tile.ptr<f32> -> !tile.view<?x?x?xf32>\n"
          "%w = tile.make_view %moved, " +
          extents +
          ", [%all, %r, %c1] : !tile.ptr<f32> -> !tile.view<?x?x?xf32>\n"
          "tile.store %t, %v[" +
          first +
          ", %m, %c0] : !t, !tile.view<?x?x?xf32>\n"
          "tile.store %t, %w[" +
          second + ", %m, %c0] : !t, !tile.view<?x?x?xf32>\n");
    EXPECT_EQ(lieApart(ops[0], ops[1]), lieApart(ops[1], ops[0]));
    return lieApart(ops[0], ops[1]);
  };
  EXPECT_TRUE(batches("%i2", "%i2"));
  EXPECT_TRUE(batches("%i2", "%j2")); // even and odd ones
  EXPECT_FALSE(batches("%i", "%j"));
  EXPECT_FALSE(batches("%c1", "%c0"));
  EXPECT_TRUE(batches("%c0", "%c1"));
  EXPECT_FALSE(batches("%i2", "%j2", "[%n, %n, %n]"));
}

TEST_F(TilePlacesTest, WhatIsWrittenWaitsForWhatItIsMadeOf) {
  auto needs = [&](const std::string &stored, const std::string &before) {
    parse("%old = tile.load %y[%m, %c0] : !v -> !t\n" + before + "tile.store " +
          stored + ", %y[%m, %c0] : !t, !v\n");
    return needsValueOf(ops.back(), ops.front());
  };
  EXPECT_FALSE(needs("%t", ""));
  EXPECT_TRUE(needs("%u", "%u = arith.addf %old, %t : !t\n"));
  const std::string loop =
      "%u = scf.for %l = %c0 to %n step %c1 iter_args(%a = INIT) -> (!t) {\n"
      "%b = arith.addf %a, %a : !t\n scf.yield NEXT : !t }\n";
  auto with = [&](std::string init, std::string next) {
    std::string text = loop;
    text.replace(text.find("INIT"), 4, init);
    return text.replace(text.find("NEXT"), 4, next);
  };
  EXPECT_TRUE(needs("%u", with("%old", "%b")));
  EXPECT_FALSE(needs("%u", with("%old", "%t"))); // lost in the first iteration
  EXPECT_FALSE(needs("%u", with("%t", "%old"))); // there may be no iteration
  EXPECT_TRUE(needs("%u", with("%old", "%old")));
}

} // namespace
