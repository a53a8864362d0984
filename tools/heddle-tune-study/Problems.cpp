//===- Problems.cpp - Functions to tune -----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Problems.h"

#include <cmath>

using namespace heddle::tuner;
using heddle::study::makeSpace;
using heddle::study::powers;
using heddle::study::Problem;
using heddle::study::steps;

Parameter heddle::study::powers(const char *name, int least, int greatest) {
  Parameter made;
  made.name = name;
  made.isLog = true;
  for (int k = least; k <= greatest; ++k)
    made.numbers.push_back(std::ldexp(1.0, k));
  return made;
}

Parameter heddle::study::steps(const std::string &name, int count) {
  Parameter made;
  made.name = name;
  for (int k = 0; k < count; ++k)
    made.numbers.push_back(k);
  return made;
}

static Parameter order(const char *name, int items) {
  Parameter made;
  made.name = name;
  made.kind = Kind::Permutation;
  made.items = items;
  return made;
}

Space heddle::study::makeSpace(std::vector<Parameter> parameters,
                               const std::vector<std::string> &texts) {
  std::vector<Constraint> constraints;
  for (const std::string &text : texts)
    constraints.push_back({text, "constraint"});
  return llvm::cantFail(
      Space::make(std::move(parameters), std::move(constraints)));
}

/// Koopmans and Beckmann's assignment of items to places, with flows and
/// distances at random, and precedences that a hidden order keeps.
static Problem assignment(int items, uint64_t seed) {
  Random random(seed);
  std::vector<int> flows(size_t(items * items)), hidden;
  for (int &flow : flows)
    flow = random.below(3) == 0 ? int(random.below(10)) : 0;
  for (int k = 0; k < items; ++k)
    hidden.insert(hidden.begin() + long(random.below(uint64_t(k) + 1)), k);
  std::vector<std::string> texts;
  for (int k = 0; k < items; ++k) {
    size_t i = random.below(uint64_t(items)), j = random.below(uint64_t(items));
    if (i != j)
      texts.push_back("p_i" + std::to_string(hidden[std::min(i, j)]) +
                      " < p_i" + std::to_string(hidden[std::max(i, j)]));
  }
  auto measure = [=](const Point &point) {
    double cost = 1;
    for (int a = 0; a < items; ++a)
      for (int b = 0; b < items; ++b) {
        int from = itemAt(point[0], a), to = itemAt(point[0], b);
        cost += flows[size_t(from * items + to)] * std::abs(a - b);
      }
    return Outcome{true, cost, ""};
  };
  return {"assignment-" + std::to_string(items) + "-" + std::to_string(seed),
          "permutations", makeSpace({order("p", items)}, texts), measure};
}

/// Two unlike minima (Branin 1972), times a factor of the order of loops.
static Problem branin() {
  Space space = makeSpace({steps("x", 32), steps("y", 32), order("p", 4)},
                          {"p_i0 < p_i2"});
  auto measure = [](const Point &point) {
    double x = -5 + 15 * double(point[0]) / 31, y = 15 * double(point[1]) / 31;
    double a = y - 5.1 / (4 * M_PI * M_PI) * x * x + 5 / M_PI * x - 6;
    double value = a * a + 10 * (1 - 1 / (8 * M_PI)) * std::cos(x) + 10;
    double factor = 1;
    for (int k = 0; k < 4; ++k)
      factor += 0.1 * std::abs(itemAt(point[2], k) - (3 - k));
    return Outcome{true, (value + 1) * factor, ""};
  };
  return {"branin", "functions", space, measure};
}

/// Six dimensions, of which four matter most; six minima (Hartmann 1973).
static Problem hartmann() {
  std::vector<Parameter> parameters;
  for (int k = 0; k < 6; ++k)
    parameters.push_back(steps(std::string(1, char('a' + k)), 12));
  static const double alpha[4] = {1, 1.2, 3, 3.2};
  static const double a[4][6] = {{10, 3, 17, 3.5, 1.7, 8},
                                 {0.05, 10, 17, 0.1, 8, 14},
                                 {3, 3.5, 1.7, 10, 17, 8},
                                 {17, 8, 0.05, 10, 0.1, 14}};
  static const double p[4][6] = {
      {0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
      {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
      {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
      {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
  auto measure = [](const Point &point) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      double inner = 0;
      for (int j = 0; j < 6; ++j) {
        double x = double(point[size_t(j)]) / 11 - p[i][j];
        inner += a[i][j] * x * x;
      }
      sum += alpha[i] * std::exp(-inner);
    }
    return Outcome{true, 3.4 - sum, ""};
  };
  return {"hartmann", "functions",
          makeSpace(std::move(parameters), {"a + b + c <= 24"}), measure};
}

/// SpMM's space, with a time that has a term for each of its choices.
static Problem sparseProduct() {
  Parameter schedule = steps("schedule", 2);
  Space space = makeSpace(
      {powers("chunk", 1, 9), powers("unroll", 1, 9), powers("part", 0, 8),
       powers("threads", 0, 5), schedule, order("p", 5)},
      {"unroll < chunk", "p_i0 < p_i3", "p_i1 < p_i3", "p_i0 < p_i2",
       "p_i1 < p_i2", "(p_i3 < p_i2) | (p_i3 < p_i4)"});
  auto measure = [](const Point &point) {
    double chunk = double(point[0]) + 1, unroll = double(point[1]) + 1,
           part = double(point[2]), threads = std::ldexp(1, int(point[3]));
    double work =
        1 + 0.06 * (chunk - 5) * (chunk - 5) + 0.1 * std::fabs(unroll - 3);
    int inner = itemAt(point[5], 4);
    work *= inner == 4 ? 1.0 : inner == 2 ? 1.6 : 3.0; // not along the rows
    work *= 1 + 0.15 * std::abs(positionOf(point[5], 4, 5) - 3);
    double balance =
        point[4] == 1 ? 1 + 0.4 / (1 + part) : 1 + 0.08 * std::fabs(part - 3);
    double overhead =
        0.002 * threads * (point[4] == 1 ? 1 + 8 / (1 + part) : 1);
    return Outcome{true, work * balance / std::pow(threads, 0.85) + overhead,
                   ""};
  };
  return {"sparse-product", "loops", space, measure};
}

/// A product on a GPU: registers and shared memory say no without being asked.
static Problem gpuProduct() {
  Space space = makeSpace(
      {powers("bm", 4, 8), powers("bn", 4, 8), powers("bk", 3, 7),
       powers("tm", 0, 4), powers("tn", 0, 4), powers("stages", 0, 2)},
      {"bm % tm == 0", "bn % tn == 0", "bm * bn / (tm * tn) <= 1024"});
  auto measure = [](const Point &point) {
    double bm = std::ldexp(16, int(point[0])),
           bn = std::ldexp(16, int(point[1]));
    double bk = std::ldexp(8, int(point[2])), tm = std::ldexp(1, int(point[3]));
    double tn = std::ldexp(1, int(point[4]));
    double stages = std::ldexp(1, int(point[5]));
    double shared = 4 * stages * bk * (bm + bn), threads = bm * bn / (tm * tn);
    if (shared > 49152)
      return Outcome{false, 0, "shared-memory"};
    if (tm * tn + tm + tn > 96)
      return Outcome{false, 0, "registers"};
    double traffic = 1 / bm + 1 / bn, reuse = 1 / tm + 1 / tn;
    double occupancy =
        std::min(1.0, threads * std::floor(98304 / shared) / 768);
    double time = 1 + 40 * traffic + 1.2 * reuse + 6 / bk + 0.3 / stages;
    return Outcome{true, time / (0.3 + 0.7 * occupancy), ""};
  };
  return {"gpu-product", "hidden", space, measure};
}

std::vector<Problem> heddle::study::allProblems() {
  std::vector<Problem> problems;
  for (int items : {8, 9, 10, 11, 12, 13, 14, 14})
    problems.push_back(assignment(items, 1 + problems.size()));
  problems.push_back(branin());
  problems.push_back(hartmann());
  problems.push_back(sparseProduct());
  problems.push_back(gpuProduct());
  for (Problem &problem : circuitProblems())
    problems.push_back(std::move(problem));
  return problems;
}
