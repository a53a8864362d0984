//===- TuneReport.cpp - Why a tuner says what it says ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything follows from what was told, so a record explains itself.
//
//===----------------------------------------------------------------------===//

#include "TuneReport.h"

#include "heddle/Tuner/Rules.h"
#include "heddle/Tuner/Scenario.h"

#include "llvm/Support/Format.h"

#include <algorithm>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using tuner::Expectation;
using tuner::Point;
using tuner::Search;
using tuner::Space;
using tuner::Told;

static void printCurve(const Search &search, raw_ostream &out) {
  out << "the best so far:";
  double best = 0;
  int valid = 0;
  for (size_t k = 0; k < search.told().size(); ++k) {
    const tuner::Outcome &outcome = search.told()[k].outcome;
    if (!outcome.isValid)
      continue;
    if (valid++ == 0 || outcome.value < best) {
      best = outcome.value;
      out << (valid == 1 ? " " : ", ") << format("%g", best) << " at " << k + 1;
    }
  }
  out << "; " << search.told().size() - size_t(valid) << " of "
      << search.told().size() << " points are invalid\n";
}

/// The nearest points with another value of one parameter.
static std::vector<Point> variantsOf(const Space &space, const Point &best,
                                     size_t parameter) {
  std::vector<Point> variants;
  space.neighbours(best, nullptr, [&](const Point &near) {
    // The activity of others may follow.
    if (near[parameter] != best[parameter])
      variants.push_back(near);
  });
  return variants;
}

/// One parameter after the other is changed from the best point.
static void printImportance(Search &search, const Space &space,
                            raw_ostream &out) {
  const Point &best = search.told()[size_t(search.best())].point;
  double value = search.told()[size_t(search.best())].outcome.value;
  auto measured = [&](const Point &point) -> const tuner::Outcome * {
    for (const Told &one : search.told())
      if (one.point == point)
        return &one.outcome;
    return nullptr;
  };
  struct Row {
    std::string name, own, text;
    double factor = 1;
  };
  std::vector<Row> rows;
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    const tuner::Parameter &parameter = space.parameters()[k];
    if (best[k] == tuner::kInactive)
      continue;
    std::vector<Point> variants = variantsOf(space, best, k);
    std::vector<Expectation> expected = search.expect(variants);
    Row row = {parameter.name, tuner::spell(parameter, best[k]), "", 1};
    for (size_t v = 0; v < variants.size(); ++v) {
      const tuner::Outcome *told = measured(variants[v]);
      row.text += (row.text.empty() ? "" : ", ") +
                  tuner::spell(parameter, variants[v][k]) + " ";
      if (told && !told->isValid) {
        row.text += told->reason;
        continue;
      }
      if (!told && expected.empty()) {
        row.text += "?";
        continue;
      }
      double factor = (told ? told->value : expected[v].value) / value;
      std::string digits;
      raw_string_ostream(digits) << format("%.3f", factor);
      row.text += digits + (told ? "" : "?");
      row.factor = std::max({row.factor, factor, 1 / factor});
    }
    if (!variants.empty())
      rows.push_back(row);
  }
  stable_sort(rows,
              [](const Row &a, const Row &b) { return a.factor > b.factor; });
  out << "what matters, from the best point: each parameter's nearest other "
         "values with their share of its time (?: expected, not measured)\n";
  for (const Row &row : rows)
    out << "  " << row.name << " = " << row.own << ": " << row.text << "\n";
}

static void printRules(const Search &search, const Space &space,
                       raw_ostream &out) {
  std::vector<tuner::Rule> rules = tuner::findRules(space, search.told());
  bool areAllValid = all_of(
      search.told(), [](const Told &one) { return one.outcome.isValid; });
  if (areAllValid)
    return;
  if (rules.empty()) {
    out << "no rule tells the invalid points from the valid ones beyond "
           "chance\n";
    return;
  }
  out << "rules of invalid points, which hold for no valid one:\n";
  for (const tuner::Rule &rule : rules)
    out << "  " << rule.condition << ": " << rule.reason << " (" << rule.covered
        << " of " << rule.all << " such points; " << rule.valid
        << " valid ones)\n";
}

/// What would come next says most about what is left to gain.
static void printNext(Search &search, const Space &space, raw_ostream &out) {
  std::optional<Point> next = search.propose();
  if (!next)
    return;
  std::vector<Expectation> expected = search.expect({*next});
  if (expected.empty())
    return;
  double best = search.told()[size_t(search.best())].outcome.value;
  const Expectation &one = expected.front();
  out << "next would be " << space.spell(*next) << ": "
      << format("%.3f", one.value / best) << " of the best is expected, "
      << format("%.3f", one.low / best) << " to "
      << format("%.3f", one.high / best) << " in 95 of 100 cases; valid with "
      << format("%.0f", one.valid * 100) << " %\n";
}

void heddle::tool::printTuneReport(Search &search, const Space &space,
                                   raw_ostream &out) {
  printCurve(search, out);
  printImportance(search, space, out);
  printRules(search, space, out);
  printNext(search, space, out);
}

void heddle::tool::printVerdict(const tuner::Verdict &verdict,
                                const Space &space, raw_ostream &out) {
  out << "measured again: ";
  if (verdict.rounds == 0) {
    out << "nothing beside the default can be; it stays\n";
    return;
  }
  out << format("%.3f", verdict.share) << " of the default's time, "
      << format("%.3f", verdict.low) << " to " << format("%.3f", verdict.high)
      << " in 95 of 100 cases, after " << verdict.rounds
      << " rounds; a value's noise is " << format("%.1f", 100 * verdict.noise)
      << " %\n";
  if (verdict.isWin)
    out << "a win: " << space.spell(verdict.winner) << "\n";
  else
    out << "a tie within the noise; the default stays\n";
}
