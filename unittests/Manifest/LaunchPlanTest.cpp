//===- LaunchPlanTest.cpp - Variants, grids and parameters ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments on both sides of each precondition, and the variant, grid and
// parameters that follow; then each refusal with its sentence. Runtime and
// emulator launch by the same plan, so a comparison of the two shows no mistake
// in it.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "gtest/gtest.h"

using namespace heddle::manifest;
using namespace heddle::manifest::sample;

namespace {

LaunchPlan planFor(const std::vector<ArgumentValue> &arguments,
                   const Manifest &manifest = gemm()) {
  LaunchPlan plan;
  std::string error;
  EXPECT_TRUE(planLaunch(manifest, arguments, 132, plan, error)) << error;
  return plan;
}

std::string errorFor(const std::vector<ArgumentValue> &arguments,
                     const Manifest &manifest = gemm()) {
  LaunchPlan plan;
  std::string error;
  EXPECT_FALSE(planLaunch(manifest, arguments, 132, plan, error));
  return error;
}

using Grid = std::array<int64_t, 3>;

TEST(LaunchPlan, AlignedTensorsTakeTheTmaVariant) {
  LaunchPlan plan = planFor(gemmArguments(4096, 8192, 512));
  EXPECT_EQ(plan.variantIndex, 0);
  EXPECT_EQ(plan.grid, (Grid{132, 1, 1}));
  ASSERT_EQ(plan.params.size(), 7u);
  TensorMap a;
  a.address = 0x10000;
  a.dims = {512, 4096};
  a.stridesBytes = {2, 1024};
  a.box = {64, 128};
  a.swizzleBytes = 128;
  a.l2PromotionBytes = 128;
  EXPECT_TRUE(plan.params[0].isTensorMap);
  EXPECT_EQ(plan.params[0].sizeBytes, 128);
  EXPECT_TRUE(plan.params[0].tensorMap == a);
  EXPECT_EQ(plan.params[3].bits, 0x30000u);
  EXPECT_EQ(plan.params[3].sizeBytes, 8);
  EXPECT_EQ(plan.params[4].bits, 4096u);
  EXPECT_EQ(plan.params[4].sizeBytes, 4);
  EXPECT_EQ(plan.params[6].bits, 8192u);
  EXPECT_EQ(plan.params[6].sizeBytes, 8);
}

TEST(LaunchPlan, StepsShareAWorkspace) {
  LaunchPlan plan = planFor(gemmArguments(64, 32, 4096), twoSteps());
  EXPECT_EQ(plan.variantIndex, 0);
  EXPECT_EQ(plan.grid, (Grid{8, 1, 1}));
  EXPECT_EQ(plan.workspaceBytes, 4 * 64 * 32 * 4);
  ASSERT_EQ(plan.params.size(), 4u);
  EXPECT_TRUE(plan.params[0].isInWorkspace);
  EXPECT_EQ(plan.params[0].tensorMap.address, 0u);
  EXPECT_EQ(plan.params[0].tensorMap.dims, (std::vector<int64_t>{32, 64, 4}));
  EXPECT_EQ(plan.params[0].tensorMap.stridesBytes,
            (std::vector<int64_t>{4, 128, 8192}));
  EXPECT_FALSE(plan.params[1].isInWorkspace);
  EXPECT_EQ(plan.params[1].bits, 4u);
  ASSERT_EQ(plan.then.size(), 1u);
  const LaunchPlan &second = plan.then[0];
  EXPECT_EQ(second.variantIndex, 3);
  EXPECT_EQ(second.grid, (Grid{64, 1, 1}));
  EXPECT_TRUE(second.params[2].isInWorkspace);
  EXPECT_EQ(second.params[2].bits, 0u);
  EXPECT_EQ(second.params[3].bits, 64u * 32);
  EXPECT_EQ(second.workspaceBytes, 0);
}

TEST(LaunchPlan, AStepIsNoBeginning) {
  LaunchPlan plan = planFor(gemmArguments(64, 32, 2048), twoSteps());
  EXPECT_EQ(plan.variantIndex, 1);
  EXPECT_TRUE(plan.then.empty());
  EXPECT_EQ(plan.workspaceBytes, 0);
  // Nor does whoever says why nothing fits speak of it.
  Manifest manifest = twoSteps();
  manifest.variants.erase(manifest.variants.begin() + 1,
                          manifest.variants.begin() + 3);
  std::string error = errorFor(gemmArguments(64, 32, 2048), manifest);
  EXPECT_NE(error.find("'gemm_parts'"), std::string::npos) << error;
  EXPECT_EQ(error.find("'gemm_whole'"), std::string::npos) << error;
}

TEST(LaunchPlan, TheFastestThatFits) {
  using Op = Expr::Op;
  Manifest manifest = gemm(); // by TMA, and by threads
  manifest.variants.push_back(manifest.variants[0]);
  manifest.variants.push_back(manifest.variants[1]);
  manifest.variants[0].cycles = constant(4096);
  manifest.variants[2].cycles = dim("a", 0);
  manifest.variants[3].cycles = constant(100);
  auto chosen = [&](int64_t m) {
    return planFor(gemmArguments(m, 32, 64), manifest).variantIndex;
  };
  EXPECT_EQ(chosen(64), 2);
  EXPECT_EQ(chosen(128), 3);
  manifest.variants[3].cycles = constant(5000);
  EXPECT_EQ(chosen(4088), 2);
  EXPECT_EQ(chosen(4096), 0); // the first of equal ones
  EXPECT_EQ(chosen(4104), 0);
  // A time that does not fit 64 bits, or is divided by zero, is none.
  manifest.variants[2].cycles =
      operation(Op::Mul, {dim("a", 0), constant(INT64_MIN)});
  EXPECT_EQ(chosen(8), 0);
  manifest.variants[2].cycles =
      operation(Op::FloorDiv, {constant(-1), constant(0)});
  EXPECT_EQ(chosen(8), 0);
  // What does not fit is not taken, however fast: rows of 130 bytes.
  manifest.variants[2].cycles = constant(1);
  EXPECT_EQ(planFor(gemmArguments(64, 32, 65), manifest).variantIndex, 3);
  manifest.variants[3].cycles.reset();
  EXPECT_EQ(planFor(gemmArguments(64, 32, 65), manifest).variantIndex, 1);
}

TEST(LaunchPlan, WorkspacesEachHaveAPlace) {
  Manifest manifest = twoSteps();
  manifest.madeViews.push_back(manifest.madeViews[0]);
  manifest.madeViews[1].view.name = "more";
  manifest.variants[0].params.insert(manifest.variants[0].params.begin() + 1,
                                     tensorMap("more", {32, 64, 1}));
  LaunchPlan plan = planFor(gemmArguments(3, 5, 4096), manifest);
  // 4 x 3 x 5 of f32 are 240 bytes.
  EXPECT_NE(plan.variantIndex, 0); // rows of 20 bytes have no tensor map
  plan = planFor(gemmArguments(3, 4, 4096), manifest);
  EXPECT_EQ(plan.variantIndex, 0);
  EXPECT_EQ(plan.params[0].tensorMap.address, 0u);
  EXPECT_EQ(plan.params[1].tensorMap.address, 256u);
  EXPECT_EQ(plan.workspaceBytes, 512);
}

TEST(LaunchPlan, SaysWhatOfAWorkspaceIsCleared) {
  Manifest manifest = twoSteps();
  manifest.madeViews.push_back(manifest.madeViews[0]);
  manifest.madeViews[1].view.name = "counters";
  manifest.madeViews[1].cleared = true;
  manifest.variants[0].params.insert(manifest.variants[0].params.begin() + 1,
                                     tensorMap("counters", {32, 64, 1}));
  LaunchPlan plan = planFor(gemmArguments(3, 4, 4096), manifest);
  ASSERT_EQ(plan.variantIndex, 0);
  ASSERT_EQ(plan.cleared.size(), 1u);
  EXPECT_EQ(plan.cleared[0].begin, 256);
  EXPECT_EQ(plan.cleared[0].bytes, 4 * 3 * 4 * 4);
}

TEST(LaunchPlan, WorkspacesWithoutValueAreEmpty) {
  Manifest manifest = twoSteps();
  manifest.madeViews[0].extents[0] = operation(
      Expr::Op::FloorDiv,
      {constant(4), operation(Expr::Op::Sub, {dim("a", 1), dim("a", 1)})});
  LaunchPlan plan = planFor(gemmArguments(64, 32, 4096), manifest);
  EXPECT_EQ(plan.variantIndex, 1);
}

TEST(LaunchPlan, FarAxesCountModulo2To64) {
  Manifest manifest = madeViewKernel();
  manifest.madeViews[0].view.farAxis = 0;
  LaunchPlan plan = planFor(madeViewArguments(0x10000, 100, -128), manifest);
  EXPECT_EQ(plan.variantIndex, 0);
  EXPECT_EQ(plan.params[0].tensorMap.stridesBytes,
            (std::vector<int64_t>{2, (int64_t(1) << 34) - 256}));
  // No stride above 0, and none below along another axis.
  EXPECT_EQ(
      planFor(madeViewArguments(0x10000, 100, 128), manifest).variantIndex, 1);
  EXPECT_EQ(planFor(madeViewArguments(0x10000, 100, -128), madeViewKernel())
                .variantIndex,
            1);
}

TEST(LaunchPlan, MadeViewsBecomeTensorMaps) {
  LaunchPlan plan =
      planFor(madeViewArguments(0x10000, 100, 128), madeViewKernel());
  EXPECT_EQ(plan.variantIndex, 0);
  TensorMap map;
  map.address = 0x10020;
  map.dims = {100, 99};
  map.stridesBytes = {2, 256};
  map.box = {64, 32};
  map.swizzleBytes = 128;
  map.l2PromotionBytes = 128;
  EXPECT_TRUE(plan.params[0].tensorMap == map);
}

TEST(LaunchPlan, MadeViewsThatAreNoTensorMapArePassedInParts) {
  LaunchPlan plan =
      planFor(madeViewArguments(0x10000, 100, 101), madeViewKernel());
  EXPECT_EQ(plan.variantIndex, 1);
  EXPECT_EQ(plan.params[0].bits, 0x10020u);
  EXPECT_EQ(plan.params[1].bits, 99u);
  EXPECT_EQ(plan.params[2].bits, 101u);
  // Nothing is inside.
  plan = planFor(madeViewArguments(0x10000, -5, 128), madeViewKernel());
  EXPECT_EQ(plan.variantIndex, 1);
  EXPECT_EQ(plan.params[1].bits, 0u);
}

TEST(LaunchPlan, SmallGridIsNotCappedBySms) {
  EXPECT_EQ(planFor(gemmArguments(129, 256, 64)).grid, (Grid{2, 1, 1}));
}

TEST(LaunchPlan, OddStrideTakesThePlainVariant) {
  EXPECT_EQ(planFor(gemmArguments(4095, 4095, 4095)).variantIndex, 1);
}

TEST(LaunchPlan, MisalignedBaseTakesThePlainVariant) {
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 128);
  arguments[0].address += 2;
  EXPECT_EQ(planFor(arguments).variantIndex, 1);
}

TEST(LaunchPlan, AlignedPreconditionLooksAtStrides) {
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 128);
  arguments[2].strides[0] = 132;
  EXPECT_EQ(planFor(arguments).variantIndex, 1);
}

TEST(LaunchPlan, AlignedPreconditionLooksAtAddressesAndNumbers) {
  Manifest manifest = madeViewKernel();
  manifest.variants[0] = manifest.variants[1];
  manifest.variants[0].entry = "k";
  manifest.variants[0].requires_ = {
      precondition(Precondition::Kind::Aligned, "p", 16),
      precondition(Precondition::Kind::Aligned, "n", 16)};
  auto variantFor = [&](uint64_t address, int64_t n) {
    return planFor(madeViewArguments(address, n, 64), manifest).variantIndex;
  };
  EXPECT_EQ(variantFor(0x1000, 48), 0);
  EXPECT_EQ(variantFor(0x1000, 0), 0);
  EXPECT_EQ(variantFor(0x1008, 48), 1);
  EXPECT_EQ(variantFor(0x1000, 40), 1);
  manifest.variants.pop_back();
  LaunchPlan plan;
  std::string error;
  EXPECT_FALSE(planLaunch(manifest, madeViewArguments(0x1000, 40, 64), 132,
                          plan, error));
  EXPECT_NE(error.find("'n' is 40, not a multiple of 16"), error.npos) << error;
}

TEST(LaunchPlan, RowsPreconditionLooksAtTheFastestExtent) {
  Manifest manifest = gemm();
  manifest.variants[0].requires_[2].kind = Precondition::Kind::Rows;
  EXPECT_EQ(planFor(gemmArguments(128, 128, 128), manifest).variantIndex, 0);
  // A padded result of 100 columns is aligned, but an access of 16 bytes would
  // reach across its end.
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 128);
  arguments[2].shape[1] = 100;
  EXPECT_EQ(planFor(arguments, gemm()).variantIndex, 0);
  EXPECT_EQ(planFor(arguments, manifest).variantIndex, 1);
  arguments[2].shape[1] = 104;
  EXPECT_EQ(planFor(arguments, manifest).variantIndex, 0);
  arguments[2].address += 8;
  EXPECT_EQ(planFor(arguments, manifest).variantIndex, 1);
}

TEST(LaunchPlan, MinimumPreconditionIsInclusive) {
  EXPECT_EQ(planFor(gemmArguments(128, 128, 8)).variantIndex, 0);
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 7);
  arguments[0].strides[0] = arguments[1].strides[0] = 8;
  EXPECT_EQ(planFor(arguments).variantIndex, 1);
}

TEST(LaunchPlan, ZeroReductionTakesAVariantWithoutTma) {
  LaunchPlan plan = planFor(gemmArguments(128, 128, 0));
  EXPECT_EQ(plan.variantIndex, 1);
  EXPECT_EQ(plan.grid, (Grid{2, 2, 1}));
}

TEST(LaunchPlan, TensorMapsImplyTheirPrecondition) {
  Manifest manifest = gemm();
  manifest.variants[0].requires_.clear();
  EXPECT_EQ(planFor(gemmArguments(128, 128, 0), manifest).variantIndex, 1);
}

// A padded row of 100 f16: the TMA store would write 104.
TEST(LaunchPlan, TmaStoresNeedWholeGroupsOf16Bytes) {
  Manifest manifest = gemm();
  Precondition tma;
  tma.view = "c";
  manifest.variants[0].requires_ = {tma};
  std::vector<ArgumentValue> arguments = gemmArguments(128, 104, 64);
  EXPECT_EQ(planFor(arguments, manifest).variantIndex, 0);
  arguments[1].shape[0] = arguments[2].shape[1] = 100;
  EXPECT_EQ(planFor(arguments, manifest).variantIndex, 1);
}

TEST(LaunchPlan, EmptyResultLaunchesNothing) {
  std::vector<ArgumentValue> arguments = gemmArguments(0, 128, 64);
  arguments[0].address = arguments[2].address =
      0; // empty tensors have no memory
  LaunchPlan plan = planFor(arguments);
  EXPECT_EQ(plan.grid[1], 0);
}

TEST(LaunchPlan, StridesOfSizeOneAxesAreIgnored) {
  std::vector<ArgumentValue> arguments = gemmArguments(1, 128, 64);
  arguments[0].strides = {3, 1}; // any stride for one row
  LaunchPlan plan = planFor(arguments);
  EXPECT_EQ(plan.variantIndex, 0);
  EXPECT_EQ(plan.params[0].tensorMap.stridesBytes,
            (std::vector<int64_t>{2, 128}));
  arguments[0].strides = {-64, 1};
  EXPECT_EQ(planFor(arguments).variantIndex, 0);
}

TEST(LaunchPlan, SizeOneFastestAxisHasStrideOne) {
  Manifest manifest = gemm();
  manifest.variants.erase(manifest.variants.begin());
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 1);
  arguments[0].strides = {1, 77};
  LaunchPlan plan = planFor(arguments, manifest);
  EXPECT_EQ(plan.params[4].bits, 1u); // stride of axis 1 of a
}

TEST(LaunchPlan, OrderSelectsTheFastestAxis) {
  Manifest manifest = gemm();
  manifest.arguments[0].order = {0, 1};
  std::vector<ArgumentValue> arguments = gemmArguments(256, 128, 64);
  arguments[0].strides = {1, 256};
  LaunchPlan plan = planFor(arguments, manifest);
  EXPECT_EQ(plan.params[0].tensorMap.dims, (std::vector<int64_t>{256, 64}));
  EXPECT_EQ(plan.params[0].tensorMap.stridesBytes,
            (std::vector<int64_t>{2, 512}));
}

TEST(LaunchPlan, ScalarsKeepTheirOwnSize) {
  Manifest manifest = gemm();
  Argument alpha;
  alpha.kind = Argument::Kind::Scalar;
  alpha.name = "alpha";
  alpha.element = ElementType::F32;
  manifest.arguments.push_back(alpha);
  manifest.variants[0].params.push_back(param(Param::Kind::Scalar, "alpha"));
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 64);
  arguments.emplace_back();
  arguments.back().element = ElementType::F32;
  arguments.back().scalarBits =
      0xdeadbeef3f800000u; // upper half is not the caller's
  LaunchPlan plan = planFor(arguments, manifest);
  EXPECT_EQ(plan.params.back().sizeBytes, 4);
  EXPECT_EQ(plan.params.back().bits, 0x3f800000u);
}

TEST(LaunchPlan, TmaExtentAndStrideLimits) {
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 64);
  arguments[0].strides[0] = int64_t(1) << 39; // 2^40 bytes
  EXPECT_EQ(planFor(arguments).variantIndex, 1);
  arguments[0].strides[0] = (int64_t(1) << 39) - 8;
  EXPECT_EQ(planFor(arguments).variantIndex, 0);
  arguments[0].strides[0] = 0; // a broadcast
  EXPECT_EQ(planFor(arguments).variantIndex, 1);
}

TEST(LaunchPlanErrors, Count) {
  std::vector<ArgumentValue> arguments = gemmArguments(1, 1, 1);
  arguments.pop_back();
  EXPECT_EQ(errorFor(arguments),
            "kernel 'gemm' takes 3 arguments (a, b, c), but 2 were passed");
}

TEST(LaunchPlanErrors, ElementType) {
  std::vector<ArgumentValue> arguments = gemmArguments(1, 1, 1);
  arguments[1].element = ElementType::BF16;
  EXPECT_EQ(
      errorFor(arguments),
      "argument 'b' is bf16, but the kernel was compiled for f16; convert it, "
      "or compile the kernel for bf16");
}

TEST(LaunchPlanErrors, Rank) {
  std::vector<ArgumentValue> arguments = gemmArguments(1, 1, 1);
  arguments[0].shape = {1, 1, 1};
  arguments[0].strides = {1, 1, 1};
  EXPECT_EQ(errorFor(arguments),
            "argument 'a' has rank 3, but the kernel takes a view of rank 2");
  arguments[0].strides = {1, 1};
  EXPECT_EQ(errorFor(arguments),
            "argument 'a' has rank 3 and 2 strides, but the "
            "kernel takes a view of rank 2");
}

TEST(LaunchPlanErrors, Extent) {
  EXPECT_EQ(
      errorFor(gemmArguments(128, 128, int64_t(1) << 31)),
      "axis 1 of argument 'a' has extent 2147483648, but an extent is from 0 "
      "to 2147483647");
  EXPECT_EQ(errorFor(gemmArguments(-1, 128, 64)),
            "axis 0 of argument 'a' has extent -1, but an extent is from 0 to "
            "2147483647");
}

TEST(LaunchPlanErrors, Strides) {
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 64);
  arguments[2].strides = {1, 128};
  EXPECT_EQ(
      errorFor(arguments),
      "axis 1 of argument 'c' has stride 128, but it is the fastest axis and "
      "must have stride 1; pass a contiguous copy, or compile the kernel for "
      "the other order");
  arguments[2].strides = {-128, 1};
  EXPECT_EQ(errorFor(arguments),
            "axis 0 of argument 'c' has stride -128, but strides may not be "
            "negative; pass a copy in the usual order");
}

TEST(LaunchPlanErrors, Reach) {
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 64);
  arguments[0].strides[0] = INT64_MAX;
  EXPECT_EQ(
      errorFor(arguments),
      "argument 'a' with extents 128x64 and strides 9223372036854775807x1 "
      "would reach outside of all memory");
  arguments = gemmArguments(1, 128, 64); // one row has no stride
  arguments[0].strides[0] = INT64_MAX;
  planFor(arguments);
}

TEST(LaunchPlanErrors, Address) {
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 64);
  arguments[0].address = 0x10001;
  EXPECT_EQ(
      errorFor(arguments),
      "argument 'a' starts 1 bytes past a multiple of its element size, 2; "
      "pass memory aligned to its element");
  arguments[0].address = 0;
  EXPECT_EQ(errorFor(arguments),
            "argument 'a' is a null pointer; pass memory of the device");
}

TEST(LaunchPlanErrors, NoVariant) {
  Manifest manifest = gemm();
  manifest.variants.pop_back();
  EXPECT_EQ(
      errorFor(gemmArguments(128, 128, 33), manifest),
      "no variant of kernel 'gemm' fits these arguments ('gemm_tma': the "
      "stride of axis 0 of 'a' is 33 elements of 2 bytes, not a multiple of "
      "16 bytes); change the arguments, or compile a variant with fewer "
      "preconditions");
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 64);
  arguments[1].address = 0x20002;
  EXPECT_NE(errorFor(arguments, manifest)
                .find("'b' starts at 0x20002, not a multiple of 16 bytes"),
            std::string::npos);
  EXPECT_NE(
      errorFor(gemmArguments(128, 0, 64), manifest)
          .find(
              "axis 0 of 'b' has extent 0, but a TMA tensor needs 1 to 2^32-1"),
      std::string::npos);
  arguments = gemmArguments(128, 128, 4);
  arguments[0].strides[0] = arguments[1].strides[0] = 8;
  EXPECT_NE(errorFor(arguments, manifest)
                .find("a required minimum of 8 is not reached: the value is 4"),
            std::string::npos);
}

TEST(LaunchPlanErrors, AssertionsOfTheProgram) {
  Manifest manifest = gemm();
  manifest.assertions = {{constant(64), dim("a", 1), "a row is one tile"}};
  LaunchPlan plan;
  std::string error;
  EXPECT_TRUE(
      planLaunch(manifest, gemmArguments(128, 128, 64), 132, plan, error))
      << error;
  EXPECT_EQ(
      errorFor(gemmArguments(128, 128, 72), manifest),
      "kernel 'gemm' asserts: a row is one tile (64 must be at least 72)");
}

TEST(LaunchPlanErrors, Grid) {
  Manifest manifest = gemm();
  manifest.variants.erase(manifest.variants.begin());
  EXPECT_EQ(
      errorFor(gemmArguments(64 * 65536, 1, 1), manifest),
      "grid y of variant 'gemm_plain' would be 65536 CTAs, but the device "
      "takes 0 to 65535; split the problem");
  manifest.variants[0].grid[2] =
      operation(Expr::Op::CeilDiv, {dim("a", 0), constant(0)});
  EXPECT_EQ(errorFor(gemmArguments(5, 1, 1), manifest),
            "grid z of variant 'gemm_plain': 5 is divided by zero (ceildiv)");
  manifest = gemm();
  manifest.variants[0].cluster = {2, 1, 1};
  manifest.variants[0].grid[0] = constant(3);
  EXPECT_EQ(errorFor(gemmArguments(128, 128, 64), manifest),
            "grid x of variant 'gemm_tma' is 3 CTAs, not a multiple of its "
            "cluster's 2; the manifest's grid rule is wrong");
}

} // namespace
