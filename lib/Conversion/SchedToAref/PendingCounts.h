//===- PendingCounts.h - How many later flights a wait may leave out -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the timetable of a process. Out: for each wait, how many later flights it
// may leave out. A unit's waits count flights and do not name them, so too
// large a number would let a wait return early; the expansion is played through
// for every trip count that could differ, up to three times the stages, and the
// least number is taken.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_PENDINGCOUNTS_H
#define HEDDLE_LIB_SCHEDTOAREF_PENDINGCOUNTS_H

#include "Timetable.h"

#include <map>

namespace heddle::expander {

/// Where in the expanded code an item stands: the same code is run by many trip
/// counts, and a wait in it must be right for all of them.
struct Place {
  enum Phase { Short, Prologue, Steady, Epilogue, After } phase = Steady;
  int64_t step = 0; ///< of the prologue, the epilogue or the short loop
  unsigned item = 0;
  int64_t trips = 0; ///< of a short loop
  auto operator<=>(const Place &) const = default;
};

/// For each wait, the number of flights of its unit that this process certainly
/// started after the one waited for. Units land flights in order, so leaving
/// more out would not wait.
class PendingCounts {
public:
  PendingCounts(const Facts &facts, const Timetable &table);

  int64_t at(Place place) const;
  /// The wait after the loop for what `start` (an item index) left in flight.
  int64_t after(unsigned start) const { return at({Place::After, 0, start}); }

private:
  struct Log;
  void runItem(Log &log, Place place, int64_t iteration);
  void runPipelined(int64_t trips);
  void runShort(int64_t trips);
  void finish(Log &log, int64_t trips);

  const Facts &facts;
  const Timetable &table;
  std::map<Place, int64_t> counts;
};

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_PENDINGCOUNTS_H
