//===- Certificate.h - KERNEL.cert.json -------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel's schedules claim and what proves it: for each loop the problem
// and its solution, a lower bound on II with a witness, and the intervals
// between them that search refuted. Whoever reads it needs no solver, but for
// the refutations, which any SMT solver repeats.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_CERTIFICATE_H
#define HEDDLE_SCHEDULE_CERTIFICATE_H

#include "heddle/Schedule/Certify.h"

#include "llvm/ADT/StringRef.h"

namespace heddle::schedule {

/// There is no schedule at `ii`, whoever does what; without footprints, nor at
/// any shorter interval.
struct Refutation {
  int64_t ii = 0;
  bool footprints = true; ///< does the query speak of registers and columns?
  std::string query = ""; ///< its SHA-256, in hexadecimal
};

struct CertifiedLoop {
  Problem problem;
  Solution solution;
  int64_t ii = 0; ///< of the solution
  Bound bound;
  std::vector<Refutation> refuted; ///< by rising II
  /// Cycles from the least II that is not excluded to the solution's.
  int64_t gap = 0;
  bool optimal = false;
};

struct Certificate {
  std::string kernel;
  std::vector<CertifiedLoop> loops;
  /// Lines that somebody pinned, and that the schedules keep. What is claimed
  /// is of all schedules, so it holds of those under these lines.
  std::vector<std::string> pinned = {};
};

/// The certificate of a solution, if certify has nothing against it. `refuted`
/// are intervals that the caller knows to have no schedule; the hashes of their
/// queries are filled in.
CertifiedLoop certificateOf(const Problem &problem, const Solution &solution,
                            const std::vector<Refutation> &refuted = {});

std::string toJson(const Certificate &certificate);
/// Empty, or one sentence with the path of what is wrong.
std::string fromJson(llvm::StringRef text, Certificate &certificate);

struct Verdict {
  enum Kind {
    Certified,    ///< all claims hold
    NotRechecked, ///< those that need no solver do
    Objected,     ///< one is wrong
  };
  Kind kind = Certified;
  std::string text; ///< what is certified, or what is wrong
};

/// Derives every claim again. Refutations are given to `solver`, a program, for
/// `seconds` each; without one they are not re-checked.
Verdict recheck(const CertifiedLoop &loop, const std::string &solver = "",
                unsigned seconds = 600);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_CERTIFICATE_H
