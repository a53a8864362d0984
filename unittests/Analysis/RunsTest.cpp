//===- RunsTest.cpp - What is known of neighbours in a tile ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of places as programs make them, each with a name. Beside what has to
// be found, most tests ask for what must not be: an access that is wider than
// its run reads another row, and one under a mask that ends within it reads
// what the program does not.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Runs.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

/// `%x` is a block's 1024 places, one after the other from a multiple of 1024
/// on; `%count` an argument, `%u` a number that nobody knows.
class RunsTest : public testing::Test {
protected:
  using Run = tile::Run; // a test has another
  void parse(const std::string &inside) {
    std::string text = R"(
      hopper.kernel @k(%p: !tile.ptr<bf16>, %count: i32, %u: i32) source "k"
          threads 128 shared 1024 tma [] {
        hopper.process "main" warps 0 + 4 registers 0 {
          %block = tile.worker_id : index
          %size = arith.constant 1024 : i32
          %number = arith.index_cast %block : index to i32
          %begin = arith.muli %number, %size : i32
          %begins = tile.splat %begin : i32 -> tensor<1024xi32>
          %iota = tile.iota : tensor<1024xi32>
          %x = arith.addi %begins, %iota {name = "x"} : tensor<1024xi32>
          %c768 = arith.constant dense<768> : tensor<1024xi32>
          %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
          %counts = tile.splat %count : i32 -> tensor<1024xi32>
          %us = tile.splat %u : i32 -> tensor<1024xi32>
        )" + inside + "}}";
    context = pipeline::createContext();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
    ASSERT_TRUE(module);
    ask(true);
  }

  /// Whether a launch looks at arguments, but for the last.
  void ask(bool areMultiples) {
    runs.emplace([areMultiples](mlir::BlockArgument argument) {
      return areMultiples && argument.getArgNumber() < 2;
    });
  }

  mlir::Operation *named(llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    module->walk([&](mlir::Operation *op) {
      auto given = op->getAttrOfType<mlir::StringAttr>("name");
      if (given && given.getValue() == name)
        found = op;
    });
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  Run along(llvm::StringRef name, int64_t axis = 0) {
    return runs->along(named(name)->getResult(0), axis);
  }
  int64_t atOnce(llvm::StringRef name, int64_t axis = 0) {
    return runs->elementsAtOnce(named(name), axis, /*bytes=*/16);
  }

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<tile::RunFinder> runs;
};

} // namespace

TEST_F(RunsTest, PlacesOfABlockFollowOneAnother) {
  parse("");
  EXPECT_EQ(along("x"), (Run{1024, 1, 1024}));
}

TEST_F(RunsTest, RowsAndColumnsGoInRuns) {
  parse(R"(
    %column = arith.remsi %x, %c768 {name = "column"} : tensor<1024xi32>
    %row = arith.divsi %x, %c768 {name = "row"} : tensor<1024xi32>
    %c5 = arith.constant dense<5> : tensor<1024xi32>
    %odd = arith.remsi %x, %c5 {name = "odd"} : tensor<1024xi32>
  )");
  EXPECT_EQ(along("column"), (Run{256, 1, 256}));
  EXPECT_EQ(along("row"), (Run{1, 256, 1}));
  EXPECT_EQ(along("odd"), (Run{1, 1, 1}));
}

TEST_F(RunsTest, NumbersOfFewBitsAreNegativeBeyondHalf) {
  parse(R"(
    %c96 = arith.constant dense<96> : tensor<256xi8>
    %all = tile.iota : tensor<256xi8>
    %left = arith.remsi %all, %c96 {name = "left"} : tensor<256xi8>
    %h96 = arith.constant dense<96> : tensor<128xi8>
    %half = tile.iota : tensor<128xi8>
    %rest = arith.remsi %half, %h96 {name = "rest"} : tensor<128xi8>
    %sum = arith.addi %half, %h96 : tensor<128xi8>
    %wrapped = arith.remsi %sum, %h96 {name = "wrapped"} : tensor<128xi8>
  )");
  EXPECT_EQ(along("left").length, 1);
  EXPECT_EQ(along("rest").length, 32);
  EXPECT_EQ(along("wrapped").length, 1);
}

TEST_F(RunsTest, WhatIsLeftOfOtherDivisorsHasNoneOfThem) {
  parse(R"(
    %c160 = arith.constant dense<160> : tensor<1024xi32>
    %c64 = arith.constant dense<64> : tensor<1024xi32>
    %divisors = arith.addi %iota, %c64 {name = "divisors"} : tensor<1024xi32>
    %left = arith.remui %c160, %divisors {name = "left"} : tensor<1024xi32>
    %even = arith.remui %c160, %c64 {name = "even"} : tensor<1024xi32>
  )");
  EXPECT_EQ(along("divisors"), (Run{64, 1, 64}));
  EXPECT_EQ(along("left"), (Run{1, 1, 1})); // 160 % 65 is 30
  EXPECT_EQ(along("even").divisor, 32);
}

TEST_F(RunsTest, SignedQuotientsNeedNumbersThatAreNotNegative) {
  parse(R"(
    %far = arith.muli %us, %c768 : tensor<1024xi32>
    %perhaps = arith.addi %iota, %far {name = "perhaps"} : tensor<1024xi32>
    %row = arith.divsi %perhaps, %c768 {name = "row"} : tensor<1024xi32>
    %column = arith.remsi %perhaps, %c768 {name = "column"} : tensor<1024xi32>
    %down = arith.floordivsi %perhaps, %c768 {name = "down"} : tensor<1024xi32>
    %free = arith.divui %perhaps, %c768 {name = "free"} : tensor<1024xi32>
    %m = arith.constant dense<-16> : tensor<1024xi32>
    %up = arith.floordivsi %perhaps, %m {name = "up"} : tensor<1024xi32>
    %four = arith.constant dense<4> : tensor<1024xi32>
    %shifted = arith.shrsi %perhaps, %four {name = "shifted"} : tensor<1024xi32>
  )");
  EXPECT_EQ(along("perhaps"), (Run{256, 1, 256}));
  EXPECT_EQ(along("row").same, 1);
  EXPECT_EQ(along("column").length, 1);
  EXPECT_EQ(along("down").same, 256);
  EXPECT_EQ(along("free").same, 256);
  EXPECT_EQ(along("up").same, 1);
  EXPECT_EQ(along("shifted").same, 16);
}

TEST_F(RunsTest, SumsKeepRunsThatBeginAtMultiples) {
  parse(R"(
    %column = arith.remsi %x, %c768 : tensor<1024xi32>
    %row = arith.divsi %x, %c768 : tensor<1024xi32>
    %c24 = arith.constant dense<24> : tensor<1024xi32>
    %c3 = arith.constant dense<3> : tensor<1024xi32>
    %far = arith.muli %row, %c24 {name = "far"} : tensor<1024xi32>
    %place = arith.addi %column, %far {name = "place"} : tensor<1024xi32>
    %off = arith.addi %place, %c3 {name = "off"} : tensor<1024xi32>
    %twice = arith.addi %column, %column {name = "twice"} : tensor<1024xi32>
    %back = arith.subi %place, %c24 {name = "back"} : tensor<1024xi32>
    %down = arith.subi %c24, %place {name = "down"} : tensor<1024xi32>
    %by = arith.addi %place, %counts {name = "by"} : tensor<1024xi32>
    %somewhere = arith.addi %place, %us {name = "somewhere"} : tensor<1024xi32>
  )");
  EXPECT_EQ(along("far"), (Run{1, 256, 8}));
  EXPECT_EQ(along("place"), (Run{8, 1, 8}));
  EXPECT_EQ(along("off").length, 1);
  EXPECT_EQ(along("twice").length, 1);
  EXPECT_EQ(along("back").length, 8);
  EXPECT_EQ(along("down").length, 1);
  EXPECT_EQ(along("by").length, 8);
  EXPECT_EQ(along("somewhere").length, 1);
  ask(false);
  EXPECT_EQ(along("by").length, 1);
}

TEST_F(RunsTest, NumbersOfFewBitsWrapBetweenGroups) {
  parse(R"(
    %narrow = arith.trunci %x {name = "narrow"} : tensor<1024xi32> to tensor<1024xi8>
    %wide = arith.extsi %narrow {name = "wide"} : tensor<1024xi8> to tensor<1024xi64>
  )");
  EXPECT_EQ(along("narrow"), (Run{128, 1, 128}));
  EXPECT_EQ(along("wide"), (Run{128, 1, 128}));
}

TEST_F(RunsTest, MasksHoldForWholeGroups) {
  parse(R"(
    %c1000 = arith.constant dense<1000> : tensor<1024xi32>
    %c999 = arith.constant dense<999> : tensor<1024xi32>
    %below = arith.cmpi slt, %x, %c1000 {name = "below"} : tensor<1024xi32>
    %above = arith.cmpi sgt, %c1000, %x {name = "above"} : tensor<1024xi32>
    %upto = arith.cmpi sle, %x, %c999 {name = "upto"} : tensor<1024xi32>
    %cut = arith.cmpi sle, %x, %c1000 {name = "cut"} : tensor<1024xi32>
    %short = arith.cmpi slt, %x, %c999 {name = "short"} : tensor<1024xi32>
    %same = arith.cmpi eq, %x, %c1000 {name = "same"} : tensor<1024xi32>
    %asked = arith.cmpi slt, %x, %counts {name = "asked"} : tensor<1024xi32>
    %open = arith.cmpi slt, %x, %us {name = "open"} : tensor<1024xi32>
    %both = arith.andi %below, %asked {name = "both"} : tensor<1024xi1>
    %row = arith.divsi %x, %c768 : tensor<1024xi32>
    %rows = arith.cmpi ne, %row, %us {name = "rows"} : tensor<1024xi32>
  )");
  EXPECT_EQ(along("below").same, 8);
  EXPECT_EQ(along("above").same, 8);
  EXPECT_EQ(along("upto").same, 8);
  EXPECT_EQ(along("cut").same, 1);
  EXPECT_EQ(along("short").same, 1);
  EXPECT_EQ(along("same").same, 1);
  EXPECT_EQ(along("asked").same, 16);
  EXPECT_EQ(along("open").same, 1);
  EXPECT_EQ(along("both").same, 8);
  EXPECT_EQ(along("rows").same, 256);
  ask(false);
  EXPECT_EQ(along("asked").same, 1);
}

TEST_F(RunsTest, AxesAreLookedAtOneByOne) {
  parse(R"(
    %column = arith.remsi %x, %c768 : tensor<1024xi32>
    %columns = tile.expand_dims %column, 1 : tensor<1024xi32> -> tensor<1024x1xi32>
    %steps = tile.iota : tensor<16xi32>
    %c96 = arith.constant dense<96> : tensor<16xi32>
    %fars = arith.muli %steps, %c96 : tensor<16xi32>
    %rows = tile.expand_dims %fars, 0 : tensor<16xi32> -> tensor<1x16xi32>
    %a = tile.broadcast %columns : tensor<1024x1xi32> -> tensor<1024x16xi32>
    %b = tile.broadcast %rows : tensor<1x16xi32> -> tensor<1024x16xi32>
    %place = arith.addi %a, %b {name = "place"} : tensor<1024x16xi32>
    %turned = tile.trans %place, [1, 0] {name = "turned"} : tensor<1024x16xi32> -> tensor<16x1024xi32>
  )");
  EXPECT_EQ(along("place", 0), (Run{32, 1, 32}));
  EXPECT_EQ(along("place", 1), (Run{1, 1, 1}));
  EXPECT_EQ(along("turned", 1), (Run{32, 1, 32}));
}

TEST_F(RunsTest, AccessesNeedAddressesAtMultiplesOfTheirSize) {
  parse(R"(
    %column = arith.remsi %x, %c768 : tensor<1024xi32>
    %at = tile.ptr_add %ps, %column {name = "at"} : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
    %all = tile.gather %at {name = "all"} : tensor<1024x!tile.ptr<bf16>> -> tensor<1024xbf16>
    %c2 = arith.constant dense<2> : tensor<1024xi32>
    %next = tile.ptr_add %at, %c2 : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
    %some = tile.gather %next {name = "some"} : tensor<1024x!tile.ptr<bf16>> -> tensor<1024xbf16>
    %inside = arith.cmpi slt, %x, %counts : tensor<1024xi32>
    %masked = tile.gather %at mask %inside : tensor<1024xi1> {name = "masked"} : tensor<1024x!tile.ptr<bf16>> -> tensor<1024xbf16>
    %open = arith.cmpi slt, %x, %us : tensor<1024xi32>
    %cut = tile.gather %at mask %open : tensor<1024xi1> {name = "cut"} : tensor<1024x!tile.ptr<bf16>> -> tensor<1024xbf16>
    tile.scatter %all, %at mask %inside : tensor<1024xi1> {name = "written"} : tensor<1024xbf16>, tensor<1024x!tile.ptr<bf16>>
  )");
  EXPECT_EQ(along("at"), (Run{256, 1, 16}));
  EXPECT_EQ(atOnce("all"), 8);
  EXPECT_EQ(atOnce("some"), 2); // from a multiple of 4 bytes on
  EXPECT_EQ(atOnce("masked"), 8);
  EXPECT_EQ(atOnce("cut"), 1);
  EXPECT_EQ(atOnce("written"), 8);
  EXPECT_EQ(runs->elementsAtOnce(named("all"), 0, /*bytes=*/8), 4);
  ask(false);
  EXPECT_EQ(atOnce("all"), 1);
}

TEST_F(RunsTest, WhatIsReadAtEqualPlacesIsEqual) {
  parse(R"(
    %row = arith.divsi %x, %c768 : tensor<1024xi32>
    %at = tile.ptr_add %ps, %row : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
    %read = tile.gather %at {name = "read"} : tensor<1024x!tile.ptr<bf16>> -> tensor<1024xbf16>
    %inside = arith.cmpi slt, %x, %us : tensor<1024xi32>
    %apart = tile.gather %at mask %inside : tensor<1024xi1> {name = "apart"} : tensor<1024x!tile.ptr<bf16>> -> tensor<1024xbf16>
    %numbers = arith.constant {name = "numbers"} dense<[1, 2]> : tensor<2xi32>
  )");
  EXPECT_EQ(along("read").same, 256);
  EXPECT_EQ(along("apart").same, 1);
  EXPECT_EQ(along("numbers").same, 1);
}

TEST_F(RunsTest, ChoicesAreMadeForWholeGroups) {
  parse(R"(
    %c96 = arith.constant dense<96> : tensor<1024xi32>
    %near = arith.remsi %x, %c96 : tensor<1024xi32>
    %far = arith.remsi %x, %c768 : tensor<1024xi32>
    %inside = arith.cmpi slt, %x, %counts : tensor<1024xi32>
    %open = arith.cmpi slt, %x, %us : tensor<1024xi32>
    %group = arith.select %inside, %near, %far {name = "group"} : tensor<1024xi1>, tensor<1024xi32>
    %single = arith.select %open, %near, %far {name = "single"} : tensor<1024xi1>, tensor<1024xi32>
    %least = arith.minsi %near, %counts {name = "least"} : tensor<1024xi32>
  )");
  EXPECT_EQ(along("group"), (Run{16, 1, 16}));
  EXPECT_EQ(along("single").length, 1);
  EXPECT_EQ(along("least").length, 1);
}
