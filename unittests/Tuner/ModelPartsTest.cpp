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
#include "Minimise.h"
#include "PortableMath.h"
#include "Spaces.h"

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
  for (float x = -80; x <= 0; x += 0.013f)
    EXPECT_NEAR(expOfNegative(x) / std::exp(x), 1, 1e-6);
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
