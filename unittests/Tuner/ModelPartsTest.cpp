//===- ModelPartsTest.cpp - Distances, functions, minima, forests ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts that the models are made of, beside definitions and the C library.
//
//===----------------------------------------------------------------------===//

#include "Distances.h"
#include "Lanes.h"
#include "Minimise.h"
#include "Spaces.h"
#include "Triangular.h"

#include "heddle/Tuner/Forest.h"

using namespace heddle::tuner;

TEST(PortableMath, IsTheLibrarysButForRounding) {
  for (double x = -700; x < 700; x += 0.37)
    EXPECT_NEAR(portableExp(x) / std::exp(x), 1, 1e-15);
  EXPECT_EQ(portableExp(-800), 0);
  EXPECT_EQ(portableExp(0), 1);
  for (double x = 1e-300; x < 1e300; x *= 1.37)
    EXPECT_NEAR(portableLog(x), std::log(x),
                1e-15 * (1 + std::fabs(std::log(x))));
  EXPECT_EQ(portableLog(1), 0);
  for (double x = -37; x < 37; x += 0.0173) {
    double expected = 0.5 * std::erfc(-x / std::sqrt(2.0));
    EXPECT_NEAR(normalBelow(x) / expected, 1, 1e-12) << x;
  }
  for (float x = 0; x <= 125; x += 0.013f)
    EXPECT_NEAR(powerOfHalf(x) / std::exp2(-double(x)), 1, 3e-7);
  EXPECT_EQ(powerOfHalf(0), 1);
  EXPECT_EQ(powerOfHalf(1e9f), powerOfHalf(kMostHalvings));
}

// Several numbers at once have the bits of one after the other.
TEST(Lanes, AreTheFunctionsOfOneNumber) {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    double numbers[3 * Doubles::kCount], powers[3 * Doubles::kCount];
    float floats[3 * Floats::kCount], halves[3 * Floats::kCount];
    double most = std::exp2(12 * random.unit() - 1);
    for (double &number : numbers)
      number = -most * random.unit();
    for (float &number : floats)
      number = float(most * random.unit());
    numbers[0] = round % 2 ? 0 : kLeastExponent;
    Doubles several[3];
    Floats more[3];
    for (size_t k = 0; k < 3; ++k) {
      several[k] = Doubles::load(numbers + k * Doubles::kCount);
      more[k] = Floats::load(floats + k * Floats::kCount);
    }
    expOfNegative(several);
    powerOfHalf(more);
    for (size_t k = 0; k < 3; ++k) {
      several[k].store(powers + k * Doubles::kCount);
      more[k].store(halves + k * Floats::kCount);
    }
    for (size_t k = 0; k < std::size(numbers); ++k)
      ASSERT_EQ(powers[k], portableExp(numbers[k])) << numbers[k];
    for (size_t k = 0; k < std::size(floats); ++k)
      ASSERT_EQ(halves[k], powerOfHalf(floats[k])) << floats[k];
  }
}

namespace {

/// The lower triangle of a matrix that is positive definite, if `shift` is
/// large enough.
Square randomMatrix(size_t size, double shift, Random &random) {
  Square made;
  made.resize(size);
  for (size_t k = 0; k < size; ++k)
    for (size_t row = k; row < size; ++row)
      made(row, k) = random.unit() - 0.5 + (row == k ? shift : 0);
  return made;
}

/// One element after the other, in the order that Triangular.h says.
struct Slowly {
  size_t size;
  std::vector<std::vector<double>> factor, inverse, square;

  explicit Slowly(const Square &matrix)
      : size(matrix.size()), factor(size, std::vector<double>(size, 0)),
        inverse(factor), square(factor) {
    for (size_t k = 0; k < size; ++k)
      for (size_t row = k; row < size; ++row) {
        double sum = matrix(row, k);
        for (size_t term = 0; term < k; ++term)
          sum -= factor[row][term] * factor[k][term];
        // The pivot comes first.
        factor[row][k] = row == k ? std::sqrt(sum) : sum * (1 / factor[k][k]);
      }
    for (size_t row = 0; row < size; ++row)
      for (size_t k = 0; k <= row; ++k) {
        double sum = row == k;
        for (size_t term = k; term < row; ++term)
          sum -= inverse[term][k] * factor[row][term];
        inverse[row][k] = sum / factor[row][row];
      }
    for (size_t k = 0; k < size; ++k)
      for (size_t row = 0; row <= k; ++row)
        for (size_t term = k; term < size; ++term)
          square[row][k] += inverse[term][row] * inverse[term][k];
  }
};

} // namespace

TEST(Triangular, HasTheBitsOfOneElementAfterTheOther) {
  Random random(3);
  Square rows, columns, square; // used again
  for (size_t size :
       {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 31, 33, 100, 100}) {
    Square matrix = randomMatrix(size, double(size), random);
    Slowly slowly(matrix);
    ASSERT_TRUE(factorise(matrix));
    invertFactor(matrix, rows);
    columnsOf(rows, columns);
    squareOf(rows, square);
    Column right(size);
    for (double &one : right)
      one = random.unit() - 0.5;
    Column lower = timesLower(columns, right), upper = timesUpper(rows, right);
    Column parts(columns.stride(), 7);
    for (size_t from = 0; from < size; from += 16)
      timesLower(columns, right, from, std::min(size, from + 16), parts);
    for (size_t row = 0; row < size; ++row) {
      double down = 0, up = 0;
      for (size_t k = 0; k <= row; ++k) {
        ASSERT_EQ(matrix(row, k), slowly.factor[row][k]) << size;
        ASSERT_EQ(rows(k, row), slowly.inverse[row][k]) << size;
        ASSERT_EQ(columns(row, k), slowly.inverse[row][k]) << size;
        ASSERT_EQ(square(k, row), slowly.square[k][row]) << size;
        down += slowly.inverse[row][k] * right[k];
      }
      for (size_t k = row; k < size; ++k)
        up += slowly.inverse[k][row] * right[k];
      ASSERT_EQ(lower[row], down) << size;
      ASSERT_EQ(parts[row], down) << size;
      ASSERT_EQ(upper[row], up) << size;
    }
    for (size_t beyond = size; beyond < columns.stride(); ++beyond)
      ASSERT_EQ(lower[beyond], 0) << size;
  }
}

TEST(Triangular, RefusesWhatIsNotPositiveDefinite) {
  Random random(3);
  for (size_t size : {1, 2, 5, 9, 30}) {
    Square matrix = randomMatrix(size, double(size), random);
    matrix(size - 1, size - 1) = -1e-3;
    EXPECT_FALSE(factorise(matrix)) << size;
    matrix = randomMatrix(size, double(size), random);
    matrix(size / 2, size / 2) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(factorise(matrix)) << size;
  }
}

TEST(Random, ChoicesAreTheDrawsOfTheirCount) {
  for (uint64_t count : {uint64_t(1), uint64_t(2), uint64_t(3), uint64_t(10),
                         uint64_t(1000003), uint64_t(1) << 32,
                         (uint64_t(1) << 63) + 1, UINT64_MAX - 1, UINT64_MAX}) {
    Random one(count), other(count);
    Choices choices(count);
    for (int draw = 0; draw < 1000; ++draw) {
      uint64_t found = one.below(choices);
      ASSERT_EQ(found, other.below(count)) << count;
      ASSERT_LT(found, count);
    }
    ASSERT_EQ(one.next(), other.next()) << "as many were refused";
  }
}

TEST(PortableMath, ExpectedImprovement) {
  // By a sum over the density.
  for (double mean : {-2.0, 0.0, 1.0, 3.0})
    for (double deviation : {0.1, 1.0, 2.5}) {
      double sum = 0, step = deviation / 2000;
      for (double y = mean - 9 * deviation; y < 0.5; y += step) {
        double middle = y + step / 2, z = (middle - mean) / deviation;
        sum += (0.5 - middle) * std::exp(-z * z / 2) * step /
               (deviation * std::sqrt(2 * M_PI));
      }
      EXPECT_NEAR(expectedImprovement(0.5, mean, deviation), std::max(sum, 0.0),
                  1e-5);
    }
  EXPECT_EQ(expectedImprovement(1, 3, 0), 0);
  EXPECT_EQ(expectedImprovement(3, 1, 0), 2);
}

/// By the definitions, from lists of items.
static int slowDistance(Distance distance, const std::vector<int> &a,
                        const std::vector<int> &b) {
  int n = int(a.size()), sum = 0;
  auto place = [](const std::vector<int> &order, int item) {
    return int(std::find(order.begin(), order.end(), item) - order.begin());
  };
  switch (distance) {
  case Distance::Spearman:
    for (int k = 0; k < n; ++k)
      sum += (place(a, k) - place(b, k)) * (place(a, k) - place(b, k));
    return sum;
  case Distance::Kendall: { // exchanges of neighbours that sort one into the
                            // other
    std::vector<int> places;
    for (int item : a)
      places.push_back(place(b, item));
    for (bool isSorted = false; !isSorted;) {
      isSorted = true;
      for (int k = 0; k + 1 < n; ++k)
        if (places[size_t(k)] > places[size_t(k) + 1]) {
          std::swap(places[size_t(k)], places[size_t(k) + 1]);
          isSorted = false;
          ++sum;
        }
    }
    return sum;
  }
  case Distance::Hamming:
    for (int k = 0; k < n; ++k)
      sum += a[size_t(k)] != b[size_t(k)];
    return sum;
  case Distance::Ulam: { // all subsets
    int longest = 0;
    for (int set = 0; set < 1 << n; ++set) {
      int last = -1, length = 0;
      bool ascends = true;
      for (int k = 0; k < n; ++k)
        if (set >> k & 1) {
          int at = place(b, a[size_t(k)]);
          ascends &= at > last;
          last = at;
          ++length;
        }
      if (ascends)
        longest = std::max(longest, length);
    }
    return n - longest;
  }
  case Distance::Naive:
    return a != b;
  }
  return -1;
}

TEST(Distances, AreTheirDefinitions) {
  std::vector<int> a = {0, 1, 2, 3, 4, 5};
  Random random(3);
  auto shuffle = [&](std::vector<int> &order) {
    for (size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[random.below(k)]);
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<int> b = a;
    shuffle(a);
    shuffle(b);
    for (Distance distance :
         {Distance::Spearman, Distance::Kendall, Distance::Hamming,
          Distance::Ulam, Distance::Naive}) {
      int found = orderDistance(distance, 6, packItems(a), packItems(b));
      EXPECT_EQ(found, slowDistance(distance, a, b));
      EXPECT_LE(found, greatestDistance(distance, 6));
    }
  }
}

TEST(Distances, CoordinatesAddUp) {
  Random random(3);
  Space orders = space({permutation("p", 7)}, {});
  for (Distance distance :
       {Distance::Spearman, Distance::Kendall, Distance::Hamming}) {
    KernelOptions options;
    options.isPerCoordinate = true;
    options.distance = distance;
    std::vector<Axis> axes = makeAxes(orders.parameters(), options);
    double unit = distance == Distance::Spearman  ? 49
                  : distance == Distance::Hamming ? 0.5
                                                  : 1;
    for (int round = 0; round < 50; ++round) {
      Word a = (*orders.draw(random))[0], b = (*orders.draw(random))[0];
      double sum = 0;
      for (const Axis &axis : axes)
        sum += squaredDistance(orders.parameters()[0], axis, options, a, b);
      EXPECT_NEAR(sum * unit, orderDistance(distance, 7, a, b), 1e-9);
    }
  }
}

TEST(Minimise, Rosenbrock) {
  auto function = [](const Vector &at, Vector &gradient) {
    double a = 1 - at[0], b = at[1] - at[0] * at[0];
    gradient = {-2 * a - 400 * at[0] * b, 200 * b};
    return a * a + 100 * b * b;
  };
  MinimiseOptions options;
  options.mostEvaluations = 500;
  options.valueTolerance = 0;
  Minimum found = minimise(function, {-1.2, 1}, {{-5, -5}, {5, 5}}, options);
  EXPECT_NEAR(found.at[0], 1, 1e-4);
  EXPECT_NEAR(found.at[1], 1, 1e-4);
  // The best with the first variable at most a half: its square, on the bound.
  found = minimise(function, {-1.2, 1}, {{-5, -5}, {0.5, 5}}, options);
  EXPECT_NEAR(found.at[0], 0.5, 1e-9);
  EXPECT_NEAR(found.at[1], 0.25, 1e-4);
}

TEST(Minimise, WhatIsNotFiniteIsAvoided) {
  auto function = [](const Vector &at, Vector &gradient) {
    gradient = {at[0] > 2 ? std::nan("") : 2 * (at[0] - 1.5)};
    return at[0] > 2 ? std::nan("") : (at[0] - 1.5) * (at[0] - 1.5);
  };
  Minimum found = minimise(function, {-3}, {{-10}, {10}}, {});
  EXPECT_NEAR(found.at[0], 1.5, 1e-4);
}

static std::vector<std::vector<float>> grid(int side) {
  std::vector<std::vector<float>> rows;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      rows.push_back({float(x) / float(side), float(y) / float(side)});
  return rows;
}

TEST(Forest, LearnsSteps) {
  std::vector<std::vector<float>> rows = grid(12);
  std::vector<double> values, weights(rows.size(), 1);
  for (const std::vector<float> &row : rows)
    values.push_back(row[0] < 0.5f ? 1 : row[1] < 0.25f ? 5 : 9);
  for (bool isBootstrap : {false, true}) {
    ForestOptions options;
    options.isBootstrap = isBootstrap;
    Forest forest(rows, values, weights, options, Random(1));
    EXPECT_NEAR(forest.predict({0.2f, 0.8f}).mean, 1, 0.1);
    EXPECT_NEAR(forest.predict({0.8f, 0.1f}).mean, 5, 0.3);
    EXPECT_NEAR(forest.predict({0.8f, 0.8f}).mean, 9, 0.1);
    Forest again(rows, values, weights, options, Random(1));
    EXPECT_EQ(forest.predict({0.49f, 0.24f}).mean,
              again.predict({0.49f, 0.24f}).mean);
  }
}

TEST(Forest, WeightsCount) {
  // The same row twice, valid and not: what is left is the weights.
  std::vector<std::vector<float>> rows = {{0}, {0}, {1}};
  Forest forest(rows, {1, 0, 0}, {0.8, 0.2, 0.2}, {}, Random(1));
  EXPECT_NEAR(forest.predict({0.0f}).mean, 0.8, 1e-12);
  EXPECT_NEAR(forest.predict({1.0f}).mean, 0, 1e-12);
}
