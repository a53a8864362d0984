//===- Oracle.cpp - What a statement means --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Oracle.h"

#include <algorithm>
#include <cmath>

using namespace heddle::sparse;

uint64_t OracleResult::keyOf(const std::vector<int64_t> &coordinates) const {
  uint64_t key = 0;
  for (size_t axis = 0; axis < extents.size(); ++axis)
    key = key * uint64_t(extents[axis]) + uint64_t(coordinates[axis]);
  return key;
}

std::vector<int64_t> OracleResult::coordinatesOf(uint64_t key) const {
  std::vector<int64_t> coordinates(extents.size());
  for (size_t axis = extents.size(); axis-- > 0; key /= uint64_t(extents[axis]))
    coordinates[axis] = int64_t(key % uint64_t(extents[axis]));
  return coordinates;
}

namespace {

double multiply(Semiring semiring, double a, double b) {
  return semiring == Semiring::PlusTimes ? a * b : a + b;
}

double add(Semiring semiring, double a, double b) {
  switch (semiring) {
  case Semiring::PlusTimes:
    return a + b;
  case Semiring::MinPlus:
    return std::fmin(a, b);
  case Semiring::MaxPlus:
    return std::fmax(a, b);
  }
  return 0;
}

/// One factor: its elements, found by the coordinates that are known when its
/// turn comes.
struct Factor {
  const Access *access;
  const std::vector<Entry> *entries;
  std::vector<size_t> known; ///< axes whose index is bound before
  std::unordered_map<uint64_t, std::vector<const Entry *>> byKey;
};

class Term {
public:
  Term(const Statement &statement, const std::vector<int64_t> &extents,
       OracleResult &result)
      : statement(statement), extents(extents), result(result),
        bound(extents.size(), -1) {}

  std::string run(const std::vector<Access> &accesses,
                  const std::vector<std::vector<Entry>> &operands) {
    // The shortest list first, then whatever is bound best.
    std::vector<bool> isBound(extents.size()), isUsed(accesses.size());
    for (size_t turn = 0; turn < accesses.size(); ++turn) {
      size_t best = accesses.size();
      double bestScore = 0;
      for (size_t i = 0; i < accesses.size(); ++i) {
        if (isUsed[i])
          continue;
        double score = double(operands[i].size()) + 1;
        for (int index : accesses[i].indices)
          if (isBound[index])
            score /= double(std::max<int64_t>(extents[index], 1));
        if (best == accesses.size() || score < bestScore)
          best = i, bestScore = score;
      }
      isUsed[best] = true;
      Factor factor{&accesses[best], &operands[best], {}, {}};
      for (size_t axis = 0; axis < accesses[best].indices.size(); ++axis)
        if (isBound[accesses[best].indices[axis]])
          factor.known.push_back(axis);
      __int128 keys = 1;
      for (size_t axis : factor.known)
        keys *= std::max<int64_t>(extents[accesses[best].indices[axis]], 1);
      if (keys > INT64_MAX)
        return "the oracle numbers coordinates with 64 bits, which do not "
               "suffice for " +
               accesses[best].tensor;
      for (const Entry &entry : operands[best])
        factor
            .byKey[keyOf(factor,
                         [&](size_t axis) { return entry.coordinates[axis]; })]
            .push_back(&entry);
      for (int index : accesses[best].indices)
        isBound[index] = true;
      factors.push_back(std::move(factor));
    }
    for (int index : statement.result.indices)
      if (!isBound[index])
        free.push_back(index);
    join(0, statement.semiring == Semiring::PlusTimes ? 1 : 0);
    return {};
  }

private:
  template <typename F> uint64_t keyOf(const Factor &factor, F coordinate) {
    uint64_t key = 0;
    for (size_t axis : factor.known)
      key = key * uint64_t(extents[factor.access->indices[axis]]) +
            uint64_t(coordinate(axis));
    return key;
  }

  void join(size_t number, double product) {
    if (number == factors.size())
      return spread(0, product);
    Factor &factor = factors[number];
    auto found = factor.byKey.find(keyOf(factor, [&](size_t axis) {
      return bound[factor.access->indices[axis]];
    }));
    if (found == factor.byKey.end())
      return;
    for (const Entry *entry : found->second) {
      for (size_t axis = 0; axis < entry->coordinates.size(); ++axis)
        bound[factor.access->indices[axis]] = entry->coordinates[axis];
      join(number + 1, multiply(statement.semiring, product, entry->value));
    }
  }

  /// Over indices of the result that the term lacks.
  void spread(size_t number, double product) {
    if (number < free.size()) {
      for (int64_t i = 0; i < extents[free[number]]; ++i) {
        bound[free[number]] = i;
        spread(number + 1, product);
      }
      return;
    }
    std::vector<int64_t> coordinates;
    for (int index : statement.result.indices)
      coordinates.push_back(bound[index]);
    OracleSum &sum = result.sums[result.keyOf(coordinates)];
    sum.value =
        sum.count++ ? add(statement.semiring, sum.value, product) : product;
    sum.magnitude += std::fabs(product);
  }

  const Statement &statement;
  const std::vector<int64_t> &extents;
  OracleResult &result;
  std::vector<int64_t> bound;
  std::vector<Factor> factors;
  std::vector<int> free;
};

} // namespace

std::string heddle::sparse::evaluate(
    const Statement &statement,
    const std::vector<std::vector<std::vector<Entry>>> &operands,
    const std::vector<int64_t> &extents, OracleResult &result) {
  result = OracleResult();
  __int128 keys = 1;
  for (int index : statement.result.indices) {
    result.extents.push_back(extents[index]);
    keys *= std::max<int64_t>(extents[index], 1);
  }
  if (keys > INT64_MAX)
    return "the result has more elements than 64 bits number";
  for (size_t term = 0; term < statement.terms.size(); ++term) {
    Term evaluation(statement, extents, result);
    std::string error = evaluation.run(statement.terms[term], operands[term]);
    if (!error.empty())
      return error;
  }
  return {};
}
