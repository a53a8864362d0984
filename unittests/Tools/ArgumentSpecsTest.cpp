//===- ArgumentSpecsTest.cpp - --view and --scalar ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts of --view and --scalar go in; specs, arguments or the whole sentence of
// an error come out. A text that is read as another shape would run a kernel on
// sizes that nobody asked for, so nonsense must be refused.
//
//===----------------------------------------------------------------------===//

#include "SampleArguments.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::tool;
using manifest::ElementType;

namespace {

manifest::Manifest makeManifest() {
  manifest::Manifest manifest;
  manifest.kernel = "scale";
  manifest.arguments = {makeView("x", ElementType::BF16), makeScalar("alpha")};
  return manifest;
}

std::string errorOf(std::vector<ViewSpec> views,
                    std::vector<ScalarSpec> scalars) {
  auto arguments = makeArguments(makeManifest(), views, scalars);
  return arguments ? "" : llvm::toString(arguments.takeError());
}

TEST(ViewSpec, Parses) {
  auto spec = parseViewSpec("a=512x256");
  ASSERT_TRUE(bool(spec));
  EXPECT_EQ(spec->name, "a");
  EXPECT_EQ(spec->shape, (std::vector<int64_t>{512, 256}));
  EXPECT_FALSE(spec->element.has_value());
}

TEST(ViewSpec, TakesAnElementType) {
  auto spec = parseViewSpec("a=0x8xbf16");
  ASSERT_TRUE(bool(spec));
  EXPECT_EQ(spec->shape, (std::vector<int64_t>{0, 8}));
  EXPECT_EQ(spec->element, ElementType::BF16);
}

TEST(ViewSpec, RefusesNonsense) {
  for (const char *text :
       {"a", "a=", "=4", "a=4x", "a=f16", "a=4x-1", "a=4xf16x4", "a=4xq7"}) {
    auto spec = parseViewSpec(text);
    EXPECT_FALSE(bool(spec)) << text;
    llvm::consumeError(spec.takeError());
  }
}

TEST(ScalarSpec, Parses) {
  auto spec = parseScalarSpec("alpha=-1.5");
  ASSERT_TRUE(bool(spec));
  EXPECT_EQ(spec->number.value, -1.5);
  auto wrong = parseScalarSpec("alpha=x");
  EXPECT_FALSE(bool(wrong));
  llvm::consumeError(wrong.takeError());
}

TEST(Arguments, StandInTheKernelsOrder) {
  auto arguments = makeArguments(makeManifest(), {ViewSpec{"x", {2, 3}, {}}},
                                 {ScalarSpec{"alpha", {2, 2}}});
  ASSERT_TRUE(bool(arguments));
  ASSERT_EQ(arguments->size(), 2u);
  EXPECT_EQ((*arguments)[0].shape().vec(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ((*arguments)[1].scalar(), 2);
}

TEST(Arguments, ErrorsSayWhatToWrite) {
  ViewSpec x{"x", {2, 3}, {}};
  ScalarSpec alpha{"alpha", {2, 2}};
  EXPECT_EQ(errorOf({}, {alpha}),
            "argument x is not given; add --view x=EXTENTxEXTENT "
            "[argument-absent]");
  EXPECT_EQ(errorOf({x}, {}),
            "argument alpha is not given; add --scalar alpha=NUMBER "
            "[argument-absent]");
  EXPECT_EQ(errorOf({x, x}, {alpha}),
            "--view x is given twice [argument-twice]");
  EXPECT_EQ(errorOf({x, ViewSpec{"y", {1}, {}}}, {alpha}),
            "--view y: kernel scale has no such argument; it has x, alpha "
            "[argument-unknown]");
  EXPECT_EQ(errorOf({ViewSpec{"x", {2}, {}}}, {alpha}),
            "--view x: view x has 2 axes, not 1 [argument-shape]");
  EXPECT_EQ(errorOf({ViewSpec{"x", {2, 3}, ElementType::F16}}, {alpha}),
            "--view x: the elements of x are bf16, not f16; --set changes the "
            "program's types [argument-shape]");
}

} // namespace
