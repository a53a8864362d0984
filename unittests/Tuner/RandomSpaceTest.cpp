//===- RandomSpaceTest.cpp - Random spaces beside brute force -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thousand spaces with random constraints, each written as text for the
// reader and as a function of plain numbers for the brute force: count,
// membership of every combination, and the neighbours of every point.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include <functional>
#include <set>

using namespace heddle::tuner;

namespace {

/// Values as numbers; an order as its items, one after the other.
using Numbers = std::vector<std::vector<int>>;
using Test = std::function<bool(const Numbers &)>;

struct RandomSpace {
  std::vector<Parameter> parameters;
  std::vector<std::string> texts;
  std::vector<Test> tests;
  std::vector<int> numeric, orders;
};

int position(const std::vector<int> &items, int item) {
  return int(std::find(items.begin(), items.end(), item) - items.begin());
}

class Maker {
public:
  explicit Maker(uint64_t seed) : random(seed) {}

  RandomSpace make() {
    RandomSpace made;
    int count = 2 + int(random.below(4));
    for (int k = 0; k < count; ++k) {
      std::string name(1, char('a' + k));
      if (random.below(5) == 0) {
        made.orders.push_back(k);
        made.parameters.push_back(permutation(name, 2 + int(random.below(3))));
        continue;
      }
      made.numeric.push_back(k);
      std::set<double> values;
      while (values.size() < 2 + random.below(4))
        values.insert(double(random.below(9)));
      if (random.below(4) == 0)
        made.parameters.push_back(integer(name, 1, 2 + int(random.below(4))));
      else
        made.parameters.push_back(
            ordinal(name, {values.begin(), values.end()}));
    }
    int constraints = 1 + int(random.below(4));
    for (int k = 0; k < constraints; ++k) {
      auto [text, test] = condition(made, 2);
      made.texts.push_back(text);
      made.tests.push_back(test);
    }
    return made;
  }

private:
  std::pair<std::string, Test> condition(const RandomSpace &space, int depth) {
    if (depth > 0 && random.below(3) == 0) {
      auto [left, holdsLeft] = condition(space, depth - 1);
      auto [right, holdsRight] = condition(space, depth - 1);
      switch (random.below(3)) {
      case 0:
        return {"(" + left + ") | (" + right + ")", [=](const Numbers &n) {
                  return holdsLeft(n) || holdsRight(n);
                }};
      case 1:
        return {"(" + left + " and " + right + ")", [=](const Numbers &n) {
                  return holdsLeft(n) && holdsRight(n);
                }};
      default:
        return {"not (" + left + ")",
                [=](const Numbers &n) { return !holdsLeft(n); }};
      }
    }
    if (space.numeric.empty() ||
        (!space.orders.empty() && random.below(3) == 0))
      return onOrder(space);
    return onNumbers(space);
  }

  std::pair<std::string, Test> onOrder(const RandomSpace &space) {
    int p = space.orders[random.below(space.orders.size())];
    const Parameter &order = space.parameters[size_t(p)];
    int i = int(random.below(uint64_t(order.items)));
    int j = int(random.below(uint64_t(order.items)));
    std::string at = order.name + "_" + std::to_string(i);
    std::string of = order.name + "_i" + std::to_string(i);
    std::string other = order.name + "_i" + std::to_string(j);
    switch (random.below(4)) {
    case 0:
      return {of + " <= " + other, [=](const Numbers &n) {
                return position(n[size_t(p)], i) <= position(n[size_t(p)], j);
              }};
    case 1:
      return {at + " != " + std::to_string(j),
              [=](const Numbers &n) { return n[size_t(p)][size_t(i)] != j; }};
    case 2:
      return {"abs(" + of + " - " + other + ") < 2", [=](const Numbers &n) {
                return std::abs(position(n[size_t(p)], i) -
                                position(n[size_t(p)], j)) < 2;
              }};
    default:
      return {at + " + " + of + " > " + std::to_string(j),
              [=](const Numbers &n) {
                return n[size_t(p)][size_t(i)] + position(n[size_t(p)], i) > j;
              }};
    }
  }

  std::pair<std::string, Test> onNumbers(const RandomSpace &space) {
    size_t x = size_t(space.numeric[random.below(space.numeric.size())]);
    size_t y = size_t(space.numeric[random.below(space.numeric.size())]);
    size_t z = size_t(space.numeric[random.below(space.numeric.size())]);
    std::string a = space.parameters[x].name, b = space.parameters[y].name,
                c = space.parameters[z].name;
    int k = int(random.below(30));
    std::string limit = std::to_string(k);
    switch (random.below(7)) {
    case 0:
      return {a + " % " + b + " == 0", [=](const Numbers &n) {
                return n[y][0] != 0 && n[x][0] % n[y][0] == 0;
              }};
    case 1:
      return {
          a + " * " + b + " * " + c + " <= " + limit,
          [=](const Numbers &n) { return n[x][0] * n[y][0] * n[z][0] <= k; }};
    case 2:
      return {a + " + " + b + " - " + c + " < " + std::to_string(k / 4),
              [=](const Numbers &n) {
                return n[x][0] + n[y][0] - n[z][0] < k / 4;
              }};
    case 3:
      return {"max(" + a + ", " + b + ") > min(" + c + ", " + limit + ")",
              [=](const Numbers &n) {
                return std::max(n[x][0], n[y][0]) > std::min(n[z][0], k);
              }};
    case 4: // a / b >= 1 / 2, exactly
      return {a + " / " + b + " >= 1 / 2", [=](const Numbers &n) {
                return n[y][0] != 0 && 2 * n[x][0] >= n[y][0];
              }};
    case 5:
      return {a + " // 2 != " + b + " % 3",
              [=](const Numbers &n) { return n[x][0] / 2 != n[y][0] % 3; }};
    default:
      return {"where(" + a + " < " + b + ", " + c + ", " + a + ") >= 3",
              [=](const Numbers &n) {
                return (n[x][0] < n[y][0] ? n[z][0] : n[x][0]) >= 3;
              }};
    }
  }

  Random random;
};

/// All words of a parameter, and what they are as numbers.
std::vector<std::pair<Word, std::vector<int>>> wordsOf(const Parameter &one) {
  std::vector<std::pair<Word, std::vector<int>>> words;
  if (one.kind == Kind::Permutation) {
    std::vector<int> items(size_t(one.items));
    for (size_t k = 0; k < items.size(); ++k)
      items[k] = int(k);
    do
      words.push_back({packItems(items), items});
    while (std::next_permutation(items.begin(), items.end()));
    return words;
  }
  for (Word word = 0; uint64_t(word) < one.words(); ++word)
    words.push_back(
        {word,
         {one.kind == Kind::Integer ? int(one.first + word)
                                    : int(one.numbers[size_t(word)])}});
  return words;
}

/// Calls `each` with all combinations.
void visitAll(const RandomSpace &space, size_t from, Point &point,
              Numbers &numbers,
              const std::function<void(const Point &, bool)> &each) {
  if (from == space.parameters.size()) {
    bool holds = true;
    for (const Test &test : space.tests)
      holds &= test(numbers);
    return each(point, holds);
  }
  for (const auto &[word, values] : wordsOf(space.parameters[from])) {
    point.push_back(word);
    numbers.push_back(values);
    visitAll(space, from + 1, point, numbers, each);
    point.pop_back();
    numbers.pop_back();
  }
}

/// By definition: of points that differ in one parameter, the next on either
/// side, or all.
std::set<Point> nearby(const RandomSpace &space, const std::set<Point> &points,
                       const Point &point) {
  std::set<Point> found;
  for (size_t k = 0; k < point.size(); ++k) {
    std::vector<std::pair<Word, std::vector<int>>> words =
        wordsOf(space.parameters[k]);
    bool isOrder = space.parameters[k].kind == Kind::Permutation;
    Point other = point;
    for (int side : {-1, 1})
      for (Word word = point[k] + side;
           !isOrder && word >= 0 && word < Word(words.size()); word += side) {
        other[k] = word;
        if (points.count(other)) {
          found.insert(other);
          break;
        }
      }
    for (const auto &[word, items] : words) {
      other[k] = word;
      if (isOrder && word != point[k] && points.count(other))
        found.insert(other);
    }
  }
  return found;
}

} // namespace

TEST(RandomSpaces, AgreeWithBruteForce) {
  int empty = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    RandomSpace random = Maker(seed).make();
    std::string description = "seed " + std::to_string(seed);
    for (const std::string &text : random.texts)
      description += "; " + text;
    SCOPED_TRACE(description);
    std::set<Point> points;
    std::vector<Point> others;
    Point point;
    Numbers numbers;
    visitAll(random, 0, point, numbers, [&](const Point &one, bool holds) {
      if (holds)
        points.insert(one);
      else
        others.push_back(one);
    });
    llvm::Expected<Space> made =
        Space::make(random.parameters, texts(random.texts));
    if (points.empty()) {
      ++empty;
      ASSERT_FALSE(bool(made));
      std::string error = llvm::toString(made.takeError());
      ASSERT_NE(error.find("[tuner-space-empty]"), std::string::npos) << error;
      continue;
    }
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    ASSERT_EQ(made->count(), std::to_string(points.size()));
    for (const Point &one : points)
      ASSERT_TRUE(made->contains(one));
    for (const Point &one : others)
      ASSERT_FALSE(made->contains(one));
    Random draws(seed);
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(points.count(*made->draw(draws)));
      ASSERT_TRUE(points.count(*made->drawEmbedded(draws)));
    }
    for (const Point &one : points) {
      std::set<Point> near;
      made->neighbours(one, nullptr,
                       [&](const Point &other) { near.insert(other); });
      ASSERT_EQ(near, nearby(random, points, one));
    }
  }
  // Most spaces have points, and some have none.
  EXPECT_GT(empty, 10);
  EXPECT_LT(empty, 500);
}
