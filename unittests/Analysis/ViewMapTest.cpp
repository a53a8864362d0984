//===- ViewMapTest.cpp - Composed maps against their definition ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps of random chains of windows and merges are evaluated at every coordinate
// and around the edges, and compared with the views written out. A chain that
// divides windows has no map; most have one.
//
//===----------------------------------------------------------------------===//

#include "../Interp/ViewChain.h"

#include "heddle/Analysis/ViewMap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::viewchain;

namespace {

int64_t numberOf(Value value) {
  APInt number;
  EXPECT_TRUE(matchPattern(value, m_ConstantInt(&number)));
  return number.getSExtValue();
}

/// A map with its numbers, over an array.
class Evaluation {
public:
  Evaluation(const ViewMap &map, const Whole &base) : map(map), base(base) {}

  float at(const Extents &place) const {
    std::vector<int64_t> digits(map.digits.size());
    for (size_t axis = 0; axis < place.size(); ++axis) {
      int64_t rest = place[axis];
      if (rest < 0)
        return 0;
      llvm::ArrayRef<unsigned> own = map.digitsOf[axis];
      for (size_t i = own.size(); i-- > 1;) {
        int64_t extent = extentOf(map.digits[own[i]].extent);
        if (extent == 0)
          return 0;
        digits[own[i]] = rest % extent;
        rest /= extent;
      }
      digits[own.front()] = rest;
    }
    for (size_t i = 0; i < digits.size(); ++i)
      if (digits[i] >= extentOf(map.digits[i].extent))
        return 0;
    for (const ViewMap::Bound &bound : map.bounds) {
      int64_t value = sumOf(bound.sum, digits);
      if (value < 0 || value >= extentOf(bound.extent))
        return 0;
    }
    Extents inBase;
    for (const ViewMap::Sum &sum : map.axes)
      inBase.push_back(sumOf(sum, digits));
    return base.at(inBase);
  }

private:
  int64_t extentOf(const ViewMap::Extent &extent) const {
    return extent.value ? numberOf(extent.value) : base.shape[extent.axis];
  }
  static int64_t sumOf(const ViewMap::Sum &sum,
                       const std::vector<int64_t> &digits) {
    int64_t total = 0;
    for (const ViewMap::Term &term : sum.terms)
      total += term.factor * digits[term.digit];
    for (auto [low, times] : sum.lows)
      total -= times * numberOf(low);
    return total;
  }

  const ViewMap &map;
  const Whole &base;
};

TEST(ViewMap, RandomChainsAreTheirDefinition) {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, arith::ArithDialect>();
  MLIRContext context(registry);
  int composed = 0, divided = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    Chain chain(seed);
    for (int64_t steps = 1 + chain.below(4); steps-- > 0;)
      chain.grow();
    Extents ones(chain.whole.shape.size(), 1), zeros(ones.size(), 0);
    std::string text = chain.program(ones, zeros);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    tile::LoadOp load;
    module->walk([&](tile::LoadOp op) { load = op; });
    std::string why;
    std::optional<ViewMap> map = getViewMap(load.getView(), why);
    if (!map) {
      EXPECT_EQ(why, "merged axes are windows in turn");
      ++divided;
      continue;
    }
    ++composed;
    Evaluation evaluation(*map, chain.base);
    Extents around = chain.whole.shape;
    if (countOf(around) > 3000)
      continue; // the oracle's test has long ones
    for (int64_t &extent : around)
      extent += 2;
    forAll(around, [&](Extents place) {
      for (int64_t &coordinate : place)
        --coordinate;
      if (!HasFailure())
        EXPECT_EQ(evaluation.at(place), chain.whole.at(place))
            << "seed " << seed << "\n"
            << text;
    });
    if (HasFailure())
      return;
  }
  EXPECT_GT(composed, 600);
  EXPECT_GT(divided, 50);
}

} // namespace
