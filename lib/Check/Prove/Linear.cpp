//===- Linear.cpp - Numbers as sums of named terms --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Linear.h"

#include <algorithm>

namespace heddle::check {

std::optional<std::string> Linear::singleTerm() const {
  if (constant != 0 || terms.size() != 1 || terms.begin()->second != 1)
    return std::nullopt;
  return terms.begin()->first;
}

std::string Linear::text() const {
  std::string result;
  for (const auto &[term, factor] : terms) {
    if (!result.empty())
      result += " + ";
    result += factor == 1 ? term : std::to_string(factor) + " " + term;
  }
  if (result.empty() || constant != 0)
    result += (result.empty() ? "" : " + ") + std::to_string(constant);
  return result;
}

Linear operator+(const Linear &a, const Linear &b) {
  Linear sum = a;
  sum.constant += b.constant;
  for (const auto &[term, factor] : b.terms)
    if ((sum.terms[term] += factor) == 0)
      sum.terms.erase(term);
  return sum;
}

Linear operator*(const Linear &a, int64_t factor) {
  Linear product;
  product.constant = a.constant * factor;
  if (factor != 0)
    for (const auto &[term, each] : a.terms)
      product.terms[term] = each * factor;
  return product;
}

const char *nameOf(Arith arith) {
  static const char *const names[] = {
      "add", "sub", "mul", "div", "rem",    "ceildiv", "min",
      "max", "xor", "and", "or",  "select", "equal",   "notequal",
      "lt",  "le",  "gt",  "ge",  "other"};
  return names[int(arith)];
}

std::optional<int64_t> evaluate(Arith arith, const std::vector<int64_t> &of) {
  if (of.size() < 2)
    return std::nullopt;
  int64_t a = of[0], b = of[1];
  switch (arith) {
  case Arith::Add:
    return a + b;
  case Arith::Sub:
    return a - b;
  case Arith::Mul:
    return a * b;
  case Arith::Div:
    return b == 0 ? std::nullopt : std::optional(a / b);
  case Arith::Rem:
    return b == 0 ? std::nullopt : std::optional(a % b);
  case Arith::CeilDiv:
    if (b <= 0)
      return std::nullopt;
    return a > 0 ? (a - 1) / b + 1 : a / b;
  case Arith::Min:
    return std::min(a, b);
  case Arith::Max:
    return std::max(a, b);
  case Arith::Xor:
    return a ^ b;
  case Arith::And:
    return a & b;
  case Arith::Or:
    return a | b;
  case Arith::Select:
    return of.size() < 3 ? std::nullopt : std::optional(a != 0 ? of[1] : of[2]);
  case Arith::Equal:
    return a == b;
  case Arith::NotEqual:
    return a != b;
  case Arith::Less:
    return a < b;
  case Arith::LessEqual:
    return a <= b;
  case Arith::Greater:
    return a > b;
  case Arith::GreaterEqual:
    return a >= b;
  case Arith::Other:
    return std::nullopt;
  }
  return std::nullopt;
}

Linear Terms::intern(std::string key, Term term) {
  Linear result;
  result.terms[key] = 1;
  terms.try_emplace(std::move(key), std::move(term));
  return result;
}

Linear Terms::symbol(const std::string &name, bool usesData) {
  return intern(name, {Arith::Other, {}, name, usesData});
}

Linear Terms::point(const std::string &family, int depth, const Linear &base,
                    const Linear &step, bool usesData) {
  std::string name = "point " + std::to_string(depth) + "(" + base.text() +
                     "; " + family + ")";
  return intern(name, {Arith::Other, {base, step}, name, usesData, depth});
}

Linear Terms::element(const std::string &load, const Linear &inside,
                      const Linear &each) {
  bool data = usesData(inside);
  return intern(load, {Arith::Select, {inside, each, Linear()}, load, data});
}

bool Terms::usesData(const Linear &number) const {
  return std::any_of(number.terms.begin(), number.terms.end(),
                     [&](auto &term) { return terms.at(term.first).usesData; });
}

bool Terms::isNonNegative(const Linear &number) const {
  if (number.constant < 0)
    return false;
  for (const auto &[key, factor] : number.terms) {
    const Term &term = terms.at(key);
    auto operand = [&](size_t i) { return isNonNegative(term.operands[i]); };
    bool known = false;
    if (term.arith == Arith::Max)
      known = operand(0) || operand(1);
    else if (term.arith == Arith::Min || term.arith == Arith::Mul)
      known = operand(0) && operand(1);
    else if (term.arith == Arith::CeilDiv || term.arith == Arith::Div)
      known = operand(0) && term.operands[1].isConstant() &&
              term.operands[1].constant > 0;
    if (!known || factor < 0)
      return false;
  }
  return true;
}

Linear Terms::apply(Arith arith, const std::string &name,
                    std::vector<Linear> of) {
  if (arith == Arith::Add)
    return of[0] + of[1];
  if (arith == Arith::Sub)
    return of[0] - of[1];
  if (arith == Arith::Mul)
    for (int i : {0, 1})
      if (of[i].isConstant())
        return of[1 - i] * of[i].constant;
  if (std::all_of(of.begin(), of.end(),
                  [](const Linear &one) { return one.isConstant(); })) {
    std::vector<int64_t> numbers;
    for (const Linear &one : of)
      numbers.push_back(one.constant);
    if (auto number = evaluate(arith, numbers)) {
      Linear result;
      result.constant = *number;
      return result;
    }
  }
  if (arith == Arith::Max)
    for (int i : {0, 1})
      if (of[1 - i] == Linear() && isNonNegative(of[i]))
        return of[i];
  if ((arith == Arith::Div || arith == Arith::CeilDiv) && of[1].isConstant() &&
      of[1].constant == 1)
    return of[0];
  bool commutes = arith == Arith::Mul || arith == Arith::Min ||
                  arith == Arith::Max || arith == Arith::Xor ||
                  arith == Arith::And || arith == Arith::Or;
  if (commutes && of[1].text() < of[0].text())
    std::swap(of[0], of[1]);
  std::string key = (name.empty() ? nameOf(arith) : name) + std::string("(");
  bool data = false;
  for (const Linear &one : of) {
    key += (&one == &of[0] ? "" : ", ") + one.text();
    data |= usesData(one);
  }
  return intern(key + ")", {arith, std::move(of), name, data});
}

} // namespace heddle::check
