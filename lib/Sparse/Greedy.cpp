//===- Greedy.cpp - The order that a greedy search finds ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop order of Scorch (CGO 2026), for comparison with the planner: sparse
// indices are moved inward one step at a time while a sum of computation,
// workspace and transposition falls, and the operands' storage is respected
// afterwards. It takes the same density for every sparse level; the weights
// were fitted by its authors on one machine.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Plan.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace heddle::sparse;

namespace {

constexpr double kDensity = 0.0014;
constexpr double kComputation = 2.975, kWorkspace = 0.1005,
                 kTransposition = 43.55;
constexpr double kInsert = 85.34, kSort = 1.741, kMove = 40.61;

class Search {
public:
  Search(const Statement &statement, int term, const Statistics &statistics)
      : statement(statement), factors(statement.terms[term]),
        statistics(statistics), order(statement.indicesOf(term)) {}

  std::vector<int> run() {
    std::vector<int> given = order;
    auto place = [&](int index) {
      return std::find(given.begin(), given.end(), index) - given.begin();
    };
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::tuple(selectivity(a), meanLevel(a), place(a)) <
             std::tuple(selectivity(b), meanLevel(b), place(b));
    });
    std::vector<int> filters;
    for (int index : order)
      if (isFilter(index))
        filters.push_back(index);
    for (int filter : filters)
      moveInward(filter);
    respectStorage();
    return order;
  }

private:
  static bool isSparse(const Access &access, int level) {
    return level >= 0 && access.format.levels[level] != Level::Dense;
  }
  static bool isSparse(const Access &access) {
    return !access.format.isDense();
  }

  /// It is sparse in one operand, and dense or missing in another.
  bool isFilter(int index) const {
    auto isSparseIn = [&](const Access &access) {
      return isSparse(access, access.levelOfIndex(index));
    };
    return std::any_of(factors.begin(), factors.end(), isSparseIn) &&
           !std::all_of(factors.begin(), factors.end(), isSparseIn);
  }

  double selectivity(int index) const {
    double part = 1;
    for (const Access &access : factors)
      if (isSparse(access, access.levelOfIndex(index)))
        part *= kDensity;
    return part;
  }

  double meanLevel(int index) const {
    double sum = 0, count = 0;
    auto add = [&](const Access &access) {
      if (int level = access.levelOfIndex(index); level >= 0) {
        sum += level;
        ++count;
      }
    };
    for (const Access &access : factors)
      add(access);
    add(statement.result);
    return sum / std::max(count, 1.0);
  }

  double extent(int index) const {
    return double(statistics.extents[size_t(index)]);
  }

  /// What of a loop's extent is left by the filters outside of it.
  double partOf(const std::vector<int> &loops, size_t at) const {
    if (isFilter(loops[at]))
      return selectivity(loops[at]);
    std::set<int> outer;
    for (const Access &access : factors) {
      int level = access.levelOfIndex(loops[at]);
      if (level < 1 || !isSparse(access, level))
        continue;
      int above = access.indexOfLevel(level - 1);
      if (isFilter(above) && std::find(loops.begin(), loops.begin() + long(at),
                                       above) != loops.begin() + long(at))
        outer.insert(above);
    }
    double part = 1;
    for (int index : outer)
      part *= selectivity(index);
    return part;
  }

  bool isInOrder(const Access &access, const std::vector<int> &loops) const {
    auto last = loops.begin();
    for (int level = 0; level < access.format.rank(); ++level) {
      auto found =
          std::find(loops.begin(), loops.end(), access.indexOfLevel(level));
      if (found < last)
        return false;
      last = found;
    }
    return true;
  }

  double elements(const Access &access) const {
    double count = 1;
    for (int level = 0; level < access.format.rank(); ++level)
      count *= extent(access.indexOfLevel(level)) *
               (isSparse(access, level) ? kDensity : 1);
    return count;
  }

  double cost(const std::vector<int> &loops) const {
    double computation = 1, transposition = 0;
    for (size_t at = 0; at < loops.size(); ++at)
      computation *= extent(loops[at]) * partOf(loops, at);
    for (const Access &access : factors)
      if (isSparse(access) && !isInOrder(access, loops))
        transposition += kMove * elements(access);
    return kComputation * computation + kWorkspace * workspace(loops) +
           kTransposition * transposition;
  }

  /// Of a sparse result, for the free indices behind the last sum.
  double workspace(const std::vector<int> &loops) const {
    if (!isSparse(statement.result))
      return 0;
    size_t last = loops.size();
    for (size_t at = 0; at < loops.size(); ++at)
      if (!statement.isOutput(loops[at]))
        last = at;
    if (last == loops.size() || last + 1 == loops.size())
      return 0;
    double inserted = 1, size = 1, free = double(loops.size() - last - 1);
    for (size_t at = 0; at <= last; ++at)
      inserted *= std::max(1.0, extent(loops[at]) * partOf(loops, at));
    for (size_t at = last + 1; at < loops.size(); ++at)
      size *= std::max(1.0, extent(loops[at]));
    return kInsert * inserted * free + kSort * size * free * std::log2(size);
  }

  void moveInward(int filter) {
    size_t at =
        size_t(std::find(order.begin(), order.end(), filter) - order.begin());
    for (; at + 1 < order.size(); ++at) {
      std::vector<int> moved = order;
      std::swap(moved[at], moved[at + 1]);
      if (cost(moved) >= cost(order))
        return;
      order = std::move(moved);
    }
  }

  /// Outer levels first, of one operand after the other as far as they agree,
  /// the largest one first.
  void respectStorage() {
    std::vector<const Access *> sparse;
    for (const Access &access : factors)
      if (isSparse(access))
        sparse.push_back(&access);
    std::stable_sort(sparse.begin(), sparse.end(),
                     [&](const Access *a, const Access *b) {
                       return elements(*a) > elements(*b);
                     });
    std::set<std::pair<int, int>> before; // closed under transitivity
    for (const Access *access : sparse) {
      auto more = before;
      for (int level = 1; level < access->format.rank(); ++level)
        more.insert(
            {access->indexOfLevel(level - 1), access->indexOfLevel(level)});
      close(more);
      if (std::none_of(more.begin(), more.end(),
                       [](auto pair) { return pair.first == pair.second; }))
        before = std::move(more);
    }
    std::vector<int> left = order, made;
    while (!left.empty()) {
      auto next = std::find_if(left.begin(), left.end(), [&](int index) {
        return std::none_of(left.begin(), left.end(), [&](int other) {
          return before.count({other, index}) > 0;
        });
      });
      made.push_back(*next);
      left.erase(next);
    }
    order = made;
  }

  void close(std::set<std::pair<int, int>> &pairs) const {
    for (int middle : order)
      for (int first : order)
        for (int last : order)
          if (pairs.count({first, middle}) && pairs.count({middle, last}))
            pairs.insert({first, last});
  }

  const Statement &statement;
  const std::vector<Access> &factors;
  const Statistics &statistics;
  std::vector<int> order;
};

/// How many pairs of indices stand the other way round.
int distance(const std::vector<int> &a, const std::vector<int> &b) {
  auto place = [&](int index) {
    return std::find(b.begin(), b.end(), index) - b.begin();
  };
  int count = 0;
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = i + 1; j < a.size(); ++j)
      count += place(a[i]) > place(a[j]);
  return count;
}

} // namespace

std::vector<int> heddle::sparse::greedyOrder(const Statement &statement,
                                             int term,
                                             const Statistics &statistics) {
  return Search(statement, term, statistics).run();
}

size_t
heddle::sparse::chooseGreedily(const Statement &statement, int term,
                               const Statistics &statistics,
                               const std::vector<Candidate> &candidates) {
  std::vector<int> order = greedyOrder(statement, term, statistics);
  size_t best = 0;
  for (size_t i = 1; i < candidates.size(); ++i)
    if (distance(candidates[i].nest.order, order) <
        distance(candidates[best].nest.order, order))
      best = i;
  return best;
}
