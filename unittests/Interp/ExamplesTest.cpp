//===- ExamplesTest.cpp - The example programs around one product ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each example is compared with a computation in double, and with itself after
// distribute and split, which must not change one bit.
//
//===----------------------------------------------------------------------===//

#include "Example.h"

using namespace heddle::interp;

namespace {

// No multiple of any tile.
constexpr int64_t kM = 150, kN = 270, kK = 70;

using Reference = double (*)(double product, double second, double bias);

struct Inputs {
  Half a = normal<uint16_t>(kM * kK, 1, 0.25);
  Half b1 = normal<uint16_t>(kK * kN, 2, 0.25);
  Half b2 = normal<uint16_t>(kK * kN, 3, 0.25);
  F32 bias = normal<float>(kN, 4);

  /// Row i of A by column j of a B whose axis 0 is contiguous.
  double product(const Half &b, int64_t i, int64_t j) const {
    double sum = 0;
    for (int64_t k = 0; k < kK; ++k)
      sum += valueOf(a[i * kK + k]) * valueOf(b[j * kK + k]);
    return sum;
  }
};

void check(llvm::StringRef name, Reference reference) {
  Inputs inputs;
  Half c(kM * kN, 0xffff);
  ASSERT_TRUE(runExample(name, {},
                         Arguments()
                             .array("a", inputs.a, {kM, kK})
                             .array("b", inputs.b1, {kK, kN})
                             .array("b1", inputs.b1, {kK, kN})
                             .array("b2", inputs.b2, {kK, kN})
                             .array("bias", inputs.bias, {kN})
                             .array("c", c, {kM, kN})));
  for (int64_t i = 0; i < kM; ++i)
    for (int64_t j = 0; j < kN; ++j) {
      double expected =
          reference(inputs.product(inputs.b1, i, j),
                    inputs.product(inputs.b2, i, j), inputs.bias[j]);
      ASSERT_NEAR(valueOf(c[i * kN + j]), expected,
                  1e-3 * (1 + std::fabs(expected)))
          << i << ", " << j;
    }
}

TEST(Examples, Product) {
  check("gemm", [](double x, double, double) { return x; });
}

TEST(Examples, BiasAndActivation) {
  check("gemm_bias_gelu", [](double x, double, double bias) {
    x += bias;
    return 0.5 * x *
           (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  });
}

TEST(Examples, TwoProducts) {
  check("dual_gemm",
        [](double x, double y, double) { return x * y / (1 + std::exp(-y)); });
}

/// One row of sums a row of tiles, in whatever column of tiles it is computed.
TEST(Examples, ProductAndRowSums) {
  Inputs inputs;
  Half c(kM * kN, 0xffff);
  F32 y(kM, NAN);
  ASSERT_TRUE(runExample("gemm_reduction", {"BN=128"},
                         Arguments()
                             .array("a", inputs.a, {kM, kK})
                             .array("b", inputs.b1, {kK, kN})
                             .array("c", c, {kM, kN})
                             .array("y", y, {kM})));
  for (int64_t i = 0; i < kM; ++i) {
    double sum = 0;
    for (int64_t k = 0; k < kK; ++k)
      sum += valueOf(inputs.a[i * kK + k]);
    ASSERT_NEAR(y[i], sum, 1e-5 * (1 + std::fabs(sum))) << i;
    for (int64_t j = 0; j < kN; ++j) {
      double expected = inputs.product(inputs.b1, i, j);
      ASSERT_NEAR(valueOf(c[i * kN + j]), expected,
                  1e-3 * (1 + std::fabs(expected)))
          << i << ", " << j;
    }
  }
}

/// The columns of one tile, some of which do not exist.
TEST(Examples, SoftmaxBehindProduct) {
  constexpr int64_t kColumns = 100;
  Inputs inputs;
  Half c(kM * kColumns, 0xffff);
  ASSERT_TRUE(runExample("gemm_softmax", {},
                         Arguments()
                             .array("a", inputs.a, {kM, kK})
                             .array("b", inputs.b1, {kK, kColumns})
                             .array("c", c, {kM, kColumns})));
  // A column too many would lower every share by a hundredth.
  for (int64_t i = 0; i < kM; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < kColumns; ++j)
      sum += std::exp(inputs.product(inputs.b1, i, j));
    for (int64_t j = 0; j < kColumns; ++j) {
      double share = std::exp(inputs.product(inputs.b1, i, j)) / sum;
      ASSERT_NEAR(valueOf(c[i * kColumns + j]), share, 1e-3 * share)
          << i << ", " << j;
    }
  }
}

} // namespace
