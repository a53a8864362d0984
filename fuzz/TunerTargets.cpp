//===- TunerTargets.cpp - Readers of spaces and of records ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scenario, with its constraints, becomes a space, from which points are
// drawn; a record is read as one of a space that is always the same.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "heddle/Tuner/Protocol.h"
#include "heddle/Tuner/Record.h"

using namespace heddle;

int heddle::fuzz::runScenario(const std::string &text) {
  llvm::Expected<tuner::Scenario> scenario = tuner::parseScenario(text);
  if (!scenario) {
    llvm::consumeError(scenario.takeError());
    return 0;
  }
  llvm::Expected<tuner::Space> space = tuner::makeSpace(*scenario);
  if (!space) {
    llvm::consumeError(space.takeError());
    return 0;
  }
  (void)space->count();
  tuner::Random random(1);
  for (int k = 0; k < 5; ++k) {
    std::optional<tuner::Point> point = space->draw(random);
    if (!point)
      return 0;
    tuner::Point again;
    if (!space->contains(*point) ||
        !tuner::parsePoint(space->spell(*point), *space, again).empty() ||
        again != *point)
      __builtin_trap(); // what is drawn is a point, and is read again
    space->neighbours(*point, &random, [&](const tuner::Point &near) {
      if (!space->contains(near))
        __builtin_trap();
    });
  }
  return 0;
}

static const tuner::Space &oneSpace() {
  static const tuner::Space space = [] {
    llvm::Expected<tuner::Scenario> scenario = tuner::parseScenario(
        R"({"input_parameters": {
          "a": {"parameter_type": "ordinal", "values": [1, 2, 4, 8]},
          "l": {"parameter_type": "categorical", "values": ["x", "y"]},
          "d": {"parameter_type": "integer", "values": [1, 9], "active_if": "l == 'x'"},
          "p": {"parameter_type": "permutation", "values": [3]},
          "r": {"parameter_type": "real", "values": [0, 1]}},
          "constraints": ["a * d < 40"]})");
    return llvm::cantFail(
        tuner::makeSpace(llvm::cantFail(std::move(scenario))));
  }();
  return space;
}

static void readAsRecord(const std::string &text, const tuner::Space &space) {
  tuner::Recorded found;
  size_t whole;
  (void)tuner::parseRecord(text, space, nullptr, found, whole);
  for (const tuner::Told &one : found.told)
    if (!space.contains(one.point))
      __builtin_trap();
  if (found.verdict && !space.contains(found.verdict->winner))
    __builtin_trap();
}

/// A record, and its lines as answers of programs that measure. No mutation
/// finds the digits of the space, so the first line is also read as right.
int heddle::fuzz::runRecord(const std::string &text) {
  const tuner::Space &space = oneSpace();
  auto [header, row] = llvm::StringRef(text).split('\n');
  readAsRecord(text, space);
  readAsRecord("{\"heddle_tune\":2,\"space\":\"" + tuner::identify(space) +
                   "\",\"key\":\"\"}\n" + row.str(),
               space);
  tuner::Outcome outcome;
  (void)tuner::readAnswer(header, outcome);
  tuner::Random random(1);
  tuner::Scenario scenario;
  scenario.hasValidity = true;
  (void)tuner::readReply(header, row.split('\n').first, scenario, space,
                         *space.draw(random), outcome);
  return 0;
}
