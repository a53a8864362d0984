//===- Tables.cpp - Records as functions to tune --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a space and a record of it, as `heddle tune --exhaust --record` leaves
// it. Out: a problem whose values are those of the record, so that studies
// measure nothing.
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Files.h"
#include "heddle/Tuner/Record.h"
#include "heddle/Tuner/Scenario.h"

#include "llvm/Support/Path.h"

#include <map>

using namespace heddle;
using namespace heddle::tuner;
using heddle::study::Problem;

llvm::Expected<Problem> heddle::study::readTable(const std::string &space,
                                                 const std::string &table) {
  std::string reason;
  auto text = readFile(space, reason);
  if (!text)
    return makeError(diag::file_unreadable,
                     space + ": cannot be read: " + reason);
  llvm::Expected<Scenario> scenario = parseScenario(text->getBuffer());
  if (!scenario)
    return scenario.takeError();
  llvm::Expected<Space> made = tuner::makeSpace(*scenario);
  if (!made)
    return made.takeError();
  llvm::Expected<std::vector<Told>> told = readRecord(table, *made);
  if (!told)
    return told.takeError();
  auto values = std::make_shared<std::map<Point, Outcome>>();
  for (Told &one : *told)
    (*values)[one.point] = one.outcome;
  Problem problem{llvm::sys::path::stem(table).str(), "tables", *made,
                  [values](const Point &point) {
                    auto found = values->find(point);
                    return found == values->end() ? Outcome{false, 0, "absent"}
                                                  : found->second;
                  }};
  problem.firstSamples = scenario->firstSamples;
  problem.budget = scenario->firstSamples + scenario->iterations;
  return problem;
}
