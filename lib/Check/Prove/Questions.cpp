//===- Questions.cpp - What control flow asks of trip counts ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Questions.h"

namespace heddle::check {

/// Positions and constants stay so far from the end of 64 bits that counting
/// on from them cannot get there.
static constexpr int64_t kFar = int64_t(1) << 60;

static bool isNear(int64_t number) { return number > -kFar && number < kFar; }

int Families::familyOf(Family family) {
  auto [entry, isNew] =
      byKey.try_emplace({family.points, family.step}, int(families.size()));
  if (isNew)
    families.push_back(std::move(family));
  return entry->second;
}

/// Point i exists if i * step < points. A constant multiple of the step in
/// `points` moves into the start.
Trips Families::tripsOf(Linear points, const Linear &step) {
  // max(x, y) + r > i * step with y + r <= 0 and i >= 0 says the same of x + r.
  for (auto [number, factor] : points.terms) {
    const Term &term = terms[number];
    if (factor != 1 || term.kind != Term::Function || term.arith != Arith::Max)
      continue;
    Linear rest = points;
    rest.terms.erase(number);
    for (int i : {0, 1}) {
      auto none = add(term.operands[1 - i], rest),
           inner = add(term.operands[i], rest);
      if (none && inner && none->isConstant() && none->constant <= 0)
        return tripsOf(*inner, step);
    }
  }
  Trips trips;
  if (step.isConstant() && step.constant > 0) {
    int64_t rest = points.constant % step.constant;
    if (rest < 0)
      rest += step.constant;
    // Rounded down, which cannot overflow.
    int64_t whole = points.constant / step.constant -
                    (points.constant % step.constant < 0 ? 1 : 0);
    if (isNear(whole)) {
      trips.start = -whole;
      points.constant = rest;
    }
  } else if (auto term = step.singleTerm()) {
    auto found = points.terms.find(*term);
    if (found != points.terms.end() && isNear(found->second)) {
      trips.start = -found->second;
      points.terms.erase(found);
    }
  }
  Family family;
  family.isPrivate = terms.usesData(points) || terms.usesData(step);
  family.points = points;
  family.step = step;
  if (points.isConstant() && step.isConstant() && step.constant > 0) {
    int64_t count = points.constant / step.constant +
                    (points.constant % step.constant > 0 ? 1 : 0);
    if (isNear(count))
      family.trips = count;
  }
  trips.family = familyOf(std::move(family));
  return trips;
}

int Families::privateFamily(const Linear &data) {
  Family family;
  family.points = data;
  family.step = Linear(1);
  family.isPrivate = true;
  return familyOf(std::move(family));
}

std::optional<Trips> Families::countsPoints(const Linear &number) {
  auto key = number.singleTerm();
  if (!key)
    return std::nullopt;
  const Term &term = terms[*key];
  if (term.kind != Term::Function)
    return std::nullopt;
  if (term.arith == Arith::Max && terms.isNonNegative(number))
    return tripsOf(number, Linear(1)); // ceildiv(points, 1) is points
  // A negative quotient is no trip count, nor is one by a negative number.
  if (term.arith != Arith::CeilDiv || !terms.isNonNegative(term.operands[0]) ||
      !terms.isPositive(term.operands[1]))
    return std::nullopt;
  Linear points = term.operands[0], step = term.operands[1];
  return tripsOf(points, step);
}

std::optional<Comparison> Families::isPositive(const Linear &number,
                                               int preferred) {
  std::optional<Comparison> found;
  if (number.isConstant())
    return found;
  for (size_t i = 0; i < families.size(); ++i) {
    // points - index * step > 0
    auto excess = subtract(families[i].points, number);
    auto index = excess ? quotient(*excess, families[i].step) : std::nullopt;
    if (index && *index >= 0 && isNear(*index))
      if (!found || int(i) == preferred)
        found = Comparison{int(i), *index, true};
  }
  return found;
}

std::optional<Condition> Families::compareTrips(Arith arith, const Linear &left,
                                                const Linear &right) {
  if (!right.isConstant() || !isNear(right.constant))
    return std::nullopt;
  auto trips = countsPoints(left);
  if (!trips)
    return std::nullopt;
  Condition result;
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
    return std::nullopt;
  }
  if (result.constant)
    result.constant = *result.constant != result.isNegated;
  else if (result.all.empty())
    result.constant = !result.isNegated;
  return result;
}

Condition Families::condition(Arith arith, const Linear &left,
                              const Linear &right, int preferred) {
  Condition result;
  Linear holds = terms.apply(arith, 64, 64, "", {left, right});
  if (holds.isConstant()) {
    result.constant = holds.constant != 0;
    return result;
  }
  if (auto trips = compareTrips(arith, left, right))
    return *trips;
  auto positive = terms.positiveIf(arith, left, right);
  auto other = positive ? subtract(Linear(1), *positive) : std::nullopt;
  for (bool isMore : {true, false})
    if (const auto &asked = isMore ? positive : other)
      if (auto comparison = isPositive(*asked, preferred)) {
        result.all.push_back({comparison->family, comparison->index, isMore});
        return result;
      }
  // One of two that are opposites stands for both.
  static const std::map<Arith, Arith> opposites = {
      {Arith::Equal, Arith::NotEqual},    {Arith::Less, Arith::GreaterEqual},
      {Arith::LessEqual, Arith::Greater}, {Arith::NotEqual, Arith::Equal},
      {Arith::GreaterEqual, Arith::Less}, {Arith::Greater, Arith::LessEqual}};
  Linear fails = terms.apply(opposites.at(arith), 64, 64, "", {left, right});
  result.isNegated = fails < holds;
  result.unknown = result.isNegated ? fails : holds;
  result.isPrivate = terms.usesData(holds);
  return result;
}

} // namespace heddle::check
