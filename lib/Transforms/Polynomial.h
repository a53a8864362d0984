//===- Polynomial.h - Sums of products of unknowns ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What integer arithmetic computes, as far as it is +, - and *, in a form in
// which equal things look equal. Unknowns are numbers; whoever uses this knows
// what they stand for. Exact: a coefficient that leaves 64 bits, or more terms
// or factors than an address has, make the whole polynomial unknown.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_POLYNOMIAL_H
#define HEDDLE_LIB_TRANSFORMS_POLYNOMIAL_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace heddle {

/// The unknowns of a product, ascending; x * x has x twice.
using Product = std::vector<unsigned>;

class Polynomial {
public:
  Polynomial() = default;
  static Polynomial constant(int64_t value);
  static Polynomial unknown(unsigned number);

  /// False after an overflow; then nothing else means anything.
  bool isExact() const { return exact; }
  bool isZero() const { return exact && sum.empty(); }
  std::optional<int64_t> asConstant() const;
  /// Product -> coefficient, never 0.
  const std::map<Product, int64_t> &terms() const { return sum; }
  void add(const Product &product, int64_t coefficient);

  /// The terms for which `keep` holds.
  Polynomial filtered(llvm::function_ref<bool(const Product &)> keep) const;
  /// The quotient by one term, where there is no remainder.
  std::optional<Polynomial> dividedBy(const Polynomial &term) const;

  friend Polynomial operator+(const Polynomial &a, const Polynomial &b);
  friend Polynomial operator-(const Polynomial &a, const Polynomial &b);
  friend Polynomial operator*(const Polynomial &a, const Polynomial &b);
  /// What is not exact equals nothing.
  bool operator==(const Polynomial &other) const {
    return exact && other.exact && sum == other.sum;
  }
  bool operator<(const Polynomial &other) const { return sum < other.sum; }

private:
  std::map<Product, int64_t> sum;
  bool exact = true;
};

/// The unknowns of `product` without those of `divisor`, if it has them all.
std::optional<Product> divide(const Product &product, const Product &divisor);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_POLYNOMIAL_H
