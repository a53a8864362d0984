//===- ErrorsTest.cpp - What a bad manifest is told -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Manifests with one mistake each, and the sentence that the reader or verifier
// gives. A manifest is a file that anybody may edit, so an error must name the
// field, and a failed read must leave nothing behind.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "gtest/gtest.h"

using namespace heddle::manifest;
using namespace heddle::manifest::sample;

namespace {

std::string errorOf(const std::string &json) {
  Manifest manifest;
  std::string error;
  EXPECT_FALSE(parse(json, manifest, error)) << json;
  EXPECT_TRUE(manifest == Manifest()) << "a failed parse must not write";
  return error;
}

/// The error after replacing `from` in the sample's text by `to`.
std::string errorWith(const std::string &from, const std::string &to) {
  std::string json = print(gemm());
  size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  json.replace(at, from.size(), to);
  return errorOf(json);
}

template <typename Edit> std::string verifyError(Edit edit) {
  Manifest manifest = gemm();
  edit(manifest);
  std::string error;
  EXPECT_FALSE(verify(manifest, error));
  return error;
}

TEST(ParseErrors, Syntax) {
  EXPECT_EQ(errorOf("{"),
            "the manifest: not JSON: [1:1, byte=1]: Expected object key");
  EXPECT_EQ(errorOf("[]"),
            "the manifest: expected an object, found a list of 0");
  EXPECT_EQ(errorOf(std::string(100000, '[')),
            "the manifest: nested deeper than 128 levels, which none of "
            "heddle's files is");
  EXPECT_EQ(errorOf("{}"), "schema: the field is missing");
}

TEST(ParseErrors, BracketsInStringsDoNotNest) {
  Manifest manifest = gemm(), again;
  manifest.source = std::string(200, '[') + "\\\"";
  std::string error;
  EXPECT_TRUE(parse(print(manifest), again, error)) << error;
  EXPECT_EQ(again.source, manifest.source);
}

TEST(ParseErrors, Schema) {
  EXPECT_EQ(
      errorWith("heddle-manifest-1", "heddle-manifest-9"),
      "schema: expected \"heddle-manifest-1\" (compile the kernel again with "
      "this version of heddle), found \"heddle-manifest-9\"");
}

TEST(ParseErrors, PathAndWhatWasFound) {
  EXPECT_EQ(errorWith("\"threads\": 384", "\"threads\": \"many\""),
            "variants[0].threads: expected an integer from 1 to 1024, found "
            "\"many\"");
  EXPECT_EQ(
      errorWith("\"threads\": 384", "\"threads\": 4096"),
      "variants[0].threads: expected an integer from 1 to 1024, found 4096");
  EXPECT_EQ(errorWith("\"written\":false", "\"written\":0"),
            "arguments[0].written: expected true or false, found 0");
  EXPECT_EQ(
      errorWith("\"kind\":\"view\"", "\"kind\":\"tensor\""),
      "arguments[0].kind: expected \"view\", \"pointer\" or \"scalar\", found "
      "\"tensor\"");
  EXPECT_EQ(
      errorWith("\"element\":\"f16\"", "\"element\":\"half\""),
      "arguments[0].element: expected an element type (f16, bf16, f32, f64, "
      "i8, i16, i32, i64, e4m3 or e5m2), found \"half\"");
  EXPECT_EQ(errorWith("\"kernel\": \"gemm\"", "\"kernel\": null"),
            "kernel: expected a string, found null");
  EXPECT_EQ(errorWith("[1,1,1]", "[1,1]"),
            "variants[0].cluster: expected three sizes, found a list of 2");
  EXPECT_EQ(errorWith("{\"at_least\":[{\"dim\":[\"a\",1]},8]}", "{\"tma\":3}"),
            "variants[0].requires[3].tma: expected a string, found 3");
  EXPECT_EQ(errorWith("[\"c\",16]", "\"c\""),
            "variants[0].requires[2].aligned: expected [\"view\", bytes], "
            "found \"c\"");
}

TEST(ParseErrors, Expressions) {
  EXPECT_EQ(
      errorWith("\"sm_count\"", "\"sms\""),
      "variants[0].grid[0].min[1]: expected an expression (an integer, "
      "\"sm_count\", or an object with one operation such as {\"ceildiv\": "
      "[{\"dim\": [\"c\", 0]}, 128]}), found \"sms\"");
  EXPECT_EQ(
      errorWith("\"ceildiv\"", "\"roundup\""),
      "variants[0].grid[0].min[0].mul[0]: expected an expression, found an "
      "object");
  EXPECT_EQ(
      errorWith("{\"ceildiv\":[{\"dim\":[\"c\",1]},64]}", "{\"ceildiv\":[1]}"),
      "variants[1].grid[0].ceildiv: expected a list of 2 operands, found a "
      "list "
      "of 1");
}

TEST(ParseErrors, UnknownAndMissingFields) {
  EXPECT_EQ(errorWith("\"first_warp\"", "\"warp\""),
            "variants[0].processes[0].first_warp: the field is missing");
  EXPECT_EQ(
      errorWith("\"registers\":40", "\"registers\":40,\"regs\":1"),
      "variants[0].processes[0].regs: unknown field; the fields here are name, "
      "first_warp, warp_count, registers");
}

TEST(VerifyErrors, Names) {
  EXPECT_EQ(
      verifyError([](Manifest &m) { m.variants[0].params[3].argument = "d"; }),
      "variants[0].params[3].pointer: no argument is named 'd'; the kernel has "
      "a, b, c");
  EXPECT_EQ(verifyError([](Manifest &m) { m.arguments[1].name = "a"; }),
            "arguments[1].name: a second argument is named 'a'");
  EXPECT_EQ(verifyError([](Manifest &m) {
              m.variants[1].grid[0].operands[0].axis = 2;
            }),
            "variants[1].grid[0].ceildiv[0].dim: view 'c' has no axis 2; its "
            "rank is 2");
  EXPECT_EQ(verifyError([](Manifest &m) {
              m.arguments[1].kind = Argument::Kind::Pointer;
            }),
            "variants[0].requires[1].tma: 'b' is a pointer, but a view is "
            "needed");
  EXPECT_EQ(verifyError([](Manifest &m) {
              m.arguments.emplace_back().name = "s";
              m.arguments.back().kind = Argument::Kind::Scalar;
              m.arguments.back().element = ElementType::F32;
              m.variants[0].requires_[2].view = "s";
            }),
            "variants[0].requires[2].aligned: scalar 's' is f32, but an "
            "expression needs an integer");
  EXPECT_EQ(verifyError([](Manifest &m) { m.variants.clear(); }),
            "variants: a kernel needs at least one variant");
  EXPECT_EQ(
      verifyError([](Manifest &m) {
        m.arguments[0].order = {1, 1};
      }),
      "arguments[0].order: the order of view 'a' must name each of its 2 axes "
      "once");
}

TEST(VerifyErrors, Cycles) {
  EXPECT_EQ(
      verifyError(
          [](Manifest &m) { m.variants[0].cycles = sample::dim("absent", 0); }),
      "variants[0].cycles.dim: no argument is named 'absent'; the kernel has "
      "a, b, c");
  EXPECT_EQ(verifyError([](Manifest &m) {
              m.variants[0].cycles = sample::dim("a", 2);
            }),
            "variants[0].cycles.dim: view 'a' has no axis 2; its rank is 2");
}

TEST(VerifyErrors, Steps) {
  auto verifySteps = [](auto change) {
    Manifest manifest = sample::twoSteps();
    change(manifest);
    std::string error;
    EXPECT_FALSE(verify(manifest, error));
    return error;
  };
  EXPECT_EQ(verifySteps([](Manifest &m) { m.variants[0].then = "absent"; }),
            "variants[0].then: no variant belongs to step 'absent'");
  EXPECT_EQ(verifySteps([](Manifest &m) { m.variants[3].then = "whole"; }),
            "variants[3].then: a step is followed by no other");
  EXPECT_EQ(verifySteps([](Manifest &m) {
              for (Variant &variant : m.variants) {
                variant.step = "whole";
                variant.then = "";
              }
            }),
            "variants: each belongs to a step, so that no launch begins");
  EXPECT_EQ(verifySteps([](Manifest &m) { m.madeViews[0].extents.pop_back(); }),
            "made_views[0].extents: has 2 expressions for 3 axes");
}

TEST(VerifyErrors, MadeViews) {
  auto verifyMade = [](auto change) {
    Manifest manifest = sample::madeViewKernel();
    change(manifest, manifest.madeViews[0]);
    std::string error;
    EXPECT_FALSE(verify(manifest, error));
    return error;
  };
  EXPECT_EQ(verifyMade([](Manifest &, MadeView &v) { v.pointer = "n"; }),
            "made_views[0].pointer: 'n' is a scalar of i32, but a pointer to "
            "f16 is needed");
  EXPECT_EQ(verifyMade([](Manifest &, MadeView &v) { v.strides.pop_back(); }),
            "made_views[0].strides: has 1 expressions for 2 axes");
  EXPECT_EQ(verifyMade([](Manifest &, MadeView &v) { v.view.name = "p"; }),
            "made_views[0].view.name: a second argument is named 'p'");
  EXPECT_EQ(verifyMade([](Manifest &, MadeView &v) {
              v.extents[0] = sample::dim("p.view", 1);
            }),
            "made_views[0].extents[0]: asks for an extent of a view that the "
            "kernel makes; only those of arguments are known");
  EXPECT_EQ(verifyMade([](Manifest &, MadeView &v) { v.pointer = "absent"; }),
            "made_views[0].pointer: no argument is named 'absent'; the kernel "
            "has p, n, stride");
  EXPECT_EQ(verifyMade([](Manifest &, MadeView &v) {
              v.view.kind = Argument::Kind::Scalar;
            }),
            "made_views[0].view: 'p.view' is a scalar, but a view is needed");
}

TEST(VerifyErrors, Scalars) {
  auto withScalar = [](Manifest &m, ElementType type) {
    Argument alpha;
    alpha.kind = Argument::Kind::Scalar;
    alpha.name = "alpha";
    alpha.element = type;
    m.arguments.push_back(alpha);
  };
  EXPECT_EQ(
      verifyError([&](Manifest &m) {
        withScalar(m, ElementType::F32);
        m.variants[0].grid[1] = scalar("alpha");
      }),
      "variants[0].grid[1].scalar: scalar 'alpha' is f32, but an expression "
      "needs an integer");
  EXPECT_EQ(verifyError([&](Manifest &m) {
              withScalar(m, ElementType::F32);
              m.variants[0].params[3].argument = "alpha";
            }),
            "variants[0].params[3].pointer: 'alpha' is a scalar, which has no "
            "address");
}

TEST(VerifyErrors, TensorMaps) {
  auto edit = [](auto change) {
    return [change](Manifest &m) { change(m.variants[0].params[0].tensorMap); };
  };
  EXPECT_EQ(verifyError(edit([](TensorMapRecipe &r) { r.box = {64}; })),
            "variants[0].params[0].box: has 1 axes, but view 'a' has 2");
  EXPECT_EQ(verifyError(edit([](TensorMapRecipe &r) {
              r.box = {64, 512};
            })),
            "variants[0].params[0].box[1]: is 512; a box has 1 to 256 elements "
            "per axis");
  EXPECT_EQ(verifyError(edit([](TensorMapRecipe &r) {
              r.box = {128, 64};
            })),
            "variants[0].params[0].box[0]: spans 256 bytes, more than the "
            "swizzle's 128");
  EXPECT_EQ(
      verifyError(edit([](TensorMapRecipe &r) {
        r.box = {4, 64};
      })),
      "variants[0].params[0].box[0]: spans 8 bytes; must be a multiple of 16");
  EXPECT_EQ(
      verifyError(edit([](TensorMapRecipe &r) { r.swizzleBytes = 16; })),
      "variants[0].params[0].swizzle_bytes: is 16; must be 0, 32, 64 or 128");
  EXPECT_EQ(
      verifyError(edit([](TensorMapRecipe &r) { r.l2PromotionBytes = 32; })),
      "variants[0].params[0].l2_promotion_bytes: is 32; must be 0, 64, 128 or "
      "256");
}

TEST(VerifyErrors, ProcessesAndRings) {
  EXPECT_EQ(
      verifyError(
          [](Manifest &m) { m.variants[0].processes[1].firstWarp = 3; }),
      "variants[0].processes[1]: warp 3 is in process 'load' and in 'mma'");
  EXPECT_EQ(
      verifyError(
          [](Manifest &m) { m.variants[0].processes[1].warpCount = 9; }),
      "variants[0].processes[1]: process 'mma' has warps 4 to 12, but the CTA "
      "has 12");
  EXPECT_EQ(verifyError([](Manifest &m) { m.variants[0].rings[0].depth = 5; }),
            "variants[0].rings[0]: the slots of ring 'ab' end at byte 245760, "
            "but the "
            "variant has 197120 bytes of shared memory");
  EXPECT_EQ(
      verifyError(
          [](Manifest &m) { m.variants[0].rings[0].consumers = {"x"}; }),
      "variants[0].rings[0]: ring 'ab' names process 'x', which the variant "
      "does not have");
  EXPECT_EQ(verifyError([](Manifest &m) {
              m.variants[0].cluster = {8, 4, 1};
            }),
            "variants[0].cluster: a cluster has 1 to 16 CTAs");
}

TEST(VerifyErrors, BarriersHaveAPlaceOfTheirOwn) {
  auto edit = [](auto change) {
    return [change](Manifest &m) { change(m.variants[0].rings[0]); };
  };
  EXPECT_EQ(verifyError(edit([](Ring &r) { r.fullBarrier = 196600; })),
            "variants[0].rings[0]: the full barriers of ring 'ab' at byte "
            "196600 overlap the slots of ring 'ab', which end at byte 196608");
  EXPECT_EQ(verifyError(edit([](Ring &r) { r.emptyBarrier = 196632; })),
            "variants[0].rings[0]: the empty barriers of ring 'ab' at byte "
            "196632 overlap the full barriers of ring 'ab', which end at byte "
            "196640");
  EXPECT_EQ(verifyError(edit([](Ring &r) { r.emptyBarrier = 196644; })),
            "variants[0].rings[0]: the empty barriers of ring 'ab' begin at "
            "byte 196644, not a multiple of 8");
  // 8 times this depth is 0 in 32 bits.
  EXPECT_EQ(verifyError(edit([](Ring &r) {
              r.depth = 1 << 29;
              r.slotBytes = 0;
            })),
            "variants[0].rings[0]: the full barriers of ring 'ab' end at byte "
            "4295163904, but the variant has 197120 bytes of shared memory");
  // Slots may lie where another ring's were.
  Manifest manifest = gemm();
  Ring again = manifest.variants[0].rings[0];
  again.name = "again";
  again.fullBarrier += 64;
  again.emptyBarrier += 64;
  manifest.variants[0].rings.push_back(again);
  std::string error;
  EXPECT_TRUE(verify(manifest, error)) << error;
}

TEST(VerifyErrors, NamedBarriers) {
  auto threads = [](int count) {
    return [count](Manifest &m) {
      m.variants[0].namedBarriers[0].threads = count;
    };
  };
  EXPECT_EQ(verifyError(threads(416)),
            "variants[0].named_barriers[0].threads: is 416; a barrier is met "
            "by whole warps of the CTA's 384 threads");
  EXPECT_NE(verifyError(threads(100)), "");
}

TEST(VerifyErrors, ParametersStandInOneOrder) {
  EXPECT_EQ(verifyError([](Manifest &m) {
              std::swap(m.variants[1].params[1], m.variants[1].params[2]);
            }),
            "variants[1].params[2]: stands behind a parameter that comes after "
            "it; tensor maps come first, then for each argument its pointer or "
            "value, its extents and its strides");
  // An extent for another, of the same type.
  EXPECT_NE(verifyError([](Manifest &m) { m.variants[1].params[2].axis = 0; }),
            "");
  EXPECT_NE(
      verifyError([](Manifest &m) { m.variants[1].params[2].argument = "b"; }),
      "");
  EXPECT_NE(
      verifyError([](Manifest &m) { m.variants[1].params[0].argument = "b"; }),
      "");
  EXPECT_EQ(verifyError([](Manifest &m) { m.variants[0].params.pop_back(); }),
            "variants[0].params[3]: passes view 'c' by its address, but no "
            "parameter is the stride of its axis 0");
}

TEST(VerifyErrors, FastestStridesOfMadeViews) {
  Manifest manifest = madeViewKernel();
  manifest.madeViews[0].strides[1] = scalar("stride");
  std::string error;
  EXPECT_FALSE(verify(manifest, error));
  EXPECT_EQ(error, "made_views[0].strides[1]: must be 1, because it is the "
                   "fastest axis of view 'p.view'");
}

TEST(VerifyErrors, FarAxesAreNotTheFastest) {
  Manifest manifest = madeViewKernel();
  std::string error;
  for (int axis : {1, 2}) {
    manifest.madeViews[0].view.farAxis = axis;
    EXPECT_FALSE(verify(manifest, error));
    EXPECT_EQ(error, "made_views[0].far_axis: is " + std::to_string(axis) +
                         ", which is no axis of the view or its fastest one");
  }
}

} // namespace
