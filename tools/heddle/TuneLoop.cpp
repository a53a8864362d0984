//===- TuneLoop.cpp - Propose, measure, write down ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "TuneLoop.h"

#include "TuneReport.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/Tuner/Record.h"

#include "llvm/Support/Format.h"

#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static void printOne(raw_ostream &out, const tuner::Search &search,
                     const tuner::Space &space) {
  const tuner::Told &last = search.told().back();
  int number = int(search.told().size());
  out << format("%4d  ", number);
  if (last.outcome.isValid)
    out << format("%-12g", last.outcome.value);
  else
    out << format("%-12s", last.outcome.reason.substr(0, 40).c_str());
  out << (search.best() == number - 1 ? " * " : "   ")
      << space.spell(last.point) << "\n";
  out.flush();
}

/// Why no point is valid: the reasons, the most frequent first.
static std::string reasons(const tuner::Search &search) {
  std::map<std::string, int> counts;
  for (const tuner::Told &one : search.told())
    ++counts[one.outcome.reason.empty() ? "no reason" : one.outcome.reason];
  std::vector<std::pair<int, std::string>> order;
  for (const auto &[reason, count] : counts)
    order.push_back({-count, reason});
  std::sort(order.begin(), order.end());
  std::string text;
  for (const auto &[count, reason] : order)
    text += (text.empty() ? "" : ", ") + reason + " " + std::to_string(-count);
  return text;
}

static std::string digits(tuner::Count count) {
  std::string text;
  do
    text.insert(text.begin(), char('0' + int(count % 10)));
  while (count /= 10);
  return text;
}

/// What bounds say of the points that were not measured.
static void printClaim(const TuneJob &job, const tuner::Search &search) {
  tuner::Claim claim = search.claim();
  raw_ostream &out = job.progress;
  const tuner::Told &best = search.told()[size_t(search.best())];
  if (claim.broken >= 0)
    out << "bounds are wrong: the value of number " << claim.broken + 1
        << " is below its bound, "
        << format("%g", job.bound(search.told()[size_t(claim.broken)].point))
        << "; nothing follows from them\n";
  std::optional<double> gap = claim.gapTo(best.outcome.value);
  if (!gap)
    return;
  out << "of " << digits(claim.points) << " points, " << digits(claim.refused)
      << " are refused before a schedule is sought, " << digits(claim.slower)
      << " others are excluded by bounds, " << digits(claim.open)
      << " are open\n";
  if (*gap == 0)
    out << "nothing in this space is faster, by bounds\n";
  else if (claim.least > 0)
    out << "nothing in this space can be more than "
        << format("%.1f", *gap * 100) << " % faster, by bounds\n";
}

static Error printBest(const TuneJob &job, const tuner::Search &search) {
  if (search.best() < 0)
    return makeError(diag::tuner_no_valid,
                     "none of " + Twine(search.told().size()) +
                         " points is valid: " + reasons(search));
  const tuner::Told &best = search.told()[size_t(search.best())];
  job.progress << "best: " << format("%g", best.outcome.value) << ", number "
               << search.best() + 1 << " of " << search.told().size() << ": "
               << job.space.spell(best.point) << "\n";
  printClaim(job, search);
  return Error::success();
}

/// The outcomes of a batch: what is recorded or known, and the rest measured.
static Expected<std::vector<tuner::Outcome>>
measureBatch(const TuneJob &job, ArrayRef<tuner::Point> batch,
             ArrayRef<tuner::Told> recorded,
             const std::map<tuner::Point, tuner::Outcome> &known) {
  std::vector<tuner::Outcome> outcomes(batch.size());
  std::vector<tuner::Point> open;
  std::vector<size_t> places;
  for (size_t k = 0; k < batch.size(); ++k) {
    auto found = known.find(batch[k]);
    if (k < recorded.size())
      outcomes[k] = recorded[k].outcome;
    else if (found != known.end())
      outcomes[k] = found->second;
    else {
      open.push_back(batch[k]);
      places.push_back(k);
    }
  }
  if (job.measureAll && !open.empty()) {
    auto measured = job.measureAll(open);
    if (!measured)
      return measured.takeError();
    for (auto [place, outcome] : zip_equal(places, *measured))
      outcomes[place] = std::move(outcome);
    return outcomes;
  }
  for (auto [place, point] : zip_equal(places, open)) {
    Expected<tuner::Outcome> outcome = job.measure(point);
    if (!outcome)
      return outcome.takeError();
    outcomes[place] = std::move(*outcome);
  }
  return outcomes;
}

Expected<tuner::Search> heddle::tool::runTuning(const TuneJob &job) {
  size_t budget = size_t(job.options.budget);
  if (budget < size_t(job.options.firstSamples))
    return makeError(diag::tuner_budget, "--budget is " + Twine(budget) +
                                             ", and the first " +
                                             Twine(job.options.firstSamples) +
                                             " points are samples");
  std::map<tuner::Point, tuner::Outcome> known;
  if (!job.replay.empty()) {
    Expected<std::vector<tuner::Told>> told =
        tuner::readRecord(job.replay, job.space);
    if (!told)
      return told.takeError();
    for (tuner::Told &one : *told)
      known[one.point] = one.outcome;
  }
  tuner::Search search(job.space, job.options, job.model, job.bound);
  std::optional<tuner::Record> record;
  ArrayRef<tuner::Told> begun; // of a batch that was not finished
  if (!job.record.empty()) {
    Expected<tuner::Record> opened =
        tuner::Record::open(job.record, job.space, job.key);
    if (!opened)
      return opened.takeError();
    record.emplace(std::move(*opened));
    // Whole batches; of the last one the rest is proposed again.
    ArrayRef<tuner::Told> all = record->told();
    size_t whole =
        job.onlyExplains ? all.size() : all.size() - all.size() % job.batch;
    for (const tuner::Told &one : all.take_front(whole))
      search.tell(one.point, one.outcome);
    begun = all.drop_front(whole);
    if (!record->told().empty())
      job.progress << "going on after " << record->told().size()
                   << " evaluations\n";
  }
  if (job.onlyExplains && !search.told().empty())
    budget = search.told().size();
  bool isLast = false;
  while (search.told().size() < budget && !isLast) {
    std::vector<tuner::Point> batch;
    for (const tuner::Told &one : begun)
      batch.push_back(one.point);
    size_t most = std::min<size_t>(job.batch, budget - search.told().size());
    while (batch.size() < most && !isLast) {
      std::optional<tuner::Point> point = search.propose(batch);
      isLast = !point;
      if (point)
        batch.push_back(std::move(*point));
    }
    auto outcomes = measureBatch(job, batch, begun, known);
    if (!outcomes)
      return outcomes.takeError();
    for (auto [k, point] : enumerate(batch)) {
      search.tell(point, std::move((*outcomes)[k]));
      if (record && k >= begun.size())
        if (std::string reason =
                record->append(job.space, search.told().back());
            !reason.empty())
          return makeError(diag::file_unwritable,
                           job.record + ": cannot be written: " + reason);
      printOne(job.progress, search, job.space);
    }
    begun = {};
  }
  if (isLast)
    job.progress << (search.claim().isKnown
                         ? "no other point can be faster by enough\n"
                         : "no other point is left\n");
  if (Error error = printBest(job, search))
    return error;
  if (job.explains)
    printTuneReport(search, job.space, job.progress);
  return search;
}
