//===- RowwiseTest.cpp - The examples without a product -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions, scans and element-wise programs against double. No extent is a
// multiple of a tile.
//
//===----------------------------------------------------------------------===//

#include "Example.h"

using namespace heddle::interp;

namespace {

using Settings = std::vector<std::string>;

constexpr float kNan = NAN;
constexpr float kInfinity = INFINITY;

/// Equal up to `tolerance`, NaN where NaN is expected.
template <typename T>
void expectElement(T got, double expected, double tolerance, size_t i) {
  if (std::isnan(expected) || std::isinf(expected)) {
    EXPECT_EQ(std::isnan(valueOf(got)), std::isnan(expected)) << i;
    if (std::isinf(expected))
      EXPECT_EQ(valueOf(got), expected) << i;
    return;
  }
  EXPECT_NEAR(valueOf(got), expected, tolerance * (1 + std::fabs(expected)))
      << i;
}

void checkSoftmax(int64_t rows, int64_t columns, Half x) {
  Half y(x.size(), 0x7e00);
  ASSERT_TRUE(runExample("softmax", Settings{"ROWS=4", "COLS=128"},
                         Arguments()
                             .array("x", x, {rows, columns})
                             .array("y", y, {rows, columns})));
  for (int64_t i = 0; i < rows; ++i) {
    double largest = -INFINITY, sum = 0;
    bool isNan = false;
    for (int64_t j = 0; j < columns; ++j) {
      largest = std::max(largest, valueOf(x[i * columns + j]));
      isNan |= std::isnan(valueOf(x[i * columns + j]));
    }
    for (int64_t j = 0; j < columns; ++j)
      sum += std::exp(valueOf(x[i * columns + j]) - largest);
    for (int64_t j = 0; j < columns; ++j)
      expectElement(
          y[i * columns + j],
          isNan ? NAN : std::exp(valueOf(x[i * columns + j]) - largest) / sum,
          1e-3, i * columns + j);
  }
}

TEST(Softmax, RaggedRows) {
  checkSoftmax(7, 100, normal<uint16_t>(700, 1));
  checkSoftmax(1, 1, normal<uint16_t>(1, 1));
  checkSoftmax(4, 128, normal<uint16_t>(512, 1));
}

/// All below 0, where a zero from outside would be the largest.
TEST(Softmax, NegativeRows) {
  Half x = normal<uint16_t>(300, 1);
  for (uint16_t &element : x)
    assign(element, valueOf(element) - 30);
  checkSoftmax(3, 100, x);
}

/// -inf weighs nothing; a row of it, or with a NaN, has no softmax.
TEST(Softmax, SpecialValues) {
  Half x = normal<uint16_t>(400, 1);
  assign(x[3], -kInfinity);
  assign(x[150], kNan);
  for (int64_t j = 200; j < 300; ++j)
    assign(x[j], -kInfinity);
  checkSoftmax(4, 100, x);
}

void checkLayerNorm(int64_t rows, int64_t columns, double offset) {
  Half x = normal<uint16_t>(rows * columns, 1),
       weight = normal<uint16_t>(columns, 2),
       bias = normal<uint16_t>(columns, 3);
  for (uint16_t &element : x)
    assign(element, valueOf(element) + offset);
  Half y(x.size(), 0x7e00);
  F32 mean(rows, kNan), rstd(rows, kNan);
  const double eps = 1e-5f;
  ASSERT_TRUE(runExample("layer_norm", Settings{"ROWS=4", "COLS=128"},
                         Arguments()
                             .array("x", x, {rows, columns})
                             .array("weight", weight, {columns})
                             .array("bias", bias, {columns})
                             .array("y", y, {rows, columns})
                             .array("mean", mean, {rows})
                             .array("rstd", rstd, {rows})
                             .scalar("eps", eps)));
  for (int64_t i = 0; i < rows; ++i) {
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < columns; ++j)
      sum += valueOf(x[i * columns + j]);
    double average = sum / columns;
    for (int64_t j = 0; j < columns; ++j)
      squares += std::pow(valueOf(x[i * columns + j]) - average, 2);
    double scale = 1 / std::sqrt(squares / columns + eps);
    EXPECT_NEAR(mean[i], average, 1e-5 * (1 + std::fabs(average)));
    EXPECT_NEAR(rstd[i], scale, 1e-5 * scale);
    for (int64_t j = 0; j < columns; ++j)
      expectElement(y[i * columns + j],
                    (valueOf(x[i * columns + j]) - average) * scale *
                            valueOf(weight[j]) +
                        valueOf(bias[j]),
                    1e-3, i * columns + j);
  }
}

TEST(LayerNorm, RaggedRows) {
  checkLayerNorm(7, 100, 0);
  checkLayerNorm(4, 128, 0);
}

/// The zeros outside lie far from the mean.
TEST(LayerNorm, FarFromZero) { checkLayerNorm(3, 100, 50); }

/// No variance: eps keeps the quotient finite.
TEST(LayerNorm, OneColumn) { checkLayerNorm(5, 1, 2); }

TEST(Transpose, RaggedExtents) {
  Half x = normal<uint16_t>(70 * 150, 1), y(x.size(), 0x7e00);
  ASSERT_TRUE(runExample(
      "transpose", Settings{"BM=64", "BN=32"},
      Arguments().array("x", x, {70, 150}).array("y", y, {150, 70})));
  for (int64_t i = 0; i < 70; ++i)
    for (int64_t j = 0; j < 150; ++j)
      ASSERT_EQ(y[j * 70 + i], x[i * 150 + j]);
}

TEST(ColumnSum, RaggedExtents) {
  for (int64_t rows : {0, 1, 32, 150}) {
    Half x = normal<uint16_t>(rows * 70, 1);
    F32 y(70, kNan);
    ASSERT_TRUE(
        runExample("column_sum", Settings{"BM=32", "BN=32"},
                   Arguments().array("x", x, {rows, 70}).array("y", y, {70})));
    for (int64_t j = 0; j < 70; ++j) {
      double sum = 0;
      for (int64_t i = 0; i < rows; ++i)
        sum += valueOf(x[i * 70 + j]);
      expectElement(y[j], sum, 1e-5, j);
    }
  }
}

TEST(SiluMul, RaggedLength) {
  for (int64_t n : {1, 256, 1000}) {
    Half a = normal<uint16_t>(n, 1, 4), b = normal<uint16_t>(n, 2);
    Half y(n, 0x7e00);
    ASSERT_TRUE(runExample(
        "silu_mul", Settings{"BN=256"},
        Arguments().array("a", a, {n}).array("b", b, {n}).array("y", y, {n})));
    for (int64_t i = 0; i < n; ++i)
      expectElement(
          y[i], valueOf(a[i]) / (1 + std::exp(-valueOf(a[i]))) * valueOf(b[i]),
          1e-3, i);
  }
}

void checkMaxIndex(int64_t rows, int64_t columns, F32 x) {
  F32 largest(rows, 7);
  I32 place(rows, -7);
  ASSERT_TRUE(runExample("reduce_max_index", Settings{"BM=4", "BN=32"},
                         Arguments()
                             .array("x", x, {rows, columns})
                             .array("largest", largest, {rows})
                             .array("place", place, {rows})));
  for (int64_t i = 0; i < rows; ++i) {
    float value = -INFINITY;
    int32_t index = INT32_MAX;
    for (int64_t j = 0; j < columns; ++j) {
      float next = x[i * columns + j];
      if (index == INT32_MAX || next > value ||
          (std::isnan(next) && !std::isnan(value))) {
        value = next;
        index = int32_t(j);
      }
    }
    EXPECT_EQ(place[i], index) << "row " << i;
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(largest[i])) << "row " << i;
    else
      EXPECT_EQ(largest[i], value) << "row " << i;
  }
}

TEST(MaxIndex, RaggedExtents) {
  checkMaxIndex(7, 100, normal<float>(700, 1));
  checkMaxIndex(3, 32, normal<float>(96, 1));
  checkMaxIndex(3, 0, {});
}

/// Of equals the first, in the same column of two tiles and in different ones.
TEST(MaxIndex, Ties) {
  F32 x(4 * 100, -1);
  x[5] = x[37] = 2;         // row 0: 5
  x[100 + 38] = x[140] = 3; // row 1: 38
  x[200 + 64] = x[231] = 4; // row 2: 31, though column 0 of its tile has 64
  checkMaxIndex(4, 100, x); // row 3: 0
}

/// The first NaN wins; rows of -inf have a place; +inf is a number.
TEST(MaxIndex, SpecialValues) {
  F32 x = normal<float>(500, 1);
  x[40] = x[60] = kNan;
  std::fill(x.begin() + 100, x.begin() + 200, -kInfinity);
  x[250] = kInfinity;
  std::fill(x.begin() + 300, x.begin() + 400, kNan);
  std::fill(x.begin() + 400, x.begin() + 500, -3.f);
  checkMaxIndex(5, 100, x);
}

TEST(Cumsum, RaggedExtents) {
  for (int64_t columns : {0, 1, 32, 100}) {
    F32 x = normal<float>(7 * columns, 1), y(x.size(), kNan);
    ASSERT_TRUE(runExample(
        "cumsum", Settings{"BM=4", "BN=32"},
        Arguments().array("x", x, {7, columns}).array("y", y, {7, columns})));
    for (int64_t i = 0; i < 7; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < columns; ++j) {
        sum += x[i * columns + j];
        expectElement(y[i * columns + j], sum, 1e-5, i * columns + j);
      }
    }
  }
}

TEST(WrightOmega, SolvesItsEquation) {
  F32 x = normal<float>(300, 1, 20), y(300, kNan);
  x[7] = 1e6f;
  ASSERT_TRUE(runExample("wright_omega", Settings{"BN=128"},
                         Arguments()
                             .array("x", x, {300})
                             .array("y", y, {300})
                             .scalar("tolerance", 1e-5)));
  // y moves by less than x; what is added is rounded to f32.
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(double(y[i]) + std::exp(double(y[i])), x[i],
                2e-6 * (1 + std::fabs(x[i])))
        << x[i];
}

/// They neither stop the others early nor keep them going.
TEST(WrightOmega, SpecialValues) {
  F32 x = {kNan, 0, kInfinity, 5, -kInfinity}, y(5, 7);
  ASSERT_TRUE(runExample("wright_omega", Settings{"BN=128"},
                         Arguments()
                             .array("x", x, {5})
                             .array("y", y, {5})
                             .scalar("tolerance", 1e-5)));
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_NEAR(y[1], -0.5671432904, 1e-6);
  EXPECT_EQ(y[2], kInfinity);
  EXPECT_NEAR(y[3], 1.3065586410, 2e-6);
  EXPECT_EQ(y[4], -kInfinity);
}

} // namespace
