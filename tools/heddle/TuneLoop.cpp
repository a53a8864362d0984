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

#include "llvm/Support/Format.h"

#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static void printOne(raw_ostream &out, const tuner::Search &search,
                     const tuner::Space &space, bool isTwin) {
  const tuner::Told &last = search.told().back();
  int number = int(search.told().size());
  out << format("%4d  ", number);
  if (last.outcome.isValid)
    out << format("%-12g", last.outcome.value);
  else
    out << format("%-12s", last.outcome.reason.substr(0, 40).c_str());
  out << (search.best() == number - 1 ? " * "
          : isTwin                    ? " = "
                                      : "   ")
      << space.spell(last.point) << "\n";
  out.flush();
}

static Error printBest(const TuneJob &job, const tuner::Search &search) {
  if (search.best() < 0)
    return noneIsValid(search);
  const tuner::Told &best = search.told()[size_t(search.best())];
  job.progress << "best: " << format("%g", best.outcome.value) << ", number "
               << search.best() + 1 << " of " << search.told().size() << ": "
               << job.space.spell(best.point) << "\n";
  printClaim(search.claim(), best.outcome.value, job.progress);
  return Error::success();
}

static Error unwritable(const TuneJob &job, const std::string &reason) {
  return makeError(diag::file_unwritable,
                   job.record + ": cannot be written: " + reason);
}

/// How many points are proposed before any of them is told.
static size_t nextBatch(const TuneJob &job, const tuner::Budget &budget) {
  return std::min(size_t(job.batch), size_t(budget.left()));
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

/// Opens the record and tells the search what it has, in the batches that there
/// were: of the last one the rest is proposed again. `begun`: what there is of
/// that.
static Error resume(const TuneJob &job, Tuned &tuned,
                    ArrayRef<tuner::Told> &begun) {
  Expected<tuner::Record> opened = tuner::Record::open(
      job.record, job.space, job.key, job.options.logsValues);
  if (!opened)
    return opened.takeError();
  tuned.record.emplace(std::move(*opened));
  ArrayRef<tuner::Told> all = tuned.record->told();
  begun = all;
  while (!begun.empty()) {
    // What a budget of an earlier call had beyond this one belongs to none.
    const tuner::Budget &budget = tuned.search.budget();
    size_t size = budget.isSpent() ? 1 : nextBatch(job, budget);
    if (size > begun.size())
      break;
    for (const tuner::Told &one : begun.take_front(size))
      tuned.search.tell(one.point, one.outcome);
    begun = begun.drop_front(size);
  }
  for (const tuner::Told &one : all)
    if (job.measured)
      job.measured(one);
  if (!all.empty())
    job.progress << "going on after " << all.size() << " points\n";
  return Error::success();
}

/// What another record has of this space's points.
static Expected<std::map<tuner::Point, tuner::Outcome>>
readReplay(const TuneJob &job) {
  std::map<tuner::Point, tuner::Outcome> known;
  if (job.replay.empty())
    return known;
  Expected<std::vector<tuner::Told>> told =
      tuner::readRecord(job.replay, job.space);
  if (!told)
    return told.takeError();
  for (const tuner::Told &one : *told) {
    known[one.point] = one.outcome;
    if (job.measured)
      job.measured(one);
  }
  return known;
}

static tuner::Ending endingOf(const tuner::Search &search, bool isLast) {
  using Why = tuner::Ending::Why;
  tuner::Ending ending;
  ending.claim = search.claim();
  if (isLast)
    ending.why = ending.claim.isKnown ? Why::Bounds : Why::Points;
  else if (search.budget().findsTwinsAlone())
    ending.why = Why::Twins;
  return ending;
}

Expected<Tuned> heddle::tool::runTuning(const TuneJob &job) {
  if (job.options.budget < job.options.firstSamples)
    return makeError(diag::tuner_budget,
                     "--budget is " + Twine(job.options.budget) +
                         ", and the first " + Twine(job.options.firstSamples) +
                         " points are samples");
  auto known = readReplay(job);
  if (!known)
    return known.takeError();
  Tuned tuned = {tuner::Search(job.space, job.options, job.model, job.bound),
                 {}};
  tuner::Search &search = tuned.search;
  std::optional<tuner::Record> &record = tuned.record;
  ArrayRef<tuner::Told> begun;
  if (!job.record.empty())
    if (Error error = resume(job, tuned, begun))
      return std::move(error);
  bool isLast = false;
  while (!search.budget().isSpent() && !isLast) {
    std::vector<tuner::Point> batch;
    for (const tuner::Told &one : begun)
      batch.push_back(one.point);
    size_t size = nextBatch(job, search.budget());
    while (batch.size() < size && !isLast) {
      std::optional<tuner::Point> point = search.propose(batch);
      isLast = !point;
      if (point)
        batch.push_back(std::move(*point));
    }
    auto outcomes = measureBatch(job, batch, begun, *known);
    if (!outcomes)
      return outcomes.takeError();
    for (auto [k, point] : enumerate(batch)) {
      int twins = search.budget().twins();
      search.tell(point, std::move((*outcomes)[k]));
      if (record && k >= begun.size())
        if (std::string reason =
                record->append(job.space, search.told().back());
            !reason.empty())
          return unwritable(job, reason);
      printOne(job.progress, search, job.space,
               search.budget().twins() > twins);
    }
    begun = {};
  }
  tuner::Ending ending = endingOf(search, isLast);
  if (record)
    if (std::string reason = record->end(ending); !reason.empty())
      return unwritable(job, reason);
  if (isLast)
    job.progress << (ending.claim.isKnown
                         ? "no other point can be faster by enough\n"
                         : "no other point is left\n");
  printTwins(search.budget(), job.progress);
  if (Error error = printBest(job, search))
    return std::move(error);
  if (job.explains)
    printTuneReport(search, job.space, job.progress);
  return std::move(tuned);
}

Expected<size_t> heddle::tool::confirmBest(const TuneJob &job, Tuned &tuned,
                                           const tuner::Point &preset,
                                           const tuner::Remeasure &measure,
                                           int rounds) {
  constexpr int kRivals = 4;
  tuner::ConfirmOptions options;
  options.mostRounds = rounds;
  tuner::Verdict verdict =
      tuner::confirm(preset, tuner::findRivals(tuned.search, preset, kRivals),
                     measure, options);
  printVerdict(verdict, job.space, job.progress);
  if (tuned.record)
    if (std::string reason = tuned.record->confirm(job.space, verdict);
        !reason.empty())
      return unwritable(job, reason);
  ArrayRef<tuner::Told> told = tuned.search.told();
  const auto *winner = find_if(told, [&](const tuner::Told &one) {
    return one.point == verdict.winner;
  });
  return winner == told.end() ? size_t(tuned.search.best())
                              : size_t(winner - told.begin());
}
