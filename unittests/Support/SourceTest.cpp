//===- SourceTest.cpp - Settings applied to program text
//-------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Settings replace aliases in the text of a program. Lines must stay where they
// are, since messages name them, so an alias over several lines is refused.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Source.h"

#include "gtest/gtest.h"

using namespace heddle;

namespace {

const char *kText = "// !in = f8\n"
                    "!in = f16 // inputs\n"
                    "#b_order = #tile.order<0, 1>\n"
                    "tile.param @BM : {64, 128} = 128\n"
                    "  %c = arith.constant 1 : index\n";

std::string messageOf(std::vector<std::string> settings) {
  llvm::Expected<Source> source = applySettings("p.mlir", kText, settings);
  return source ? "none" : llvm::toString(source.takeError());
}

TEST(Source, ReplacesAliasesInPlace) {
  llvm::Expected<Source> source = applySettings(
      "p.mlir", kText, {"in=bf16", "#b_order=#tile.order<1, 0>", "BM=64"});
  ASSERT_TRUE(bool(source));
  EXPECT_EQ(source->text, "// !in = f8\n"
                          "!in = bf16 // inputs\n"
                          "#b_order = #tile.order<1, 0>\n"
                          "tile.param @BM : {64, 128} = 128\n"
                          "  %c = arith.constant 1 : index\n");
  EXPECT_EQ(source->parameterSettings, std::vector<std::string>{"BM=64"});
}

TEST(Source, ANumberKeepsItsType) {
  const char *text = "#pad = 1 : index // rim\n#scale = 0.5 : f32\n#n = 3\n";
  llvm::Expected<Source> source =
      applySettings("p.mlir", text, {"pad=2", "scale=-1.5e3", "n=4"});
  ASSERT_TRUE(bool(source));
  EXPECT_EQ(source->text, "#pad = 2 : index // rim\n#scale = -1.5e3 : f32\n"
                          "#n = 4\n");
  source = applySettings("p.mlir", text, {"pad=2 : i64", "n=#tile.order<0>"});
  ASSERT_TRUE(bool(source));
  EXPECT_EQ(source->text, "#pad = 2 : i64 // rim\n#scale = 0.5 : f32\n"
                          "#n = #tile.order<0>\n");
}

TEST(Source, SaysWhyATunableCannotBeSet) {
  llvm::Expected<Source> source =
      applySettings("p.mlir",
                    "task.instance @grid\n  task.tune \"U\" = 128\n"
                    "  task.tune \"V\" = 64 of {64, 128}\n",
                    {"U=192"});
  ASSERT_FALSE(bool(source));
  EXPECT_EQ(llvm::toString(source.takeError()),
            "p.mlir: the mapping binds 'U' to one number; list others behind "
            "it, as in `of {64, 128}`, to make it settable; what can be set is "
            "V [setting]");
}

TEST(Source, SaysWhatCanBeSet) {
  EXPECT_EQ(messageOf({"out=f32"}),
            "p.mlir: no alias or parameter is called 'out'; "
            "what can be set is in, b_order, BM [setting]");
  EXPECT_EQ(messageOf({"in"}), "p.mlir: expected NAME=VALUE but got 'in'; "
                               "what can be set is in, b_order, BM [setting]");
  EXPECT_EQ(messageOf({"in=f32", "!in=f16"}),
            "p.mlir: '!in' is set twice [setting]");
}

TEST(Source, AsksForTheSigilWhereItMatters) {
  llvm::Expected<Source> source =
      applySettings("p.mlir", "!x = f16\n#x = #tile.order<0>\n", {"x=f32"});
  ASSERT_FALSE(bool(source));
  EXPECT_EQ(llvm::toString(source.takeError()),
            "p.mlir: 'x' may mean !x or #x; write it with its sigil [setting]");
}

TEST(Source, RefusesAnAliasOverSeveralLines) {
  llvm::Expected<Source> source =
      applySettings("p.mlir", "\n!x = tuple<f16,\n  f16>\n", {"x=f32"});
  ASSERT_FALSE(bool(source));
  EXPECT_EQ(llvm::toString(source.takeError()),
            "p.mlir:2: alias !x spans several lines; write it on one line to "
            "make it settable [setting]");
}

} // namespace
