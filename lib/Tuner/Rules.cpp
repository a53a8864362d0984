//===- Rules.cpp - What invalid points have in common ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition is one atom or two: a number, or a product of two or three, at
// least or at most some value; a text or an inactive parameter. Limits of
// machines are of this form: registers and bytes are products of extents. The
// value is that of a covered point, so that a rule says nothing about what lies
// between the invalid points and the valid ones.
//
//===----------------------------------------------------------------------===//

#include "heddle/Tuner/Rules.h"

#include "Expression.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <map>

using namespace heddle;
using namespace heddle::tuner;
using llvm::ArrayRef;

static constexpr int kMostRules = 4;
/// How likely chance may make any of the conditions that are tried.
static constexpr double kChance = 0.05;
static constexpr size_t kMostAtoms = 4000;
/// Conditions of two atoms are made of so many that cover the most.
static constexpr size_t kMostPaired = 60;

namespace {

/// Which of the points a condition holds for, and its text.
struct Condition {
  std::string text;
  int parts = 0; ///< parameters that it names; fewer say more
  std::vector<bool> invalid, valid;

  int coverage(const std::vector<bool> &wanted) const {
    int count = 0;
    for (size_t k = 0; k < invalid.size(); ++k)
      count += invalid[k] && wanted[k];
    return count;
  }
  bool isPure() const { return !llvm::is_contained(valid, true); }
};

std::optional<double> numberOf(const Parameter &parameter, Word word) {
  if (word == kInactive)
    return std::nullopt;
  if (parameter.kind == Kind::Integer)
    return double(parameter.first + word);
  if (parameter.kind == Kind::Ordinal)
    return parameter.numbers[size_t(word)];
  return std::nullopt;
}

std::string spellNumber(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15)
    return std::to_string(int64_t(value));
  Parameter real;
  real.kind = Kind::Real;
  return spell(real, packReal(value));
}

/// Finds the conditions that cover points of one reason.
class RuleFinder {
public:
  RuleFinder(const Space &space, std::vector<const Point *> invalid,
             std::vector<const Point *> valid)
      : parameters(space.parameters()), invalid(std::move(invalid)),
        valid(std::move(valid)) {}

  std::vector<std::pair<Condition, int>> run() {
    makeAtoms();
    std::vector<bool> left(invalid.size(), true);
    std::vector<std::pair<Condition, int>> found;
    while (int(found.size()) < kMostRules) {
      const Condition *best = nullptr;
      int most = 0;
      bool isPair = false;
      consider(atoms, left, best, most);
      if (!best || !isBeyondChance(most, atoms.size())) {
        best = nullptr;
        most = 0;
        makePairs(left);
        consider(pairs, left, best, most);
        isPair = true;
      }
      size_t tried = isPair ? atoms.size() * atoms.size() : atoms.size();
      if (!best || !isBeyondChance(most, tried))
        break;
      found.push_back(
          {*best, best->coverage(std::vector<bool>(invalid.size(), true))});
      for (size_t k = 0; k < left.size(); ++k)
        left[k] = left[k] && !best->invalid[k];
    }
    return found;
  }

private:
  /// With conditions that have nothing to do with it, `covered` points would
  /// all be invalid in one case of many.
  bool isBeyondChance(int covered, size_t tried) const {
    double share =
        double(invalid.size() + 1) / double(invalid.size() + valid.size() + 2);
    return covered >= 3 &&
           double(covered) * std::log(share) + std::log(double(tried)) <
               std::log(kChance);
  }

  static void consider(const std::vector<Condition> &conditions,
                       const std::vector<bool> &left, const Condition *&best,
                       int &most) {
    for (const Condition &condition : conditions) {
      if (!condition.isPure())
        continue;
      int covered = condition.coverage(left);
      if (covered > most ||
          (covered == most && best && condition.parts < best->parts)) {
        best = &condition;
        most = covered;
      }
    }
  }

  void makeAtoms() {
    std::vector<size_t> numbers;
    for (size_t k = 0; k < parameters.size(); ++k) {
      const Parameter &parameter = parameters[k];
      if (parameter.kind == Kind::Integer || parameter.kind == Kind::Ordinal)
        numbers.push_back(k);
      if (parameter.kind == Kind::Categorical)
        for (size_t text = 0; text < parameter.texts.size(); ++text)
          addAtom(parameter.name + " == '" + parameter.texts[text] + "'", 1,
                  [&, k, text](const Point &point) {
                    return point[k] == Word(text);
                  });
    }
    for (size_t a = 0; a < numbers.size(); ++a) {
      addLimits({numbers[a]});
      for (size_t b = a + 1; b < numbers.size(); ++b) {
        addLimits({numbers[a], numbers[b]});
        for (size_t c = b + 1; c < numbers.size(); ++c)
          addLimits({numbers[a], numbers[b], numbers[c]});
      }
    }
  }

  /// The product of some parameters, at least or at most what points have.
  void addLimits(const std::vector<size_t> &factors) {
    auto product = [&](const Point &point) -> std::optional<double> {
      double value = 1;
      for (size_t k : factors) {
        std::optional<double> number = numberOf(parameters[k], point[k]);
        if (!number)
          return std::nullopt;
        value *= *number;
      }
      return value;
    };
    std::string text;
    for (size_t k : factors)
      text += (text.empty() ? "" : " * ") + parameters[k].name;
    std::map<double, int> values;
    for (const Point *point : invalid)
      if (std::optional<double> value = product(*point))
        ++values[*value];
    for (const auto &[limit, count] : values) {
      addAtom(text + " >= " + spellNumber(limit), int(factors.size()),
              [&, limit = limit](const Point &point) {
                std::optional<double> value = product(point);
                return value && *value >= limit;
              });
      addAtom(text + " <= " + spellNumber(limit), int(factors.size()),
              [&, limit = limit](const Point &point) {
                std::optional<double> value = product(point);
                return value && *value <= limit;
              });
    }
  }

  template <typename Predicate>
  void addAtom(std::string text, int parts, Predicate matches) {
    if (atoms.size() >= kMostAtoms)
      return;
    Condition made{std::move(text), parts, {}, {}};
    for (const Point *point : invalid)
      made.invalid.push_back(matches(*point));
    for (const Point *point : valid)
      made.valid.push_back(matches(*point));
    atoms.push_back(std::move(made));
  }

  /// Of the atoms that cover the most of what is left.
  void makePairs(const std::vector<bool> &left) {
    std::vector<std::pair<int, size_t>> order;
    for (size_t k = 0; k < atoms.size(); ++k)
      order.push_back({-atoms[k].coverage(left), k});
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), kMostPaired));
    pairs.clear();
    for (size_t a = 0; a < order.size(); ++a)
      for (size_t b = a + 1; b < order.size(); ++b) {
        const Condition &one = atoms[order[a].second],
                        &other = atoms[order[b].second];
        Condition made{
            one.text + " and " + other.text, one.parts + other.parts, {}, {}};
        for (size_t k = 0; k < invalid.size(); ++k)
          made.invalid.push_back(one.invalid[k] && other.invalid[k]);
        for (size_t k = 0; k < valid.size(); ++k)
          made.valid.push_back(one.valid[k] && other.valid[k]);
        pairs.push_back(std::move(made));
      }
  }

  const std::vector<Parameter> &parameters;
  std::vector<const Point *> invalid, valid;
  std::vector<Condition> atoms, pairs;
};

} // namespace

std::vector<Rule> heddle::tuner::findRules(const Space &space,
                                           ArrayRef<Told> told) {
  std::map<std::string, std::vector<const Point *>> byReason;
  std::vector<const Point *> valid;
  for (const Told &one : told)
    if (one.outcome.isValid)
      valid.push_back(&one.point);
    else
      byReason[one.outcome.reason].push_back(&one.point);
  std::vector<std::pair<int, std::string>> order;
  for (const auto &[reason, points] : byReason)
    order.push_back({-int(points.size()), reason});
  std::sort(order.begin(), order.end());
  std::vector<Rule> rules;
  for (const auto &[count, reason] : order)
    for (auto &[condition, covered] :
         RuleFinder(space, byReason[reason], valid).run())
      rules.push_back(
          {reason, condition.text, covered, -count, int(valid.size())});
  return rules;
}

bool heddle::tuner::holds(const Rule &rule, const Space &space,
                          const Point &point) {
  Texts texts;
  std::vector<Domain> domains = makeDomains(space.parameters(), texts);
  Expression condition;
  if (!parseCondition(rule.condition, space.parameters(), texts, condition)
           .empty())
    return false;
  guardActivity(space.parameters(), /*otherwise=*/false, condition);
  Partial complete{point, {}};
  for (const Parameter &parameter : space.parameters())
    complete.known.push_back(
        parameter.kind == Kind::Permutation ? uint8_t(parameter.items) : 1);
  std::vector<Known> scratch;
  return condition.holds(domains, complete, scratch);
}
