//===- Explain.h - Timelines for people -------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pictures need nothing from outside: no script, no font, no style sheet. The
// same timelines give the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_EXPLAIN_H
#define HEDDLE_SCHEDULE_EXPLAIN_H

#include "heddle/Schedule/Timeline.h"

namespace heddle::schedule {

/// One loop's steady state, to be drawn or told.
struct Explanation {
  Timeline timeline;
  int64_t begin = 0, end = 0; ///< the cycles to draw, in whole intervals
  std::vector<std::string> sentences;
};

/// Two intervals of a pipelined loop, or three if it has few operations, which
/// are readable at a smaller scale.
int64_t intervalsShown(const Problem &problem);

/// Unrolls as many iterations of the steady state as a picture shows; of a loop
/// that is not pipelined, one.
Explanation explain(const std::string &kernel, const Problem &problem,
                    const Solution &solution, bool isPipelined);

/// Whether the processes of sub-tiles are staggered; nothing of one process.
std::vector<std::string> describeReplicas(const Problem &problem,
                                          const Solution &solution);

/// The heuristic's interval beside the solution's; nothing where they agree.
std::vector<std::string> describeHeuristic(const Problem &problem,
                                           const Solution &solution);

/// What fewer or more processes that compute would give, solved by the
/// heuristic; `solution` says how many there are.
std::vector<std::string> describeGroups(const Problem &problem,
                                        const Solution &solution);

/// The loops below one another:
///
///              |<----- II = 1000 cycles ----->|
///   load       [b n+2][a n+2]        ...                issue, and waits
///   mma.0      [dot n+1]                                (what is in flight
///                 ======== dot n+1 ========              stands below)
///   tensor          [dot.0 n+1][dot.1 n]                execution
///   loads 0    [ filling n+2 ][ full ][ read n ]        slots
std::string drawSvg(const std::vector<Explanation> &loops);

/// Sentences below a heading.
struct Chapter {
  std::string title;
  std::vector<std::string> sentences;
};

/// A page with that picture, the sentences, those of `further` and the table
/// (plain text).
std::string drawHtml(const std::vector<Explanation> &loops,
                     const std::string &title, const std::string &table,
                     const std::vector<Chapter> &further = {});

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_EXPLAIN_H
