//===- LinearForm.cpp - Sums of multiples of program values -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/LinearForm.h"

namespace heddle {

void LinearForm::check(Wide number) {
  if (isExact(number))
    return;
  lost = true;
  terms.clear();
  constant = 0;
}

LinearForm &LinearForm::operator+=(const LinearForm &other) {
  if (lost || other.lost) {
    lost = true;
    terms.clear();
    return *this;
  }
  Terms sum;
  visitTerms(*this, other, [&](Atom atom, Wide mine, Wide its) {
    if (mine + its != 0)
      sum.push_back({atom, mine + its});
  });
  terms = std::move(sum);
  constant += other.constant;
  checkAll();
  return *this;
}

LinearForm &LinearForm::operator*=(Wide factor) {
  if (lost)
    return *this;
  if (factor == 0)
    return *this = LinearForm();
  check(factor);
  if (lost)
    return *this;
  for (auto &[atom, each] : terms)
    each *= factor;
  constant *= factor;
  checkAll();
  return *this;
}

void LinearForm::checkAll() {
  check(constant);
  for (size_t i = 0; i < terms.size() && !lost; ++i)
    check(terms[i].second);
}

Wide LinearForm::factorOf(Atom atom) const {
  for (auto [other, factor] : terms)
    if (other == atom)
      return factor;
  return 0;
}

static Wide greatestCommonDivisor(Wide a, Wide b) {
  while (b) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

Wide LinearForm::commonDivisor() const {
  Wide divisor = constant;
  for (auto [atom, factor] : terms)
    divisor = greatestCommonDivisor(divisor, factor);
  return divisor < 0 ? -divisor : divisor;
}

LinearForm LinearForm::inLowestTerms() const {
  Wide divisor = 0;
  for (auto [atom, factor] : terms)
    divisor = greatestCommonDivisor(divisor, factor);
  if (divisor < 2)
    return *this;
  LinearForm form = *this;
  for (auto &[atom, factor] : form.terms)
    factor /= divisor;
  // A multiple of the divisor is not negative if and only if what it is with
  // the constant rounded down is not.
  form.constant = constant / divisor - (constant % divisor < 0);
  return form;
}

} // namespace heddle
