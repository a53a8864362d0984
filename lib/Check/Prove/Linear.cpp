//===- Linear.cpp - Numbers as sums of terms --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Linear.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace heddle::check {

std::optional<int> Linear::singleTerm() const {
  if (constant != 0 || terms.size() != 1 || terms.begin()->second != 1)
    return std::nullopt;
  return terms.begin()->first;
}

/// into += number * factor, if that has 64 bits.
static bool addMultiple(int64_t &into, int64_t number, int64_t factor) {
  int64_t product = 0;
  return !__builtin_mul_overflow(number, factor, &product) &&
         !__builtin_add_overflow(into, product, &into);
}

std::optional<Linear> add(const Linear &a, const Linear &b, int64_t factor) {
  Linear sum = a;
  if (!addMultiple(sum.constant, b.constant, factor))
    return std::nullopt;
  for (const auto &[term, each] : b.terms) {
    int64_t &into = sum.terms[term];
    if (!addMultiple(into, each, factor))
      return std::nullopt;
    if (into == 0)
      sum.terms.erase(term);
  }
  return sum;
}

std::optional<int64_t> quotient(const Linear &number, const Linear &unit) {
  if (number == Linear())
    return 0;
  int64_t part = number.constant, whole = unit.constant;
  if (!unit.isConstant()) {
    auto found = number.terms.find(unit.terms.begin()->first);
    if (found == number.terms.end())
      return std::nullopt;
    part = found->second;
    whole = unit.terms.begin()->second;
  }
  if (whole == 0 || (whole == -1 && part == INT64_MIN))
    return std::nullopt;
  int64_t count = part / whole;
  return multiply(unit, count) == number ? std::optional(count) : std::nullopt;
}

bool Terms::Order::operator()(const Term &a, const Term &b) const {
  auto key = [](const Term &term) {
    return std::tie(term.kind, term.arith, term.from, term.bits, term.owner,
                    term.depth, term.number, term.operands, term.name,
                    term.range);
  };
  return key(a) < key(b);
}

Linear Terms::intern(Term term) {
  for (const Linear &operand : term.operands)
    term.points.merge(pointsOf(operand));
  auto [entry, isNew] = numbers.try_emplace(term, int(terms.size()));
  if (isNew)
    terms.push_back(std::move(term));
  Linear result;
  result.terms[entry->second] = 1;
  return result;
}

static Range rangeOf(const Definition &definition) {
  Range all = rangeOfBits(definition.bits);
  return {std::max(all.low, definition.low),
          std::min(all.high, definition.high)};
}

Linear Terms::symbol(const Definition &definition) {
  Term term;
  term.number = definition.number;
  term.name = definition.name;
  term.bits = definition.bits;
  term.range = check::rangeOf(definition);
  Linear result = intern(std::move(term));
  bool isId = definition.number == kWorkerId;
  if (!isId && definition.number != kWorkerCount)
    return result;
  (isId ? workerId : workerCount) = result;
  if (workerId && workerCount) {
    auto after = subtract(*workerCount, *workerId);
    learn(after ? subtract(*after, Linear(1)) : std::nullopt, -1);
  }
  return result;
}

void Terms::learn(std::optional<Linear> number, int point) {
  if (!number)
    return;
  Fact fact{*number, point};
  if (!std::count(facts.begin(), facts.end(), fact))
    facts.push_back(fact);
}

Linear Terms::data(int process, int64_t number, Range range) {
  Term term;
  term.kind = Term::Data;
  term.owner = process;
  term.number = number;
  term.range = range;
  term.usesData = true;
  return intern(std::move(term));
}

std::optional<Linear> Terms::point(int depth, const Linear &base,
                                   const Linear &step, const Linear &points,
                                   int64_t least, bool usesData) {
  Term term;
  term.kind = Term::Point;
  term.depth = depth;
  term.operands = {base, step, points};
  term.range.low = least;
  if (auto range = rangeOf(points); range && range->high > INT64_MIN)
    term.range.high = std::max(least, range->high - 1);
  term.usesData = usesData;
  Linear distance = intern(std::move(term));
  auto left = subtract(points, distance);
  learn(left ? subtract(*left, Linear(1)) : std::nullopt,
        *distance.singleTerm());
  return add(base, distance);
}

Linear Terms::element(int process, int64_t load, const Linear &inside,
                      const Linear &each, Range range) {
  Term term;
  term.kind = Term::Element;
  term.owner = process;
  term.number = load;
  term.operands = {inside, each};
  term.range = {std::min<int64_t>(range.low, 0),
                std::max<int64_t>(range.high, 0)};
  term.usesData = usesData(inside);
  return intern(std::move(term));
}

Linear Terms::distance(const Linear &upper, const Linear &lower) {
  if (auto exact = subtract(upper, lower))
    return *exact;
  Term term;
  term.kind = Term::Distance;
  term.operands = {upper, lower};
  term.usesData = usesData(upper) || usesData(lower);
  return intern(std::move(term));
}

bool Terms::usesData(const Linear &number) const {
  return std::any_of(number.terms.begin(), number.terms.end(),
                     [&](auto &term) { return terms[term.first].usesData; });
}

std::optional<Range> Terms::rangeOf(const Linear &number) const {
  // Far beyond 64 bits, and far from 128.
  constexpr __int128 kFar = __int128(1) << 100;
  __int128 low = number.constant, high = number.constant;
  for (const auto &[key, factor] : number.terms) {
    const Term &term = terms[key];
    if (term.kind == Term::Distance)
      return std::nullopt;
    __int128 a = __int128(term.range.low) * factor,
             b = __int128(term.range.high) * factor;
    low += std::min(a, b);
    high += std::max(a, b);
    if (std::min(a, b) < -kFar || std::max(a, b) > kFar || low < -kFar ||
        high > kFar)
      return std::nullopt;
  }
  if (low < INT64_MIN || high > INT64_MAX)
    return std::nullopt;
  return Range{int64_t(low), int64_t(high)};
}

/// Does it hold for each number that one of its terms stands for, if that is
/// the least or greatest of two or a choice?
bool Terms::isNonNegativeByCases(const Linear &number, int depth,
                                 Search &search) const {
  for (const auto &[key, factor] : number.terms) {
    const Term &term = terms[key];
    bool isMin = term.arith == Arith::Min, isMax = term.arith == Arith::Max;
    if (term.kind != Term::Function ||
        !(isMin || isMax || term.arith == Arith::Select))
      continue;
    Linear rest = number;
    rest.terms.erase(key);
    int cases = 0;
    for (size_t i = term.operands.size() - 2; i < term.operands.size(); ++i) {
      auto here = check::add(rest, term.operands[i], factor);
      cases += here && isNonNegative(*here, depth - 1, search);
    }
    // Of a sum with the greatest of two, less the least of two, one will do.
    bool oneWillDo = (isMax && factor > 0) || (isMin && factor < 0);
    if (cases == 2 || (oneWillDo && cases == 1))
      return true;
  }
  return false;
}

bool Terms::isNonNegative(const Linear &number, int depth,
                          Search &search) const {
  auto range = rangeOf(number);
  if (range && range->low >= 0)
    return true;
  if (depth == 0 || number.isConstant() || --search.tries < 0)
    return false;
  for (const auto &[fact, point] : facts) {
    if (point >= 0 && !search.points.count(point))
      continue;
    // It must take a term away to help.
    bool helps = std::any_of(fact.terms.begin(), fact.terms.end(),
                             [&](const auto &term) {
                               auto found = number.terms.find(term.first);
                               return found != number.terms.end() &&
                                      (found->second > 0) == (term.second > 0);
                             });
    if (!helps)
      continue;
    auto rest = subtract(number, fact);
    if (rest && isNonNegative(*rest, depth - 1, search))
      return true;
  }
  return isNonNegativeByCases(number, depth, search);
}

std::set<int> Terms::pointsOf(const Linear &number) const {
  std::set<int> points;
  for (const auto &[key, factor] : number.terms) {
    const Term &term = terms[key];
    points.insert(term.points.begin(), term.points.end());
    if (term.kind == Term::Point)
      points.insert(key);
  }
  return points;
}

bool Terms::isNonNegative(const Linear &number) const {
  Search search{pointsOf(number)};
  return isNonNegative(number, 4, search);
}

Range Terms::operandRange(const Linear &number, bool divides) const {
  Range range = rangeOf(number).value_or(Range());
  if (range.low >= 0 || !isNonNegative(number)) {
    if (!divides || range.low != 0)
      return range;
  }
  range.low = std::max<int64_t>(range.low, 0);
  if (!divides)
    return range;
  // Nothing is divided by 0, so it is at least what divides its parts.
  int64_t unit = number.constant == INT64_MIN ? 1 : number.constant;
  for (const auto &[term, factor] : number.terms)
    unit = std::gcd(unit, factor == INT64_MIN ? 1 : factor);
  range.low = std::max(range.low, std::max<int64_t>(unit, 1));
  range.high = std::max(range.high, range.low);
  return range;
}

bool Terms::isPositive(const Linear &number) const {
  auto range = rangeOf(number);
  return range && range->low >= 1;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool commutes(Arith arith) {
  return arith == Arith::Add || arith == Arith::Mul || arith == Arith::Min ||
         arith == Arith::MinU || arith == Arith::Max || arith == Arith::MaxU ||
         arith == Arith::Xor || arith == Arith::And || arith == Arith::Or ||
         arith == Arith::Equal || arith == Arith::NotEqual;
}

static bool divides(Arith arith) {
  return arith >= Arith::Div && arith <= Arith::FloorDiv;
}

/// The same with a sign, for numbers that are not negative.
static Arith signedOf(Arith arith) {
  switch (arith) {
  case Arith::DivU:
    return Arith::Div;
  case Arith::RemU:
    return Arith::Rem;
  case Arith::CeilDivU:
    return Arith::CeilDiv;
  case Arith::MinU:
    return Arith::Min;
  case Arith::MaxU:
    return Arith::Max;
  case Arith::ShrU:
    return Arith::ShrS;
  case Arith::LessU:
    return Arith::Less;
  case Arith::LessEqualU:
    return Arith::LessEqual;
  case Arith::GreaterU:
    return Arith::Greater;
  case Arith::GreaterEqualU:
    return Arith::GreaterEqual;
  default:
    return arith;
  }
}

/// An operation as a term of its own.
Linear Terms::function(Arith arith, int from, int bits, const std::string &name,
                       std::vector<Linear> of) {
  if (commutes(arith) && of[1] < of[0])
    std::swap(of[0], of[1]);
  Term term;
  term.kind = Term::Function;
  term.arith = arith;
  term.from = from;
  term.bits = bits;
  term.name = name;
  std::vector<Range> ranges;
  for (size_t i = 0; i < of.size(); ++i) {
    term.usesData |= usesData(of[i]);
    ranges.push_back(operandRange(of[i], i == 1 && divides(arith)));
  }
  term.range = check::rangeOf(arith, from, bits, ranges);
  term.operands = std::move(of);
  return intern(std::move(term));
}

std::optional<Linear> Terms::positiveIf(Arith arith, const Linear &left,
                                        const Linear &right) const {
  if (arith < Arith::Less || arith > Arith::GreaterEqual)
    return std::nullopt;
  bool isLess = arith == Arith::Less || arith == Arith::LessEqual;
  auto difference = isLess ? subtract(right, left) : subtract(left, right);
  if (difference && (arith == Arith::LessEqual || arith == Arith::GreaterEqual))
    return add(*difference, Linear(1));
  return difference;
}

/// All comparisons of the same two numbers have one form.
Linear Terms::compare(Arith arith, int from, int bits, const Linear &left,
                      const Linear &right) {
  int64_t yes = wrapTo(bits, 1);
  if (arith == Arith::Equal || arith == Arith::NotEqual) {
    auto difference = subtract(left, right);
    if (!difference)
      return function(arith, from, bits, "", {left, right});
    auto range = rangeOf(*difference);
    if (range && (range->low > 0 || range->high < 0))
      return Linear(arith == Arith::NotEqual ? yes : 0);
    if (*difference == Linear())
      return Linear(arith == Arith::Equal ? yes : 0);
    if (!difference->isConstant() && difference->terms.begin()->second < 0)
      if (auto turned = multiply(*difference, -1))
        difference = turned;
    return function(arith, 64, bits, "", {*difference, Linear()});
  }
  auto positive = positiveIf(arith, left, right);
  if (!positive)
    return function(arith, from, bits, "", {left, right});
  if (auto range = rangeOf(*positive))
    if (range->low > 0 || range->high <= 0)
      return Linear(range->low > 0 ? yes : 0);
  return function(Arith::Greater, 64, bits, "", {*positive, Linear()});
}

/// Where the result is a form of its operands.
std::optional<Linear> Terms::simplify(Arith arith, int from, int bits,
                                      const std::vector<Linear> &of) {
  auto fits = [&](const std::optional<Linear> &number) {
    auto range = number ? rangeOf(*number) : std::nullopt;
    Range all = rangeOfBits(bits);
    return range && range->low >= all.low && range->high <= all.high;
  };
  auto ifFits = [&](std::optional<Linear> number) -> std::optional<Linear> {
    return fits(number) ? number : std::nullopt;
  };
  switch (arith) {
  case Arith::Add:
    return ifFits(add(of[0], of[1]));
  case Arith::Sub:
    return ifFits(subtract(of[0], of[1]));
  case Arith::Mul:
    for (int i : {0, 1})
      if (of[i].isConstant())
        return ifFits(multiply(of[1 - i], of[i].constant));
    return std::nullopt;
  case Arith::Shl:
    if (of[1].isConstant() && of[1].constant >= 0 &&
        of[1].constant < std::min(from, 63))
      return ifFits(multiply(of[0], int64_t(1) << of[1].constant));
    return std::nullopt;
  case Arith::Truncate:
    return ifFits(of[0]);
  case Arith::Widen:
    return isNonNegative(of[0]) ? std::optional(of[0]) : std::nullopt;
  case Arith::Div:
  case Arith::CeilDiv:
  case Arith::FloorDiv:
    if (of[1] == Linear(1))
      return of[0];
    return std::nullopt;
  case Arith::Min:
  case Arith::Max:
    for (int i : {0, 1}) {
      auto above = subtract(of[i], of[1 - i]);
      if (above && isNonNegative(*above))
        return of[arith == Arith::Max ? i : 1 - i];
    }
    return std::nullopt;
  case Arith::Select:
    if (of[0].isConstant())
      return of[0].constant != 0 ? of[1] : of[2];
    return of[1] == of[2] ? std::optional(of[1]) : std::nullopt;
  default:
    return std::nullopt;
  }
}

Arith Terms::withSign(Arith arith, const std::vector<Linear> &of) const {
  bool isPositive = std::all_of(of.begin(), of.end(), [&](const Linear &one) {
    return isNonNegative(one);
  });
  return isPositive ? signedOf(arith) : arith;
}

Linear Terms::apply(Arith arith, int from, int bits, const std::string &name,
                    std::vector<Linear> of) {
  arith = withSign(arith, of);
  if (std::all_of(of.begin(), of.end(),
                  [](const Linear &one) { return one.isConstant(); })) {
    std::vector<int64_t> numbers;
    for (const Linear &one : of)
      numbers.push_back(one.constant);
    if (auto number = evaluate(arith, from, bits, numbers))
      return Linear(*number);
  }
  if (arith >= Arith::Equal && arith <= Arith::GreaterEqual)
    return compare(arith, from, bits, of[0], of[1]);
  if (auto simple = simplify(arith, from, bits, of))
    return *simple;
  return function(arith, from, bits, name, std::move(of));
}

} // namespace heddle::check
