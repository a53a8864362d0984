//===- Tune.cpp - heddle tune ---------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions about a space of choices, given as JSON: how many points it has,
// and points at random.
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/Support/Files.h"
#include "heddle/Tuner/Scenario.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static cl::SubCommand command("tune",
                              "Choose among the points of a space, given as "
                              "JSON");
static cl::opt<std::string> file(cl::Positional, cl::sub(command),
                                 cl::value_desc("SPACE.json"), cl::Required,
                                 cl::desc("SPACE.json"));
static cl::opt<bool> wantsCount("count", cl::sub(command),
                                cl::desc("Print how many points there are"));
static cl::opt<bool>
    wantsParts("parts", cl::sub(command),
               cl::desc("Print which parameters depend on one another, and how "
                        "many points each group has"));
static NumberOption<unsigned> draws("draw", within(1u, 1000000000u),
                                    cl::sub(command), cl::init(0),
                                    cl::value_desc("N"),
                                    cl::desc("Print N points at random"));
static cl::opt<bool>
    isEmbedded("embedding", cl::sub(command),
               cl::desc("Draw each value among those that lead to a point, "
                        "instead of each point with the same probability"));
static NumberOption<uint64_t> seed("seed", within<uint64_t>(0, UINT64_MAX),
                                   cl::sub(command), cl::init(1),
                                   cl::desc("Of all random choices"));

/// The scenario in the file, and its space.
static Error load(tuner::Scenario &scenario,
                  std::optional<tuner::Space> &space) {
  std::string reason;
  auto buffer = readFile(file, reason);
  if (!buffer)
    return makeError(diag::file_unreadable,
                     file + ": cannot be read: " + reason);
  Expected<tuner::Scenario> read = tuner::parseScenario(buffer->getBuffer());
  if (!read)
    return read.takeError();
  scenario = std::move(*read);
  Expected<tuner::Space> made = tuner::makeSpace(scenario);
  if (!made)
    return made.takeError();
  space = std::move(*made);
  return Error::success();
}

static std::string digits(tuner::Count count) {
  std::string text;
  do
    text.insert(text.begin(), char('0' + int(count % 10)));
  while (count /= 10);
  return text;
}

static void printParts(const tuner::Space &space) {
  for (const tuner::Component &part : space.components()) {
    std::string names;
    for (int index : part.parameters)
      names +=
          (names.empty() ? "" : ", ") + space.parameters()[size_t(index)].name;
    outs() << names << ": ";
    if (space.parameters()[size_t(part.parameters.front())].kind ==
        tuner::Kind::Real)
      outs() << "a real\n";
    else
      outs() << digits(part.points) << "\n";
  }
}

static int run() {
  tuner::Scenario scenario;
  std::optional<tuner::Space> space;
  if (Error error = load(scenario, space))
    return fail(std::move(error));
  if (wantsCount)
    outs() << space->count() << "\n";
  if (wantsParts)
    printParts(*space);
  tuner::Random random(seed);
  for (unsigned k = 0; k < draws; ++k) {
    std::optional<tuner::Point> point =
        isEmbedded ? space->drawEmbedded(random) : space->draw(random);
    if (!point)
      return fail(diag::tuner_space_empty,
                  "constraints on real parameters hold for none of 10000 "
                  "points at random");
    outs() << space->spell(*point) << "\n";
  }
  if (!wantsCount && !wantsParts && draws == 0)
    return fail(diag::usage, "say what to do: --count, --parts or --draw=N");
  return kFine;
}

Command heddle::tool::getTuneCommand() { return {command, run}; }
