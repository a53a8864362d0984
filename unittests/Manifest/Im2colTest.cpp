//===- Im2colTest.cpp - Tensor maps with steps and in im2col mode ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Corners as a launch computes them from the first place, the step and the
// count of pixels; arguments for which there are none; and recipes that no map
// can have.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "gtest/gtest.h"

using namespace heddle::manifest;
using namespace heddle::manifest::sample;

namespace {

/// A kernel that reads images x rows x columns x channels in runs of 64 pixels,
/// every second one, from -1 on, as many as `count` says.
Manifest runs() {
  Manifest manifest;
  manifest.kernel = "run";
  manifest.target = "sm_90a";
  Argument count;
  count.kind = Argument::Kind::Scalar;
  count.name = "count";
  count.element = ElementType::I32;
  manifest.arguments = {view("x", false, {3, 2, 1, 0}), count};
  Param map = tensorMap("x", {32});
  map.tensorMap.steps = {1, 2, 2, 1};
  Im2colRecipe &im2col = map.tensorMap.im2col.emplace();
  im2col.pixels = 64;
  im2col.first = {constant(-1), constant(-1)};
  im2col.count = {scalar("count"), scalar("count")};
  Variant variant;
  variant.entry = "run";
  variant.params = {map};
  variant.grid = {constant(1), constant(1), constant(1)};
  manifest.variants = {variant};
  return manifest;
}

std::vector<ArgumentValue> arguments(int64_t extent, int64_t count) {
  ArgumentValue x;
  x.address = 0x10000;
  x.shape = {2, extent, extent, 64};
  x.strides = {extent * extent * 64, extent * 64, 64, 1};
  ArgumentValue number;
  number.element = ElementType::I32;
  number.scalarBits = uint64_t(count);
  return {x, number};
}

std::string errorOf(const Manifest &manifest) {
  std::string error;
  EXPECT_FALSE(verify(manifest, error));
  return error;
}

TEST(Im2col, CornersFollowFromThePixels) {
  LaunchPlan plan;
  std::string error;
  ASSERT_TRUE(planLaunch(runs(), arguments(14, 7), 132, plan, error)) << error;
  const TensorMap &map = plan.params[0].tensorMap;
  EXPECT_EQ(map.pixels, 64);
  EXPECT_EQ(map.box, (std::vector<int>{32}));
  EXPECT_EQ(map.steps, (std::vector<int>{1, 2, 2, 1}));
  EXPECT_EQ(map.lower, (std::vector<int>{-1, -1}));
  // The last of seven pixels begins at 11, the last place is 13.
  EXPECT_EQ(map.upper, (std::vector<int>{-2, -2}));
}

TEST(Im2col, LaunchesWithoutCornersAreRefused) {
  LaunchPlan plan;
  std::string error;
  EXPECT_FALSE(planLaunch(runs(), arguments(14, 0), 132, plan, error));
  EXPECT_NE(error.find("has 0 pixels along an axis"), std::string::npos)
      << error;
  EXPECT_FALSE(planLaunch(runs(), arguments(14, 200), 132, plan, error));
  EXPECT_NE(error.find("has a corner of 384, but a TMA tensor of its rank "
                       "takes -128 to 127"),
            std::string::npos)
      << error;
}

TEST(Im2col, RoundTrip) {
  Manifest again;
  std::string error;
  ASSERT_TRUE(parse(print(runs()), again, error)) << error;
  EXPECT_TRUE(runs() == again);
}

TEST(Im2col, BadRecipes) {
  Manifest manifest = runs();
  TensorMapRecipe &recipe = manifest.variants[0].params[0].tensorMap;
  recipe.box = {32, 1, 1, 1};
  EXPECT_NE(errorOf(manifest).find("in im2col mode it has 1"),
            std::string::npos);
  recipe.box = {32};
  recipe.steps = {1, 9, 1, 1};
  EXPECT_NE(errorOf(manifest).find("is 9; 1 to 8 are possible"),
            std::string::npos);
  recipe.steps = {2, 1, 1, 1};
  EXPECT_NE(errorOf(manifest).find("along the fastest axis 1"),
            std::string::npos);
  recipe.steps = {1, 1};
  EXPECT_NE(errorOf(manifest).find("has 2 axes"), std::string::npos);
  recipe.steps = {};
  recipe.im2col->pixels = 1025;
  EXPECT_NE(errorOf(manifest).find("is 1025; a tile has 1 to 1024"),
            std::string::npos);
  recipe.im2col->pixels = 64;
  recipe.im2col->first.pop_back();
  EXPECT_NE(errorOf(manifest).find("has 1 numbers, but the view has 2 axes"),
            std::string::npos);
  recipe.im2col->first = {constant(0), scalar("absent")};
  EXPECT_NE(errorOf(manifest).find("absent"), std::string::npos);
}

} // namespace
