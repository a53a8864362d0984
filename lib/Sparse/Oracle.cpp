//===- Oracle.cpp - What a statement means --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Oracle.h"

#include <algorithm>
#include <cmath>

using namespace heddle;
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
  return hasTimes(semiring) ? a * b : a + b;
}

/// What is no number is not hidden by one that is.
double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
}

double add(Semiring semiring, double a, double b) {
  switch (semiring) {
  case Semiring::PlusTimes:
    return a + b;
  case Semiring::MinPlus:
    return -maximum(-a, -b);
  case Semiring::MaxPlus:
  case Semiring::MaxTimes:
    return maximum(a, b);
  }
  return 0;
}

/// A number, and how large those are that it was computed from.
struct Number {
  double value, scale;
};

Number carry(const std::vector<ScalarFunction> &functions, Number x) {
  for (ScalarFunction function : functions) {
    x.scale = scaleOf(function, x.value, x.scale);
    x.value = applyFunction(function, x.value);
  }
  return x;
}

Number numberOf(const Entry &entry, const Access &access) {
  return carry(access.functions,
               {entry.value, std::max(std::fabs(entry.value), entry.scale)});
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

  std::string run(const std::vector<Access> &accesses, double coefficient,
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
    // A number in front multiplies, and sums of numbers begin with none.
    join(0, hasTimes(statement.semiring)
                ? Number{coefficient, std::fabs(coefficient)}
                : Number{0, 0});
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

  void join(size_t number, Number product) {
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
      if (factor.access->isMask) {
        join(number + 1, product);
        continue;
      }
      Number value = numberOf(*entry, *factor.access);
      join(number + 1,
           {multiply(statement.semiring, product.value, value.value),
            multiply(statement.semiring, product.scale, value.scale)});
    }
  }

  /// Over indices of the result that the term lacks.
  void spread(size_t number, Number product) {
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
    sum.value = sum.count++ ? add(statement.semiring, sum.value, product.value)
                            : product.value;
    sum.scale += product.scale;
  }

  const Statement &statement;
  const std::vector<int64_t> &extents;
  OracleResult &result;
  std::vector<int64_t> bound;
  std::vector<Factor> factors;
  std::vector<int> free;
};

/// The elements that a mask names: those without a product are the zero.
void spreadMask(const Statement &statement, const std::vector<Entry> &entries,
                const std::vector<int64_t> &extents, OracleResult &result) {
  const Access &mask = *statement.mask;
  std::vector<int64_t> bound(extents.size(), 0);
  std::vector<int> free;
  for (int index : statement.result.indices)
    if (!mask.has(index))
      free.push_back(index);
  for (const Entry &entry : entries) {
    for (size_t axis = 0; axis < mask.indices.size(); ++axis)
      bound[size_t(mask.indices[axis])] = entry.coordinates[axis];
    int64_t count = 1;
    for (int index : free)
      count *= extents[size_t(index)];
    for (int64_t number = 0; number < count; ++number) {
      int64_t rest = number;
      for (int index : free) {
        bound[size_t(index)] = rest % extents[size_t(index)];
        rest /= extents[size_t(index)];
      }
      std::vector<int64_t> coordinates;
      for (int index : statement.result.indices)
        coordinates.push_back(bound[size_t(index)]);
      result.sums.try_emplace(result.keyOf(coordinates),
                              OracleSum{zeroOf(statement.semiring), 0, 0});
    }
  }
}

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
    std::string error =
        evaluation.run(statement.terms[term],
                       statement.coefficientOf(int(term)), operands[term]);
    if (!error.empty())
      return error;
  }
  for (size_t factor = 0; statement.mask && factor < operands[0].size();
       ++factor)
    if (statement.terms[0][factor].isAlike(*statement.mask))
      spreadMask(statement, operands[0][factor], extents, result);
  for (auto &[key, sum] : result.sums) {
    Number made = carry(statement.then, {sum.value, sum.scale});
    sum.value = made.value;
    sum.scale = std::max(std::fabs(made.value), made.scale);
  }
  return {};
}
