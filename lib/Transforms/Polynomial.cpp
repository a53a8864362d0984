//===- Polynomial.cpp - Sums of products of unknowns -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Polynomial.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace heddle;

/// Addresses have a few of each; squares of squares have them without end.
static constexpr size_t kMostTerms = 1024, kMostFactors = 32;

Polynomial Polynomial::constant(int64_t value) {
  Polynomial result;
  result.add({}, value);
  return result;
}

Polynomial Polynomial::unknown(unsigned number) {
  Polynomial result;
  result.add({number}, 1);
  return result;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (!exact || sum.size() > 1 ||
      (sum.size() == 1 && !sum.begin()->first.empty()))
    return std::nullopt;
  return sum.empty() ? 0 : sum.begin()->second;
}

void Polynomial::add(const Product &product, int64_t coefficient) {
  int64_t &all = sum[product];
  exact &= !llvm::AddOverflow(all, coefficient, all);
  if (all == 0)
    sum.erase(product);
}

Polynomial
Polynomial::filtered(llvm::function_ref<bool(const Product &)> keep) const {
  Polynomial result;
  result.exact = exact;
  for (const auto &[product, coefficient] : sum)
    if (keep(product))
      result.add(product, coefficient);
  return result;
}

std::optional<Product> heddle::divide(const Product &product,
                                      const Product &divisor) {
  if (!std::includes(product.begin(), product.end(), divisor.begin(),
                     divisor.end()))
    return std::nullopt;
  Product rest;
  std::set_difference(product.begin(), product.end(), divisor.begin(),
                      divisor.end(), std::back_inserter(rest));
  return rest;
}

std::optional<Polynomial> Polynomial::dividedBy(const Polynomial &term) const {
  if (!exact || !term.exact || term.sum.size() != 1)
    return std::nullopt;
  const auto &[divisor, factor] = *term.sum.begin();
  Polynomial result;
  for (const auto &[product, coefficient] : sum) {
    std::optional<Product> rest = divide(product, divisor);
    if (!rest || factor == -1 || coefficient % factor)
      return std::nullopt;
    result.add(*rest, coefficient / factor);
  }
  return result;
}

namespace heddle {

Polynomial operator+(const Polynomial &a, const Polynomial &b) {
  Polynomial result = a;
  result.exact &= b.exact;
  for (const auto &[product, coefficient] : b.sum)
    result.add(product, coefficient);
  return result;
}

Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial result;
  result.exact =
      a.exact && b.exact && a.sum.size() * b.sum.size() <= kMostTerms;
  if (!result.exact)
    return result;
  for (const auto &[left, leftFactor] : a.sum)
    for (const auto &[right, rightFactor] : b.sum) {
      if (left.size() + right.size() > kMostFactors) {
        result.exact = false;
        return result;
      }
      Product product;
      std::merge(left.begin(), left.end(), right.begin(), right.end(),
                 std::back_inserter(product));
      int64_t factor = 0;
      result.exact &= !llvm::MulOverflow(leftFactor, rightFactor, factor);
      result.add(product, factor);
    }
  return result;
}

Polynomial operator-(const Polynomial &a, const Polynomial &b) {
  return a + Polynomial::constant(-1) * b;
}

} // namespace heddle
