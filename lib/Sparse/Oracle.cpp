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
/// turn comes. Those with the same known ones stand together, in their order.
struct Factor {
  Factor(const Access &access, const std::vector<Entry> &entries,
         const std::vector<bool> &isBound, const std::vector<int64_t> &extents)
      : access(access) {
    std::vector<size_t> free;
    for (size_t axis = 0; axis < access.indices.size(); ++axis) {
      int index = access.indices[axis];
      if (isBound[size_t(index)]) {
        known.push_back({axis, extents[size_t(index)]});
        continue;
      }
      free.push_back(axis);
      binds.push_back(index);
    }
    std::vector<size_t> groupOf(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) {
      Group &group = groups[keyOf(
          [&](size_t axis) { return entries[i].coordinates[axis]; })];
      if (group.end++ == 0)
        group.begin = groups.size() - 1;
      groupOf[i] = group.begin;
    }
    // From counts to places; a group is then filled from its begin on.
    size_t all = 0;
    for (auto &[key, group] : groups) {
      group.begin = all;
      all += group.end;
      group.end = group.begin;
    }
    numbers.resize(entries.size());
    coordinates.resize(entries.size() * free.size());
    for (size_t i = 0; i < entries.size(); ++i) {
      size_t place = (groups.begin() + int64_t(groupOf[i]))->second.end++;
      numbers[place] = numberOf(entries[i], access);
      for (size_t number = 0; number < free.size(); ++number)
        coordinates[place * free.size() + number] =
            entries[i].coordinates[free[number]];
    }
  }

  struct Group {
    size_t begin = 0, end = 0;
  };
  struct Known {
    size_t axis;
    int64_t extent;
  };

  template <typename F> uint64_t keyOf(F coordinate) const {
    uint64_t key = 0;
    for (const Known &one : known)
      key = key * uint64_t(one.extent) + uint64_t(coordinate(one.axis));
    return key;
  }

  const Access &access;
  std::vector<Known> known; ///< axes whose index is bound before
  std::vector<int> binds;   ///< the indices of the others
  std::vector<int64_t> coordinates;
  std::vector<Number> numbers;
  NumberTable<Group> groups;
};

class Term {
public:
  Term(const Statement &statement, const std::vector<int64_t> &extents,
       OracleResult &result)
      : statement(statement), extents(extents), result(result),
        bound(extents.size(), -1), steps(extents.size(), 0) {
    uint64_t step = 1;
    const std::vector<int> &indices = statement.result.indices;
    for (size_t axis = indices.size(); axis-- > 0;) {
      steps[size_t(indices[axis])] = step;
      step *= uint64_t(extents[size_t(indices[axis])]);
    }
  }

  std::string run(const std::vector<Access> &accesses, double coefficient,
                  const std::vector<const std::vector<Entry> *> &operands) {
    // The shortest list first, then whatever is bound best.
    std::vector<bool> isBound(extents.size()), isUsed(accesses.size());
    for (size_t turn = 0; turn < accesses.size(); ++turn) {
      size_t best = accesses.size();
      double bestScore = 0;
      for (size_t i = 0; i < accesses.size(); ++i) {
        if (isUsed[i])
          continue;
        double score = double(operands[i]->size()) + 1;
        for (int index : accesses[i].indices)
          if (isBound[size_t(index)])
            score /= double(std::max<int64_t>(extents[size_t(index)], 1));
        if (best == accesses.size() || score < bestScore)
          best = i, bestScore = score;
      }
      isUsed[best] = true;
      __int128 keys = 1;
      for (int index : accesses[best].indices)
        if (isBound[size_t(index)])
          keys *= std::max<int64_t>(extents[size_t(index)], 1);
      if (keys > INT64_MAX)
        return "the oracle numbers coordinates with 64 bits, which do not "
               "suffice for " +
               accesses[best].tensor;
      factors.emplace_back(accesses[best], *operands[best], isBound, extents);
      for (int index : accesses[best].indices)
        isBound[size_t(index)] = true;
    }
    for (int index : statement.result.indices)
      if (!isBound[size_t(index)])
        free.push_back(index);
    // A number in front multiplies, and sums of numbers begin with none.
    join(0, hasTimes(statement.semiring)
                ? Number{coefficient, std::fabs(coefficient)}
                : Number{0, 0});
    return {};
  }

private:
  void join(size_t number, Number product) {
    if (number == factors.size())
      return spread(0, product);
    const Factor &factor = factors[number];
    auto found = factor.groups.find(factor.keyOf([&](size_t axis) {
      return bound[size_t(factor.access.indices[axis])];
    }));
    if (found == factor.groups.end())
      return;
    const int64_t *at =
        factor.coordinates.data() + found->second.begin * factor.binds.size();
    for (size_t i = found->second.begin; i < found->second.end; ++i) {
      for (int index : factor.binds)
        bound[size_t(index)] = *at++;
      const Number &value = factor.numbers[i];
      join(number + 1,
           factor.access.isMask
               ? product
               : Number{
                     multiply(statement.semiring, product.value, value.value),
                     multiply(statement.semiring, product.scale, value.scale)});
    }
  }

  /// Over indices of the result that the term lacks.
  void spread(size_t number, Number product) {
    if (number < free.size()) {
      for (int64_t i = 0; i < extents[size_t(free[number])]; ++i) {
        bound[size_t(free[number])] = i;
        spread(number + 1, product);
      }
      return;
    }
    uint64_t key = 0;
    for (int index : statement.result.indices)
      key += uint64_t(bound[size_t(index)]) * steps[size_t(index)];
    OracleSum &sum = result.sums[key];
    sum.value = sum.count++ ? add(statement.semiring, sum.value, product.value)
                            : product.value;
    // Infinity has no error, and the lesser of it and a number has that
    // number's.
    if (!std::isinf(product.value))
      sum.scale += product.scale;
  }

  const Statement &statement;
  const std::vector<int64_t> &extents;
  OracleResult &result;
  std::vector<int64_t> bound;
  std::vector<uint64_t> steps; ///< of an element's number, by index
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
      uint64_t key = result.keyOf(coordinates);
      if (!result.sums.has(key))
        result.sums[key] = {zeroOf(statement.semiring), 0, 0};
    }
  }
}

} // namespace

std::string heddle::sparse::evaluate(const Statement &statement,
                                     const FactorEntries &operands,
                                     const std::vector<int64_t> &extents,
                                     OracleResult &result) {
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
      spreadMask(statement, *operands[0][factor], extents, result);
  for (auto &[key, sum] : result.sums) {
    Number made = carry(statement.then, {sum.value, sum.scale});
    sum.value = made.value;
    sum.scale = std::max(std::fabs(made.value), made.scale);
  }
  return {};
}
