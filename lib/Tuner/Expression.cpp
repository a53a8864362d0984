//===- Expression.cpp - Constraints as terms ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"

#include <algorithm>

using namespace heddle::tuner;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Fraction Domain::valueOf(Word word) const {
  switch (parameter->kind) {
  case Kind::Real:
    return Fraction::inexact(realOf(word));
  case Kind::Integer:
    return Fraction::whole(parameter->first + word);
  default:
    return values[size_t(word)];
  }
}

std::vector<Domain>
heddle::tuner::makeDomains(const std::vector<Parameter> &parameters,
                           Texts &texts) {
  std::vector<Domain> domains;
  for (const Parameter &parameter : parameters) {
    Domain domain;
    domain.parameter = &parameter;
    for (double number : parameter.numbers)
      domain.values.push_back(Fraction::from(number));
    for (const std::string &text : parameter.texts)
      domain.values.push_back(Fraction::whole(texts.number(text)));
    domain.low = parameter.low;
    domain.high = parameter.high;
    if (parameter.kind == Kind::Integer) {
      domain.low = double(parameter.first);
      domain.high = double(parameter.last);
    } else if (!domain.values.empty()) {
      domain.low = kInfinity;
      domain.high = -kInfinity;
      for (const Fraction &value : domain.values) {
        domain.low = std::min(domain.low, value.toDouble());
        domain.high = std::max(domain.high, value.toDouble());
      }
    }
    if (parameter.isConditional()) { // may have no value
      domain.low = -kInfinity;
      domain.high = kInfinity;
    }
    domains.push_back(std::move(domain));
  }
  return domains;
}

std::vector<int> Expression::parameters() const {
  std::vector<int> found;
  for (const Term &term : terms)
    if (term.parameter >= 0)
      found.push_back(term.parameter);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Ends that were computed are a little wrong unless they are small integers;
/// an end that is not a number means that nothing is known.
static Known within(double low, double high) {
  auto isExact = [](double value) {
    return std::fabs(value) < 0x1p53 && value == double(int64_t(value));
  };
  if (std::isnan(low) || std::isnan(high))
    return {false, {}, -kInfinity, kInfinity};
  if (!isExact(low))
    low -= std::fabs(low) * 1e-12 + 1e-300;
  if (!isExact(high))
    high += std::fabs(high) * 1e-12 + 1e-300;
  return {false, {}, low, high};
}

static Known decided(Fraction value) {
  double number = value.toDouble();
  if (value.bottom == 1 && std::fabs(number) < 0x1p53)
    return {true, value, number, number};
  Known known = within(number, number);
  known.isDecided = true;
  known.value = value;
  return known;
}

static Known decided(bool holds) {
  return {true, Fraction::whole(holds), double(holds), double(holds)};
}

static Known unknown() { return {false, {}, -kInfinity, kInfinity}; }

/// What an undecided permutation can still have: an item that is not placed
/// will be behind those that are, and the items left are known.
static Known placeRange(const Term &term, const Parameter &parameter, Word word,
                        int placed) {
  if (parameter.isConditional())
    return unknown();
  if (term.operation == Operation::Position)
    return within(placed, parameter.items - 1);
  int least = parameter.items, greatest = -1;
  for (int item = 0; item < parameter.items; ++item)
    if (positionOf(word, item, placed) < 0) {
      least = std::min(least, item);
      greatest = item;
    }
  return within(least, greatest);
}

static Known leaf(const Term &term, const std::vector<Domain> &domains,
                  const Partial &partial) {
  if (term.operation == Operation::Number)
    return decided(term.number);
  const Domain &domain = domains[size_t(term.parameter)];
  const Parameter &parameter = *domain.parameter;
  Word word = partial.words[size_t(term.parameter)];
  int known = partial.known[size_t(term.parameter)];
  bool isWhole = known >= std::max(1, parameter.items);
  bool isPermutation = parameter.kind == Kind::Permutation;
  if (known > 0 && word == kInactive)
    return term.operation == Operation::IsActive
               ? decided(false)
               : decided(Fraction::undefined());
  if (term.operation == Operation::IsActive)
    return known > 0 || !parameter.isConditional() ? decided(true)
                                                   : within(0, 1);
  if (!isPermutation)
    return isWhole ? decided(domain.valueOf(word))
                   : within(domain.low, domain.high);
  if (term.operation == Operation::Item && term.place < known)
    return decided(Fraction::whole(itemAt(word, term.place)));
  if (term.operation == Operation::Position)
    if (int position = positionOf(word, term.place, known); position >= 0)
      return decided(Fraction::whole(position));
  return placeRange(term, parameter, word, known);
}

static Fraction apply(Operation operation, const Fraction &a) {
  double value = a.toDouble();
  switch (operation) {
  case Operation::Negative:
    return -a;
  case Operation::Absolute:
    return value < 0 ? -a : a;
  case Operation::Floor:
  case Operation::Ceiling: {
    if (!a.isExact())
      return Fraction::from(operation == Operation::Floor ? std::floor(value)
                                                          : std::ceil(value));
    int64_t quotient = a.top / a.bottom, rest = a.top % a.bottom;
    if (operation == Operation::Floor)
      return Fraction::whole(quotient - (rest < 0));
    return Fraction::whole(quotient + (rest > 0));
  }
  case Operation::SquareRoot:
    return value < 0 ? Fraction::undefined() : Fraction::from(std::sqrt(value));
  case Operation::Logarithm:
    return value <= 0 ? Fraction::undefined()
                      : Fraction::inexact(std::log(value));
  case Operation::BinaryLogarithm:
    return value <= 0 ? Fraction::undefined()
                      : Fraction::from(std::log2(value));
  default:
    llvm_unreachable("no operation of one number");
  }
}

static Fraction raise(const Fraction &base, const Fraction &exponent) {
  if (exponent.bottom == 1 && exponent.top >= 0 && exponent.top <= 64) {
    Fraction power = Fraction::whole(1);
    for (int64_t k = 0; k < exponent.top; ++k)
      power = power * base;
    return power;
  }
  return Fraction::from(std::pow(base.toDouble(), exponent.toDouble()));
}

static bool compares(Operation operation, const Fraction &a,
                     const Fraction &b) {
  if (a.isUndefined() || b.isUndefined())
    return false;
  int sign = compare(a, b);
  switch (operation) {
  case Operation::Less:
    return sign < 0;
  case Operation::LessOrEqual:
    return sign <= 0;
  case Operation::Equal:
    return sign == 0;
  case Operation::Unequal:
    return sign != 0;
  default:
    llvm_unreachable("no comparison");
  }
}

/// A comparison whose sides are not both decided. Infinite ends stand for what
/// may be undefined, and decide nothing.
static Known compareRanges(Operation operation, const Known &a,
                           const Known &b) {
  auto isBounded = [](const Known &known) {
    return std::isfinite(known.low) && std::isfinite(known.high);
  };
  if ((a.isDecided && a.value.isUndefined()) ||
      (b.isDecided && b.value.isUndefined()))
    return decided(false);
  if (!isBounded(a) || !isBounded(b))
    return within(0, 1);
  bool isBelow = a.high<b.low, isAbove = a.low> b.high;
  switch (operation) {
  case Operation::Less:
    if (isBelow)
      return decided(true);
    return a.low >= b.high ? decided(false) : within(0, 1);
  case Operation::LessOrEqual:
    if (a.high <= b.low)
      return decided(true);
    return isAbove ? decided(false) : within(0, 1);
  case Operation::Equal:
    return isBelow || isAbove ? decided(false) : within(0, 1);
  case Operation::Unequal:
    return isBelow || isAbove ? decided(true) : within(0, 1);
  default:
    llvm_unreachable("no comparison");
  }
}

/// Ends of a product or quotient, from those of its sides.
template <typename Combine>
static Known combineEnds(const Known &a, const Known &b, Combine combine) {
  double ends[] = {combine(a.low, b.low), combine(a.low, b.high),
                   combine(a.high, b.low), combine(a.high, b.high)};
  for (double end : ends)
    if (std::isnan(end))
      return unknown();
  return within(*std::min_element(ends, ends + 4),
                *std::max_element(ends, ends + 4));
}

/// The range of an operation of numbers, not all of which are decided.
static Known rangeOf(const Term &term, const std::vector<Known> &known) {
  auto operand = [&](size_t index) -> const Known & {
    return known[size_t(term.operands[index])];
  };
  const Known &a = operand(0);
  switch (term.operation) {
  case Operation::Sum:
  case Operation::Product:
  case Operation::Least:
  case Operation::Greatest: {
    Known all = a;
    for (size_t k = 1; k < term.operands.size(); ++k) {
      const Known &next = operand(k);
      if (term.operation == Operation::Sum)
        all = within(all.low + next.low, all.high + next.high);
      else if (term.operation == Operation::Product)
        all = combineEnds(all, next, [](double x, double y) { return x * y; });
      else if (!std::isfinite(all.low) || !std::isfinite(all.high) ||
               !std::isfinite(next.low) || !std::isfinite(next.high))
        all = unknown();
      else if (term.operation == Operation::Least)
        all =
            within(std::min(all.low, next.low), std::min(all.high, next.high));
      else
        all =
            within(std::max(all.low, next.low), std::max(all.high, next.high));
    }
    all.isDecided = false;
    return all;
  }
  case Operation::Negative:
    return within(-a.high, -a.low);
  case Operation::Absolute:
    if (a.low >= 0)
      return within(a.low, a.high);
    return within(a.high <= 0 ? -a.high : 0,
                  std::max(std::fabs(a.low), std::fabs(a.high)));
  case Operation::Floor:
    return within(std::floor(a.low), std::floor(a.high));
  case Operation::Ceiling:
    return within(std::ceil(a.low), std::ceil(a.high));
  case Operation::SquareRoot:
    return a.low < 0 ? unknown() : within(std::sqrt(a.low), std::sqrt(a.high));
  case Operation::Quotient:
    if (operand(1).low <= 0 && operand(1).high >= 0)
      return unknown();
    return combineEnds(a, operand(1), [](double x, double y) { return x / y; });
  case Operation::Remainder:
    if (a.low >= 0 && operand(1).low > 0)
      return within(0, std::min(a.high, operand(1).high));
    return unknown();
  default:
    return unknown();
  }
}

static Known connect(const Term &term, const std::vector<Known> &known) {
  bool isAnd = term.operation == Operation::And;
  bool isOpen = false;
  for (int operand : term.operands) {
    const Known &part = known[size_t(operand)];
    if (!part.isDecided)
      isOpen = true;
    else if ((part.value.top != 0) != isAnd)
      return decided(!isAnd);
  }
  return isOpen ? within(0, 1) : decided(isAnd);
}

static Known combineDecided(const Term &term, const std::vector<Known> &known) {
  auto value = [&](size_t index) -> const Fraction & {
    return known[size_t(term.operands[index])].value;
  };
  Fraction all = value(0);
  for (size_t k = 0; k < term.operands.size(); ++k)
    if (value(k).isUndefined())
      return decided(Fraction::undefined());
  switch (term.operation) {
  case Operation::Sum:
    for (size_t k = 1; k < term.operands.size(); ++k)
      all = all + value(k);
    return decided(all);
  case Operation::Product:
    for (size_t k = 1; k < term.operands.size(); ++k)
      all = all * value(k);
    return decided(all);
  case Operation::Least:
  case Operation::Greatest:
    for (size_t k = 1; k < term.operands.size(); ++k)
      if ((compare(value(k), all) < 0) == (term.operation == Operation::Least))
        all = value(k);
    return decided(all);
  case Operation::Quotient:
    return decided(value(0) / value(1));
  case Operation::Remainder:
    return decided(value(0) % value(1));
  case Operation::Power:
    return decided(raise(value(0), value(1)));
  default:
    return decided(apply(term.operation, value(0)));
  }
}

static Known evaluateTerm(const Term &term, const std::vector<Known> &known) {
  auto operand = [&](size_t index) -> const Known & {
    return known[size_t(term.operands[index])];
  };
  bool allDecided = true;
  for (int index : term.operands)
    allDecided &= known[size_t(index)].isDecided;
  switch (term.operation) {
  case Operation::And:
  case Operation::Or:
    return connect(term, known);
  case Operation::Not:
    return allDecided ? decided(operand(0).value.top == 0) : within(0, 1);
  case Operation::Less:
  case Operation::LessOrEqual:
  case Operation::Equal:
  case Operation::Unequal:
    if (allDecided)
      return decided(
          compares(term.operation, operand(0).value, operand(1).value));
    return compareRanges(term.operation, operand(0), operand(1));
  case Operation::Choice:
    if (operand(0).isDecided)
      return operand(0).value.top != 0 ? operand(1) : operand(2);
    return unknown();
  default:
    return allDecided ? combineDecided(term, known) : rangeOf(term, known);
  }
}

std::vector<int> Expression::dependents(int parameter) const {
  std::vector<bool> depends(terms.size());
  std::vector<int> found;
  for (size_t k = 0; k < terms.size(); ++k) {
    depends[k] = terms[k].parameter == parameter;
    for (int operand : terms[k].operands)
      depends[k] = depends[k] || depends[size_t(operand)];
    if (depends[k])
      found.push_back(int(k));
  }
  return found;
}

void Expression::evaluate(const std::vector<Domain> &domains,
                          const Partial &partial, llvm::ArrayRef<int> changed,
                          std::vector<Known> &known) const {
  for (int k : changed)
    known[size_t(k)] = terms[size_t(k)].operands.empty()
                           ? leaf(terms[size_t(k)], domains, partial)
                           : evaluateTerm(terms[size_t(k)], known);
}

void Expression::evaluate(const std::vector<Domain> &domains,
                          const Partial &partial,
                          std::vector<Known> &known) const {
  known.resize(terms.size());
  for (size_t k = 0; k < terms.size(); ++k)
    known[k] = terms[k].operands.empty() ? leaf(terms[k], domains, partial)
                                         : evaluateTerm(terms[k], known);
}

bool Expression::holds(const std::vector<Domain> &domains,
                       const Partial &complete,
                       std::vector<Known> &scratch) const {
  evaluate(domains, complete, scratch);
  assert(scratch.back().isDecided && "a complete point decides a condition");
  return scratch.back().value.top != 0;
}

//===----------------------------------------------------------------------===//
// Conditional parameters
//===----------------------------------------------------------------------===//

static int addActivity(Expression &expression, int parameter) {
  Term term{Operation::IsActive, Type::Condition};
  term.parameter = parameter;
  expression.terms.push_back(term);
  return int(expression.terms.size()) - 1;
}

void heddle::tuner::guardActivity(const std::vector<Parameter> &parameters,
                                  bool otherwise, Expression &expression) {
  Term guarded{otherwise ? Operation::Or : Operation::And, Type::Condition};
  guarded.operands.push_back(int(expression.terms.size()) - 1);
  for (int parameter : expression.parameters()) {
    if (!parameters[size_t(parameter)].isConditional())
      continue;
    int guard = addActivity(expression, parameter);
    if (otherwise) {
      Term inactive{Operation::Not, Type::Condition};
      inactive.operands.push_back(guard);
      expression.terms.push_back(inactive);
      guard = int(expression.terms.size()) - 1;
    }
    guarded.operands.push_back(guard);
  }
  if (guarded.operands.size() > 1)
    expression.terms.push_back(guarded);
}

void heddle::tuner::bindActivity(int parameter, Expression &expression) {
  Term equal{Operation::Equal, Type::Condition};
  equal.operands.push_back(int(expression.terms.size()) - 1);
  equal.operands.push_back(addActivity(expression, parameter));
  expression.terms.push_back(equal);
}
