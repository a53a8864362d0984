//===- Certificate.cpp - What a certificate claims, derived again ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Certificate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace heddle::schedule;

static std::string text(int64_t value) { return std::to_string(value); }

static std::string queryOf(const Problem &problem,
                           const Refutation &refutation) {
  return refutationQuery(problem, refutation.ii, {}, refutation.footprints);
}

static std::string hashOfQuery(const Problem &problem,
                               const Refutation &refutation) {
  std::string query = queryOf(problem, refutation);
  llvm::SHA256 hash;
  hash.update(query);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

/// The least II that neither the bound nor a refutation excludes. Without
/// footprints a refutation holds for all shorter intervals. With them it says
/// nothing of its neighbours, so only those that follow on count.
static int64_t leastOpen(const CertifiedLoop &loop) {
  int64_t least = std::max<int64_t>(1, loop.bound.ii);
  for (const Refutation &refutation : loop.refuted)
    if (refutation.ii == least || !refutation.footprints)
      least = std::max(least, refutation.ii + 1);
  return least;
}

/// "32 to 39", "up to 32" or "32, 35 to 37".
static std::string listIntervals(const std::vector<Refutation> &refuted) {
  std::string list;
  size_t i = 0;
  for (size_t known = 0; known < refuted.size(); ++known)
    if (!refuted[known].footprints) {
      list = "up to " + text(refuted[known].ii);
      i = known + 1;
    }
  while (i < refuted.size()) {
    size_t last = i;
    while (last + 1 < refuted.size() &&
           refuted[last + 1].ii == refuted[last].ii + 1)
      ++last;
    list += (list.empty() ? "" : ", ") + text(refuted[i].ii);
    if (last > i)
      list += " to " + text(refuted[last].ii);
    i = last + 1;
  }
  return list;
}

CertifiedLoop
heddle::schedule::certificateOf(const Problem &problem,
                                const Solution &solution,
                                const std::vector<Refutation> &refuted) {
  CertifiedLoop loop;
  loop.problem = problem;
  loop.solution = solution;
  loop.ii = solution.ii;
  loop.bound = strengthen(problem, findBound(problem), solution.ii);
  for (Refutation refutation : refuted)
    if (refutation.ii >= loop.bound.ii && refutation.ii < solution.ii) {
      refutation.query = hashOfQuery(problem, refutation);
      loop.refuted.push_back(refutation);
    }
  loop.gap = loop.ii - leastOpen(loop);
  loop.optimal = loop.gap == 0;
  return loop;
}

/// What needs no solver; empty if it holds.
static std::string findFault(const CertifiedLoop &loop) {
  if (std::string reason = certify(loop.problem, loop.solution);
      !reason.empty())
    return "the schedule is not legal: " + reason;
  if (loop.ii != loop.solution.ii)
    return "the certificate claims II " + text(loop.ii) +
           ", and its schedule has II " + text(loop.solution.ii);
  if (std::string reason = checkBound(loop.problem, loop.bound);
      !reason.empty())
    return "the lower bound " + text(loop.bound.ii) +
           " is not proved: " + reason;
  if (loop.bound.ii > loop.ii)
    return "the lower bound " + text(loop.bound.ii) + " is above II " +
           text(loop.ii);
  for (size_t i = 0; i < loop.refuted.size(); ++i) {
    const Refutation &refutation = loop.refuted[i];
    if (refutation.ii < 1 || refutation.ii >= loop.ii ||
        (i > 0 && refutation.ii <= loop.refuted[i - 1].ii))
      return "refuted intervals rise and are below II " + text(loop.ii) +
             ", but here is " + text(refutation.ii);
    if (refutation.query != hashOfQuery(loop.problem, refutation))
      return "the query that refuted II " + text(refutation.ii) +
             " is not the one that this problem has";
  }
  int64_t gap = loop.ii - leastOpen(loop);
  if (gap != loop.gap)
    return "the gap is " + text(gap) + " cycles, and the certificate claims " +
           text(loop.gap);
  if (loop.optimal != (gap == 0))
    return loop.optimal ? "the schedule is called optimal, with a gap of " +
                              text(gap) + " cycles"
                        : "the schedule is not called optimal, but there is "
                          "no gap";
  return "";
}

/// What is known of the loop if all its claims hold.
static std::string summary(const CertifiedLoop &loop) {
  std::string result = "II " + text(loop.ii);
  result += loop.optimal
                ? ", optimal"
                : ", at most " + text(loop.gap) + " cycles above the least";
  result += " (" + describe(loop.problem, loop.bound);
  if (!loop.refuted.empty())
    result += "; II " + listIntervals(loop.refuted) + " refuted";
  return result + ")";
}

Verdict heddle::schedule::recheck(const CertifiedLoop &loop,
                                  const std::string &solver, unsigned seconds) {
  if (std::string fault = findFault(loop); !fault.empty())
    return {Verdict::Objected, fault};
  if (!loop.refuted.empty() && solver.empty())
    return {Verdict::NotRechecked,
            "II " + text(loop.ii) + " is legal, and " +
                describe(loop.problem, loop.bound) + "; that II " +
                listIntervals(loop.refuted) +
                " is refuted is not re-checked without a solver"};
  for (const Refutation &refutation : loop.refuted) {
    std::string reason;
    switch (ask(solver, queryOf(loop.problem, refutation), seconds, reason)) {
    case Answer::Unsat:
      break;
    case Answer::Sat:
      return {Verdict::Objected,
              "'" + solver + "' does not refute II " + text(refutation.ii)};
    case Answer::Unknown:
      return {Verdict::NotRechecked,
              "II " + text(refutation.ii) + " is not re-checked: " + reason};
    }
  }
  return {Verdict::Certified, summary(loop)};
}
