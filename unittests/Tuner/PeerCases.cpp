//===- PeerCases.cpp - What SciPy and scikit-learn are asked too ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints as JSON: expected improvements, likelihoods with gradients and the
// best ones found, and P(valid) of forests on twenty data sets, with everything
// that others need to compute the same. test/tuner/peers.py does.
//
//===----------------------------------------------------------------------===//

#include "PortableMath.h"

#include "heddle/Tuner/Forest.h"
#include "heddle/Tuner/GaussianProcess.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace heddle::tuner;
namespace json = llvm::json;

template <typename Range>
static void list(json::OStream &out, llvm::StringRef key, const Range &range) {
  out.attributeArray(key, [&] {
    for (double value : range)
      out.value(value);
  });
}

static void writeImprovements(json::OStream &out) {
  Random random(1);
  for (int k = 0; k < 200; ++k)
    out.object([&] {
      double best = 4 * random.unit() - 2, mean = 8 * random.unit() - 4;
      double deviation = std::pow(10, 3 * random.unit() - 2);
      out.attribute("best", best);
      out.attribute("mean", mean);
      out.attribute("deviation", deviation);
      out.attribute("found", expectedImprovement(best, mean, deviation));
    });
}

static void writeProcess(json::OStream &out, uint64_t seed) {
  Random random(seed);
  std::vector<Parameter> parameters;
  for (int k = 0; k < 3; ++k) {
    Parameter one;
    one.name = std::string(1, char('a' + k));
    one.kind = Kind::Real;
    one.high = 1;
    parameters.push_back(one);
  }
  Observations seen;
  for (int k = 0; k < 25; ++k) {
    Point point;
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      double value = random.unit();
      point.push_back(packReal(value));
      sum += axis == 2 ? 0 : std::sin(5 * value + axis);
    }
    seen.points.push_back(point);
    seen.values.push_back(sum + 0.1 * random.unit());
  }
  ProcessOptions options;
  options.lengths = {1, 0};
  GaussianProcess process(parameters, options);
  process.observe(seen);
  Hyperparameters hyper;
  for (int axis = 0; axis < 3; ++axis)
    hyper.lengths.push_back(0.2 + 2 * random.unit());
  hyper.scale = 0.5 + random.unit();
  hyper.noise = 0.01 + 0.1 * random.unit();
  std::vector<double> gradient;
  double value = process.logPosterior(hyper, &gradient);
  process.fit(random);
  out.object([&] {
    out.attributeArray("points", [&] {
      for (const Point &point : seen.points)
        out.array([&] {
          for (Word word : point)
            out.value(realOf(word));
        });
    });
    list(out, "values", seen.values);
    list(out, "lengths", hyper.lengths);
    out.attribute("scale", hyper.scale);
    out.attribute("noise", hyper.noise);
    out.attribute("likelihood", value);
    list(out, "gradient", gradient);
    out.attribute("best",
                  process.logPosterior(process.hyperparameters(), nullptr));
  });
}

/// Valid where a sum is small, a product is, or in a box; some labels are
/// wrong.
static bool isValid(int kind, const std::vector<float> &row, Random &random) {
  bool valid = kind % 4 == 0   ? row[0] + row[1] < 0.9f
               : kind % 4 == 1 ? row[0] * row[1] < 0.3f
               : kind % 4 == 2 ? row[0] > 0.2f && row[1] > 0.3f
                               : (row[0] < 0.5f) != (row[2] < 0.5f);
  return kind >= 10 && random.below(10) == 0 ? !valid : valid;
}

static void writeForest(json::OStream &out, int kind) {
  Random random{uint64_t(kind) + 100};
  auto draw = [&] {
    std::vector<float> row;
    for (int k = 0; k < 4; ++k)
      row.push_back(float(random.unit()));
    return row;
  };
  std::vector<std::vector<float>> rows, asked;
  std::vector<double> labels, weights;
  for (int k = 0; k < 40 + 4 * kind; ++k) {
    rows.push_back(draw());
    labels.push_back(isValid(kind, rows.back(), random));
    // With equal weights, divisions that are equally good abound. Which one
    // scikit-learn takes is a matter of rounding: with all weights times 1.25
    // it differs from itself by 0.036.
    weights.push_back((labels.back() != 0 ? 0.8 : 0.2) *
                      (0.75 + 0.5 * random.unit()));
  }
  for (int k = 0; k < 200; ++k)
    asked.push_back(draw());
  std::vector<double> means(asked.size(), 0);
  // Of equally good divisions the one found first wins, here and there. With
  // the signs of features turned, scikit-learn differs from itself by 0.05; so
  // the mean is over all directions.
  auto turned = [](std::vector<std::vector<float>> table, uint64_t signs) {
    for (std::vector<float> &row : table)
      for (size_t k = 0; k < row.size(); ++k)
        row[k] = signs >> k & 1 ? -row[k] : row[k];
    return table;
  };
  constexpr int kSeeds = 64;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::vector<std::vector<float>> wanted = turned(asked, seed % 16);
    Forest forest(turned(rows, seed % 16), labels, weights, {}, Random(seed));
    for (size_t k = 0; k < asked.size(); ++k)
      means[k] += forest.predict(wanted[k]).mean / kSeeds;
  }
  out.object([&] {
    for (auto [key, table] :
         {std::pair("rows", &rows), std::pair("asked", &asked)})
      out.attributeArray(key, [&, table = table] {
        for (const std::vector<float> &row : *table)
          out.array([&] {
            for (float value : row)
              out.value(double(value));
          });
      });
    list(out, "labels", labels);
    list(out, "weights", weights);
    list(out, "found", means);
  });
}

int main() {
  json::OStream out(llvm::outs());
  out.object([&] {
    out.attributeArray("improvements", [&] { writeImprovements(out); });
    out.attributeArray("processes", [&] {
      for (uint64_t seed = 1; seed <= 5; ++seed)
        writeProcess(out, seed);
    });
    out.attributeArray("forests", [&] {
      for (int kind = 0; kind < 20; ++kind)
        writeForest(out, kind);
    });
  });
}
