//===- Cache.cpp - Schedules that were found before -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file for each problem, named by the hash of everything that the answer
// depends on. What is read is verified like what is found; a file that is
// damaged, or cannot be read or written, costs only the time to solve again.
// Files appear whole: two processes may solve the same problem at once.
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Json.h"
#include "heddle/Schedule/Solve.h"
#include "heddle/Support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <cstdlib>

using namespace heddle::schedule;
using namespace llvm;

/// To be raised when the exact solver may answer otherwise than before.
static constexpr StringLiteral kSolverVersion = "exact 18";

/// HEDDLE_CACHE_DIR, or the user's own; empty for none.
static std::string cacheDirectory() {
  if (const char *given = std::getenv("HEDDLE_CACHE_DIR"))
    return given;
  SmallString<128> path;
  if (!sys::path::cache_directory(path))
    return "";
  sys::path::append(path, "heddle");
  return path.str().str();
}

static std::string fileFor(const Problem &problem, const Wish &wish,
                           Budget budget) {
  std::string directory = cacheDirectory();
  if (directory.empty())
    return "";
  std::string text =
      (kSolverVersion + (wish.inStep ? " in step\n" : "\n") +
       Twine(budget.steps) + "\n" + Twine(wish.beside) + "\n" + toJson(problem))
          .str();
  auto digest = SHA256::hash(arrayRefFromStringRef(text));
  SmallString<128> path(directory);
  sys::path::append(path, "schedules",
                    toHex(ArrayRef(digest).take_front(16), true) + ".json");
  return path.str().str();
}

static std::optional<Solution> readSolution(StringRef path,
                                            const Problem &problem) {
  std::string reason;
  auto file = heddle::readFile(path, reason);
  if (!file)
    return std::nullopt;
  Solution solution;
  if (!fromJson(file->getBuffer(), solution).empty() ||
      !verify(problem, solution).empty())
    return std::nullopt;
  return solution;
}

static void writeSolution(StringRef path, const Solution &solution) {
  if (sys::fs::create_directories(sys::path::parent_path(path)))
    return;
  (void)heddle::writeFile(path, toJson(solution) + "\n");
}

static Outcome solveOnce(const Problem &problem, const Wish &wish,
                         Budget budget) {
  Outcome outcome;
  if (outcome.reason = problem.check(); !outcome.reason.empty())
    return outcome;
  std::string path = fileFor(problem, wish, budget);
  if (!path.empty())
    outcome.solution = readSolution(path, problem);
  if (outcome.solution) {
    outcome.lowerBound = minII(problem);
    return outcome;
  }
  outcome = solveWish(problem, wish, budget);
  if (outcome.solution && !path.empty())
    writeSolution(path, *outcome.solution);
  return outcome;
}

Outcome heddle::schedule::solveExactlyOnce(const Problem &problem,
                                           Budget budget, int64_t beside) {
  Wish wish;
  wish.beside = beside;
  return solveOnce(problem, wish, budget);
}

Outcome heddle::schedule::solveInStepOnce(const Problem &problem,
                                          Budget budget) {
  Wish wish;
  wish.inStep = true;
  return solveOnce(problem, wish, budget);
}
