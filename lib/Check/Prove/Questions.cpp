//===- Questions.cpp - What control flow asks of trip counts ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Questions.h"

namespace heddle::check {

static int64_t floorMod(int64_t a, int64_t b) { return (a % b + b) % b; }

/// Point i exists if i * step < points. A constant multiple of the step in
/// `points` moves into the start.
Trips Families::tripsOf(Linear points, const Linear &step) {
  // max(x, 0) - c > i * step with c, i >= 0 says the same of x.
  if (points.terms.size() == 1 && points.constant <= 0 &&
      points.terms.begin()->second == 1) {
    const Term &term = terms[points.terms.begin()->first];
    if (term.arith == Arith::Max)
      for (int i : {0, 1})
        if (term.operands[1 - i] == Linear()) {
          Linear inner = term.operands[i];
          inner.constant += points.constant;
          return tripsOf(inner, step);
        }
  }
  Trips trips;
  if (step.isConstant() && step.constant > 0) {
    int64_t rest = floorMod(points.constant, step.constant);
    trips.start = (rest - points.constant) / step.constant;
    points.constant = rest;
  } else if (auto term = step.singleTerm()) {
    if (auto found = points.terms.find(*term); found != points.terms.end()) {
      trips.start = -found->second;
      points.terms.erase(found);
    }
  }
  Family family;
  family.key = points.text() + " by " + step.text();
  family.isPrivate = terms.usesData(points) || terms.usesData(step);
  family.points = points;
  family.step = step;
  if (points.isConstant() && step.isConstant() && step.constant > 0)
    family.trips = points.constant > 0 ? 1 : 0; // the rest of a division
  auto [entry, isNew] = byKey.try_emplace(family.key, int(families.size()));
  if (isNew)
    families.push_back(std::move(family));
  trips.family = entry->second;
  return trips;
}

int Families::privateFamily(const std::string &key) {
  auto [entry, isNew] = byKey.try_emplace(key, int(families.size()));
  if (isNew) {
    Family family;
    family.key = key;
    family.isPrivate = true;
    families.push_back(std::move(family));
  }
  return entry->second;
}

std::optional<Trips> Families::countsPoints(const Linear &number) {
  auto key = number.singleTerm();
  if (!key)
    return std::nullopt;
  const Term &term = terms[*key];
  if (term.arith == Arith::Max && terms.isNonNegative(number)) {
    Linear one; // ceildiv(points, 1) is points
    one.constant = 1;
    return tripsOf(number, one);
  }
  if (term.arith != Arith::CeilDiv)
    return std::nullopt;
  Linear points = term.operands[0];
  if (!terms.isNonNegative(points))
    return std::nullopt; // a negative quotient is no trip count
  return tripsOf(points, term.operands[1]);
}

std::optional<Comparison> Families::isPositive(const Linear &number) {
  for (size_t i = 0; i < families.size(); ++i) {
    const Family &family = families[i];
    if (!family.step.isConstant() || family.step.constant <= 0 ||
        family.points.terms != number.terms || number.isConstant())
      continue;
    // points + (number - points) > 0
    int64_t excess = family.points.constant - number.constant;
    if (excess >= 0 && excess % family.step.constant == 0)
      return Comparison{int(i), excess / family.step.constant, true};
  }
  return std::nullopt;
}

Condition Families::condition(Arith arith, const Linear &left,
                              const Linear &right) {
  Condition result;
  Linear difference = left - right;
  if (difference.isConstant()) {
    result.constant = evaluate(arith, {difference.constant, 0}).value_or(0);
    return result;
  }
  auto trips = countsPoints(left);
  if (trips && right.isConstant()) {
    int64_t number = right.constant;
    auto more = [&](int64_t than, bool isMore) {
      if (than < 0) { // a count is more than a negative number
        if (!isMore)
          result.constant = false;
        return;
      }
      result.all.push_back({trips->family, trips->start + than, isMore});
    };
    switch (arith) {
    case Arith::GreaterEqual:
      more(number - 1, true);
      break;
    case Arith::Greater:
      more(number, true);
      break;
    case Arith::Less:
      more(number - 1, false);
      break;
    case Arith::LessEqual:
      more(number, false);
      break;
    case Arith::NotEqual:
    case Arith::Equal:
      result.isNegated = arith == Arith::NotEqual;
      more(number - 1, true);
      more(number, false);
      break;
    default:
      break;
    }
    if (result.constant)
      result.constant = *result.constant != result.isNegated;
    else if (result.all.empty())
      result.constant = !result.isNegated;
    return result;
  }
  // a < b is b - a > 0, and so on, for numbers that are whole.
  Linear one;
  one.constant = 1;
  auto ask = [&](const Linear &positive, bool isMore) {
    auto comparison = isPositive(positive);
    if (comparison)
      result.all.push_back({comparison->family, comparison->index, isMore});
    return bool(comparison);
  };
  if ((arith == Arith::Less && ask(right - left, true)) ||
      (arith == Arith::Greater && ask(left - right, true)) ||
      (arith == Arith::LessEqual && ask(left - right, false)) ||
      (arith == Arith::GreaterEqual && ask(right - left, false)))
    return result;
  result.unknown = std::string(nameOf(arith)) + " " + difference.text();
  result.isPrivate = terms.usesData(difference);
  return result;
}

} // namespace heddle::check
