//===- RoundTripTest.cpp - print, parse, print ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A manifest that is printed and read again must be the same, whatever it
// holds. Lines of the text are compared as well, because the file is meant to
// be read and diffed.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "gtest/gtest.h"

using namespace heddle::manifest;
using namespace heddle::manifest::sample;

namespace {

TEST(RoundTrip, PrintedManifestParsesToItself) {
  Manifest manifest = gemm(), again;
  std::string error;
  ASSERT_TRUE(parse(print(manifest), again, error)) << error;
  EXPECT_TRUE(manifest == again);
  EXPECT_EQ(print(manifest), print(again));
}

TEST(RoundTrip, EveryOperationAndArgumentKind) {
  using Op = Expr::Op;
  Manifest manifest = gemm();
  Argument alpha;
  alpha.kind = Argument::Kind::Scalar;
  alpha.name = "alpha";
  alpha.element = ElementType::I32;
  Argument table;
  table.kind = Argument::Kind::Pointer;
  table.name = "table";
  table.element = ElementType::E5M2;
  manifest.arguments.push_back(alpha);
  manifest.arguments.push_back(table);
  Expr expr = constant(7);
  for (Op op : {Op::Add, Op::Sub, Op::Mul, Op::CeilDiv, Op::FloorDiv, Op::Mod,
                Op::Min, Op::Max})
    expr = operation(op, {expr, scalar("alpha")});
  manifest.variants[1].grid[2] = expr;
  manifest.variants[1].cycles = expr;
  manifest.variants[1].params.push_back(param(Param::Kind::Scalar, "alpha"));
  manifest.variants[1].params.push_back(param(Param::Kind::Pointer, "table"));
  manifest.assertions = {{scalar("alpha"), dim("a", 0), "all \"rows\""}};
  Manifest again;
  std::string error;
  ASSERT_TRUE(parse(print(manifest), again, error)) << error;
  EXPECT_TRUE(manifest == again);
}

TEST(RoundTrip, StepsAndWorkspaces) {
  Manifest manifest = twoSteps(), again;
  std::string error;
  ASSERT_TRUE(parse(print(manifest), again, error)) << error;
  EXPECT_TRUE(manifest == again);
}

TEST(RoundTrip, ClearedWorkspaces) {
  Manifest manifest = twoSteps(), again;
  manifest.madeViews[0].cleared = true;
  std::string error;
  ASSERT_TRUE(parse(print(manifest), again, error)) << error;
  EXPECT_TRUE(again.madeViews[0].cleared);
  EXPECT_TRUE(manifest == again);
}

TEST(RoundTrip, MadeViews) {
  Manifest manifest = madeViewKernel();
  manifest.madeViews[0].view.farAxis = 0;
  Manifest again;
  std::string error;
  ASSERT_TRUE(parse(print(manifest), again, error)) << error;
  EXPECT_TRUE(manifest == again);
}

TEST(RoundTrip, SpellingsOfElementTypes) {
  for (int i = 0; i <= static_cast<int>(ElementType::E5M2); ++i) {
    ElementType type = static_cast<ElementType>(i);
    EXPECT_EQ(elementTypeFromSpelling(spelling(type)), type);
  }
  EXPECT_EQ(elementTypeFromSpelling("fp16"), std::nullopt);
  EXPECT_EQ(elementBytes(ElementType::E4M3), 1);
  EXPECT_EQ(elementBytes(ElementType::F64), 8);
}

TEST(RoundTrip, TextIsReadable) {
  std::string text = print(gemm());
  for (const char *line :
       {"  \"schema\": \"heddle-manifest-1\",\n",
        "    {\"name\":\"c\",\"kind\":\"view\",\"element\":\"f16\",\"rank\":2,"
        "\"order\":[1,0],\"written\":true}\n",
        "        {\"tensor_map\":\"a\",\"box\":[64,128],\"swizzle_bytes\":128,"
        "\"l2_promotion_bytes\":128},\n",
        "        {\"at_least\":[{\"dim\":[\"a\",1]},8]}\n",
        "      \"cluster\": [1,1,1],\n",
        "        {\"ceildiv\":[{\"dim\":[\"c\",1]},64]},\n",
        "        {\"name\":\"load\",\"first_warp\":0,\"warp_count\":4,"
        "\"registers\":40},\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nnot in\n"
                                                  << text;
}

} // namespace
