//===- Tuner.cpp - The C interface of the tuner ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tuner holds a space, a search in it, a record if there is one, and the
// point that was proposed last. What cannot be is one sentence in `message`.
//
//===----------------------------------------------------------------------===//

#include "heddle/tuner.h"

#include "Entry.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/Support/JsonReader.h"
#include "heddle/Tuner/Record.h"
#include "heddle/Tuner/Scenario.h"
#include "heddle/Tuner/Search.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace heddle;
using namespace heddle::tuner;
using capi::enterOr;

struct heddle_tuner {
  Scenario scenario;
  std::optional<Search> search;
  std::optional<Space> space;
  std::optional<Record> record;
  SearchOptions options;
  std::string recordPath, key;
  std::optional<Point> proposed;
  std::string message, text;
};

static heddle_tuner_status fail(heddle_tuner &tuner, llvm::Error error) {
  tuner.message = llvm::toString(std::move(error));
  return HEDDLE_TUNER_BAD_INPUT;
}

static heddle_tuner_status misuse(heddle_tuner &tuner,
                                  const llvm::Twine &text) {
  return fail(tuner, makeError(diag::usage, text));
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static void readOptions(const strict::Node &node, heddle_tuner &tuner) {
  strict::ObjectReader object(node);
  object.optional("budget", [&](const strict::Node &each) {
    tuner.options.budget = int(each.integer(1, 1'000'000));
  });
  object.optional("seed", [&](const strict::Node &each) {
    tuner.options.seed = uint64_t(each.integer(0, INT64_MAX));
  });
  object.optional("record", [&](const strict::Node &each) {
    tuner.recordPath = each.text();
    if (tuner.recordPath.find('\0') != std::string::npos)
      each.expected("a path without zeros");
  });
  object.optional("key",
                  [&](const strict::Node &each) { tuner.key = each.text(); });
  object.optional("method", [&](const strict::Node &each) {
    auto method = llvm::StringSwitch<std::optional<Method>>(each.text())
                      .Case("model", Method::Bayes)
                      .Case("uniform", Method::Uniform)
                      .Case("embedding", Method::Embedding)
                      .Case("bandit", Method::Bandit)
                      .Case("annealing", Method::Annealing)
                      .Default(std::nullopt);
    if (method)
      tuner.options.method = *method;
    else
      each.expected("model, uniform, embedding, bandit or annealing");
  });
}

static llvm::Error openRecord(heddle_tuner &tuner) {
  llvm::Expected<Record> opened = Record::open(
      tuner.recordPath, *tuner.space, tuner.key, tuner.options.logsValues);
  if (!opened)
    return opened.takeError();
  tuner.record.emplace(std::move(*opened));
  for (const Told &one : tuner.record->told())
    tuner.search->tell(one.point, one.outcome);
  return llvm::Error::success();
}

static heddle_tuner_status create(heddle_tuner &tuner, const char *scenario,
                                  const char *options) {
  if (!scenario)
    return misuse(tuner, "heddle_tuner_create has no scenario");
  llvm::Expected<Scenario> read = parseScenario(scenario);
  if (!read)
    return fail(tuner, read.takeError());
  tuner.scenario = std::move(*read);
  tuner.options.firstSamples = tuner.scenario.firstSamples;
  tuner.options.budget =
      tuner.scenario.firstSamples + tuner.scenario.iterations;
  tuner.options.logsValues = tuner.scenario.isLogOutput;
  if (options) {
    std::string fault =
        strict::parse(options, "the options", [&](const strict::Node &node) {
          readOptions(node, tuner);
        });
    if (!fault.empty())
      return misuse(tuner, fault);
  }
  if (tuner.options.budget < tuner.options.firstSamples)
    return fail(tuner,
                makeError(diag::tuner_budget,
                          "the budget is " + llvm::Twine(tuner.options.budget) +
                              ", and the first " +
                              llvm::Twine(tuner.options.firstSamples) +
                              " points are samples"));
  llvm::Expected<Space> made = makeSpace(tuner.scenario);
  if (!made)
    return fail(tuner, made.takeError());
  tuner.space = std::move(*made);
  tuner.search.emplace(*tuner.space, tuner.options);
  if (!tuner.recordPath.empty())
    if (llvm::Error error = openRecord(tuner)) {
      tuner.search.reset(); // a tuner that was not made proposes nothing
      return fail(tuner, std::move(error));
    }
  return HEDDLE_TUNER_OK;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

static heddle_tuner_status unwritable(heddle_tuner &tuner,
                                      const std::string &reason) {
  return fail(tuner,
              makeError(diag::file_unwritable,
                        tuner.recordPath + ": cannot be written: " + reason));
}

/// Nothing more will be proposed.
static heddle_tuner_status end(heddle_tuner &tuner, Ending::Why why) {
  if (!tuner.record)
    return HEDDLE_TUNER_OVER;
  Ending ending;
  ending.why = why;
  std::string reason = tuner.record->end(ending);
  return reason.empty() ? HEDDLE_TUNER_OVER : unwritable(tuner, reason);
}

static heddle_tuner_status propose(heddle_tuner &tuner, const char **point) {
  if (!tuner.search)
    return misuse(tuner, "the tuner was not created");
  if (!point)
    return misuse(tuner, "heddle_tuner_propose has no place for the point");
  *point = nullptr;
  if (!tuner.proposed) {
    const Budget &budget = tuner.search->budget();
    if (budget.isSpent()) // codes are in records of other tuners
      return end(tuner, budget.findsTwinsAlone() ? Ending::Why::Twins
                                                 : Ending::Why::Budget);
    tuner.proposed = tuner.search->propose();
    if (!tuner.proposed)
      return end(tuner, Ending::Why::Points);
  }
  tuner.text = tuner.space->spell(*tuner.proposed);
  *point = tuner.text.c_str();
  return HEDDLE_TUNER_OK;
}

/// The word of a parameter in the point that was proposed, if it is of one of
/// these kinds.
static heddle_tuner_status find(heddle_tuner &tuner, const char *name,
                                llvm::ArrayRef<Kind> kinds,
                                const char *kindText, const Parameter *&found,
                                Word &word) {
  if (!tuner.proposed)
    return misuse(tuner, "no point was proposed");
  int index = name ? tuner.space->find(name) : -1;
  if (index < 0)
    return misuse(tuner, "there is no parameter '" +
                             llvm::Twine(name ? name : "") + "'");
  found = &tuner.space->parameters()[size_t(index)];
  if (!llvm::is_contained(kinds, found->kind))
    return misuse(tuner, "parameter '" + found->name + "' has no " + kindText);
  word = (*tuner.proposed)[size_t(index)];
  return word == kInactive ? HEDDLE_TUNER_OVER : HEDDLE_TUNER_OK;
}

static heddle_tuner_status number(heddle_tuner &tuner, const char *name,
                                  double *value) {
  const Parameter *parameter = nullptr;
  Word word = 0;
  heddle_tuner_status status =
      find(tuner, name, {Kind::Real, Kind::Integer, Kind::Ordinal}, "numbers",
           parameter, word);
  if (status != HEDDLE_TUNER_OK)
    return status;
  if (!value)
    return misuse(tuner, "heddle_tuner_number has no place for the value");
  *value = parameter->kind == Kind::Real ? realOf(word)
           : parameter->kind == Kind::Integer
               ? double(parameter->first + word)
               : parameter->numbers[size_t(word)];
  return HEDDLE_TUNER_OK;
}

static heddle_tuner_status order(heddle_tuner &tuner, const char *name,
                                 int *items, int count) {
  const Parameter *parameter = nullptr;
  Word word = 0;
  heddle_tuner_status status =
      find(tuner, name, {Kind::Permutation}, "order", parameter, word);
  if (status != HEDDLE_TUNER_OK)
    return status;
  if (!items || count != parameter->items)
    return misuse(tuner, "parameter '" + parameter->name + "' orders " +
                             llvm::Twine(parameter->items) + " items, and " +
                             llvm::Twine(items ? count : 0) +
                             " places were given");
  for (int k = 0; k < count; ++k)
    items[k] = itemAt(word, k);
  return HEDDLE_TUNER_OK;
}

static heddle_tuner_status tell(heddle_tuner &tuner, Outcome outcome) {
  if (!tuner.search || !tuner.proposed)
    return misuse(tuner, "no point was proposed that could be told");
  tuner.search->tell(*tuner.proposed, std::move(outcome));
  tuner.proposed.reset();
  if (!tuner.record)
    return HEDDLE_TUNER_OK;
  std::string reason =
      tuner.record->append(*tuner.space, tuner.search->told().back());
  return reason.empty() ? HEDDLE_TUNER_OK : unwritable(tuner, reason);
}

static heddle_tuner_status best(heddle_tuner &tuner, const char **point,
                                double *value) {
  if (!tuner.search)
    return misuse(tuner, "the tuner was not created");
  if (!point || !value)
    return misuse(tuner, "heddle_tuner_best has no place for the point");
  if (tuner.search->best() < 0)
    return HEDDLE_TUNER_OVER;
  const Told &found = tuner.search->told()[size_t(tuner.search->best())];
  tuner.text = tuner.space->spell(found.point);
  *point = tuner.text.c_str();
  *value = found.outcome.value;
  return HEDDLE_TUNER_OK;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// A call of a tuner that is there.
template <class Body>
static heddle_tuner_status enter(heddle_tuner *tuner, Body body) noexcept {
  return enterOr(HEDDLE_TUNER_NO_MEMORY, [&] {
    if (!tuner)
      return HEDDLE_TUNER_BAD_INPUT;
    tuner->message.clear();
    return body(*tuner);
  });
}

int heddle_tuner_abi_version(void) noexcept {
  return enterOr(0, [] { return HEDDLE_TUNER_ABI_VERSION; });
}

heddle_tuner_status heddle_tuner_create(const char *scenario,
                                        const char *options,
                                        heddle_tuner **tuner) noexcept {
  return enterOr(HEDDLE_TUNER_NO_MEMORY, [&] {
    if (!tuner)
      return HEDDLE_TUNER_BAD_INPUT;
    *tuner = nullptr;
    *tuner = new heddle_tuner;
    return create(**tuner, scenario, options);
  });
}

void heddle_tuner_destroy(heddle_tuner *tuner) noexcept {
  enterOr(0, [&] {
    delete tuner;
    return 0;
  });
}

const char *heddle_tuner_message(const heddle_tuner *tuner) noexcept {
  return enterOr("", [&] { return tuner ? tuner->message.c_str() : ""; });
}

heddle_tuner_status heddle_tuner_propose(heddle_tuner *tuner,
                                         const char **point) noexcept {
  return enter(tuner, [&](heddle_tuner &it) { return propose(it, point); });
}

heddle_tuner_status heddle_tuner_number(heddle_tuner *tuner,
                                        const char *parameter,
                                        double *value) noexcept {
  return enter(tuner,
               [&](heddle_tuner &it) { return number(it, parameter, value); });
}

heddle_tuner_status heddle_tuner_text(heddle_tuner *tuner,
                                      const char *parameter,
                                      const char **value) noexcept {
  return enter(tuner, [&](heddle_tuner &it) {
    const Parameter *found = nullptr;
    Word word = 0;
    heddle_tuner_status status =
        find(it, parameter, {Kind::Categorical}, "texts", found, word);
    if (status != HEDDLE_TUNER_OK)
      return status;
    if (!value)
      return misuse(it, "heddle_tuner_text has no place for the value");
    *value = found->texts[size_t(word)].c_str();
    return HEDDLE_TUNER_OK;
  });
}

heddle_tuner_status heddle_tuner_order(heddle_tuner *tuner,
                                       const char *parameter, int *items,
                                       int count) noexcept {
  return enter(tuner, [&](heddle_tuner &it) {
    return order(it, parameter, items, count);
  });
}

heddle_tuner_status heddle_tuner_tell(heddle_tuner *tuner,
                                      double value) noexcept {
  return enter(tuner,
               [&](heddle_tuner &it) { return tell(it, {true, value, ""}); });
}

heddle_tuner_status heddle_tuner_tell_invalid(heddle_tuner *tuner,
                                              const char *reason) noexcept {
  return enter(tuner, [&](heddle_tuner &it) {
    return tell(it,
                {false, 0, llvm::json::fixUTF8(reason ? reason : "invalid")});
  });
}

heddle_tuner_status heddle_tuner_best(heddle_tuner *tuner, const char **point,
                                      double *value) noexcept {
  return enter(tuner, [&](heddle_tuner &it) { return best(it, point, value); });
}

int heddle_tuner_told(const heddle_tuner *tuner) noexcept {
  return enterOr(0, [&] {
    return tuner && tuner->search ? int(tuner->search->told().size()) : 0;
  });
}
