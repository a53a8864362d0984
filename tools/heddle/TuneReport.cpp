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

#include "Command.h"

#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/Tuner/Record.h"
#include "heddle/Tuner/Rules.h"
#include "heddle/Tuner/Scenario.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <climits>
#include <map>
#include <set>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using tuner::Expectation;
using tuner::Point;
using tuner::Search;
using tuner::Space;
using tuner::Told;

Error heddle::tool::noneIsValid(const Search &search) {
  std::map<std::string, int> counts;
  for (const Told &one : search.told())
    ++counts[one.outcome.reason.empty() ? "no reason" : one.outcome.reason];
  std::vector<std::pair<int, std::string>> order; // the most frequent first
  for (const auto &[reason, count] : counts)
    order.push_back({-count, reason});
  sort(order);
  std::string text;
  for (const auto &[count, reason] : order)
    text += (text.empty() ? "" : ", ") + reason + " " + std::to_string(-count);
  return makeError(diag::tuner_no_valid, "none of " +
                                             Twine(search.told().size()) +
                                             " points is valid: " + text);
}

std::string heddle::tool::digits(tuner::Count count) {
  std::string text;
  do
    text.insert(text.begin(), char('0' + int(count % 10)));
  while (count /= 10);
  return text;
}

void heddle::tool::printClaim(const tuner::Claim &claim, double best,
                              raw_ostream &out) {
  if (claim.broken >= 0)
    out << "bounds are wrong: the value of number " << claim.broken + 1
        << " is below its bound, " << format("%g", claim.brokenBound)
        << "; nothing follows from them\n";
  std::optional<double> gap = claim.gapTo(best);
  if (!gap)
    return;
  out << "of " << digits(claim.points) << " points, " << digits(claim.refused)
      << " are refused before anything is measured, " << digits(claim.slower)
      << " others are excluded by bounds, " << digits(claim.open)
      << " are open\n";
  if (*gap == 0)
    out << "nothing in this space is faster, by bounds\n";
  else if (claim.least > 0)
    out << "nothing in this space can be more than "
        << format("%.1f", *gap * 100) << " % faster, by bounds\n";
}

static void printNames(const Space &space, raw_ostream &out) {
  ListSeparator comma;
  for (const tuner::Parameter &parameter : space.parameters())
    out << comma << parameter.name;
}

void heddle::tool::printSpace(const Space &space, StringRef values,
                              raw_ostream &out) {
  out << space.count() << " points of ";
  printNames(space, out);
  out << "; values are " << values << "\n";
}

void heddle::tool::printTwins(const tuner::Budget &budget, raw_ostream &out) {
  if (budget.twins() == 0)
    return;
  out << budget.twins() << " of " << budget.evaluations() + budget.twins()
      << " points had the code of an earlier one, and used none of the budget";
  if (budget.findsTwinsAlone())
    out << "; the last ones in a row, so no other code is looked for";
  out << "\n";
}

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
  // Asked at once, since asking may be a fit.
  std::vector<std::vector<Point>> variantsOfEach(space.parameters().size());
  std::vector<Point> allVariants;
  for (size_t k = 0; k < variantsOfEach.size(); ++k)
    if (best[k] != tuner::kInactive) {
      variantsOfEach[k] = variantsOf(space, best, k);
      append_range(allVariants, variantsOfEach[k]);
    }
  std::vector<Expectation> expected = search.expect(allVariants);
  size_t index = 0; // among all variants
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    const tuner::Parameter &parameter = space.parameters()[k];
    const std::vector<Point> &variants = variantsOfEach[k];
    Row row = {parameter.name, tuner::spell(parameter, best[k]), "", 1};
    for (size_t v = 0; v < variants.size(); ++v, ++index) {
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
      double factor = (told ? told->value : expected[index].value) / value;
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

/// The points that differ in one parameter, and in those whose activity hangs
/// on it, have one code each time.
static void printDead(const Search &search, const Space &space,
                      raw_ostream &out) {
  auto hangsOn = [](const tuner::Parameter &parameter, StringRef name) {
    auto isOfName = [](char c) { return isAlnum(c) || c == '_'; };
    StringRef text = parameter.activeIf;
    for (size_t at = text.find(name); at != StringRef::npos;
         at = text.find(name, at + 1)) {
      size_t end = at + name.size();
      if ((at == 0 || !isOfName(text[at - 1])) &&
          (end == text.size() || !isOfName(text[end])))
        return true;
    }
    return false;
  };
  const std::vector<tuner::Parameter> &all = space.parameters();
  for (size_t k = 0; k < all.size(); ++k) {
    struct Group {
      std::set<tuner::Word> values;
      std::set<StringRef> codes;
    };
    std::map<Point, Group> groups;
    for (const Told &one : search.told()) {
      if (one.outcome.code.empty())
        continue;
      Point rest = one.point;
      for (size_t other = 0; other < all.size(); ++other)
        if (other == k || hangsOn(all[other], all[k].name))
          rest[other] = tuner::kInactive;
      Group &group = groups[rest];
      group.values.insert(one.point[k]);
      group.codes.insert(one.outcome.code);
    }
    size_t changes = 0;
    bool isDead = true;
    for (const auto &[rest, group] : groups)
      if (group.values.size() > 1) {
        changes += group.values.size() - 1;
        isDead &= group.codes.size() == 1;
      }
    if (isDead && changes > 0)
      out << all[k].name << " changed no code: of points that differ in it "
          << "alone, " << changes << (changes == 1 ? " has" : " have")
          << " the code of another\n";
  }
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
  printDead(search, space, out);
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

//===----------------------------------------------------------------------===//
// A record
//===----------------------------------------------------------------------===//

static void printTitle(const tuner::WholeRecord &record,
                       const tuner::Budget &budget, raw_ostream &out) {
  const Space &space = record.space;
  out << "a record of "
      << (record.key.empty() ? std::string("a space without a --key")
                             : record.key)
      << ": " << budget.evaluations() << " evaluations of "
      << (space.hasReals() ? std::string("points") : space.count() + " points")
      << " of ";
  printNames(space, out);
  out << "\n";
  printTwins(budget, out);
}

/// The best point beside the one that tuning began with.
static void printBest(const Search &search, const Space &space,
                      raw_ostream &out) {
  const Told &best = search.told()[size_t(search.best())];
  out << "best: " << format("%g", best.outcome.value) << ", number "
      << search.best() + 1 << ": " << space.spell(best.point) << "\n";
  std::optional<Point> preset = tuner::presetOf(space);
  for (const Told &one : search.told()) {
    if (one.point != preset)
      continue;
    if (one.point == best.point)
      out << "that is the default\n";
    else if (!one.outcome.isValid)
      out << "the default is invalid: " << one.outcome.reason << "\n";
    else if (one.outcome.value > 0)
      out << "that is "
          << format("%.3f", best.outcome.value / one.outcome.value)
          << " of the default's " << format("%g", one.outcome.value) << ": "
          << space.spell(one.point) << "\n";
    return;
  }
}

static void printEnding(const tuner::Recorded &record, double best,
                        raw_ostream &out) {
  if (!record.ending) {
    out << "it did not end by itself: it was killed, or is at work\n";
    return;
  }
  switch (record.ending->why) {
  case tuner::Ending::Why::Budget:
    out << "it ended after as many evaluations as it had\n";
    break;
  case tuner::Ending::Why::Points:
    out << "it ended because no other point was left\n";
    break;
  case tuner::Ending::Why::Bounds:
    out << "it ended because no other point could be faster by enough\n";
    break;
  case tuner::Ending::Why::Twins:
    out << "it ended because the last points had the codes of earlier ones\n";
    break;
  }
  printClaim(record.ending->claim, best, out);
}

int heddle::tool::explainTuning(const std::string &path) {
  Expected<tuner::WholeRecord> record = tuner::readWholeRecord(path);
  if (!record)
    return fail(record.takeError());
  tuner::SearchOptions options;
  options.logsValues = record->isLogOutput;
  options.process.reusesLast = false; // or there is a fit for each point told
  options.mostTwins = INT_MAX;        // the record says why it ended
  Search search(record->space, options);
  for (const Told &one : record->lines.told)
    search.tell(one.point, one.outcome);
  if (search.told().empty())
    return fail(diag::tuner_record, path + ": no evaluation is recorded");
  printTitle(*record, search.budget(), outs());
  if (search.best() < 0)
    return fail(noneIsValid(search));
  printBest(search, record->space, outs());
  if (record->lines.verdict)
    printVerdict(*record->lines.verdict, record->space, outs());
  printEnding(record->lines, search.told()[size_t(search.best())].outcome.value,
              outs());
  printTuneReport(search, record->space, outs());
  return kFine;
}
