//===- Prove.h - Proves the barrier protocol of a kernel --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every trip count, 0 and 1 included, and every order in which the threads
// and engines may run. docs/rationale/check.md says why the method is sound.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CHECK_PROVE_H
#define HEDDLE_CHECK_PROVE_H

#include "heddle/Check/Protocol.h"

#include <map>
#include <optional>

namespace heddle::check {

enum class Property {
  Turns,     ///< all sides take equal turns, in step with slot and phase
  Phases,    ///< no barrier is a phase ahead of one who waits for it
  Arrivals,  ///< each phase gets as many arrivals as its barrier counts
  Bytes,     ///< the copies of a turn deliver what was announced
  Held,      ///< who waits for a slot holds fewer than the ring has
  Order,     ///< conflicting accesses of shared memory are ordered
  Fences,    ///< generic writes are fenced before the async proxy meets them
  Flights,   ///< a wgmma has landed where its wait says so
  Barriers,  ///< named barriers are used by the threads that they count
  Deadlock,  ///< somebody can always go on
  Registers, ///< budgets fit the launch's pool
  Places,    ///< barriers lie apart from each other and from slots
};
inline constexpr int kProperties = 12;

/// "equal turns", ...
const char *describe(Property property);

enum class Verdict { Proved, Counterexample, NotProved };

/// One event of a counterexample.
struct TraceStep {
  std::string process, what, place;
};

/// How often a loop ran, in a counterexample.
struct TripCount {
  std::string what; ///< "the loop at FILE:LINE:COLUMN"
  std::string when; ///< "in iteration 2 of the loop at ...", or empty
  int64_t trips = 0;
  bool isExact = true; ///< else at least so often
};

struct Fault {
  Property property = Property::Order;
  std::string ring;    ///< the ring it is about, or empty
  std::string process; ///< who found out
  std::string message, place;
  bool isInTheEnd = false; ///< only what is left in the end is wrong
  std::vector<TripCount> trips;
  /// Values of symbols ("dim(a, 1)") that lead there on one thread block.
  std::map<std::string, int64_t> arguments;
  std::vector<TraceStep> trace; ///< in an order that shows it; the last steps
};

struct Result {
  Verdict verdict = Verdict::Proved;
  std::optional<Fault> fault; ///< unless it is proved
  /// Of NotProved: a sentence that says what stands in the way.
  std::string reason;
  /// NotProved: registers of a product in flight would have to be moved, which
  /// code does in silence.
  bool movesFlights = false;
  /// What the proof takes for granted of this kernel: "the loop at ... ends".
  std::vector<std::string> assumptions;
  int64_t states = 0; ///< that the exploration distinguished
};

struct Limits {
  int64_t states = 60000;           ///< some 20 KB each
  int64_t bytes = int64_t(2) << 30; ///< of all states, where they are larger
  int64_t steps = 50000000;         ///< between two decisions
  int traceSteps = 24;
};

Result prove(const Protocol &protocol, const Limits &limits = {});

/// What is wrong, or stands in the way; empty where it is proved.
std::string describe(const Result &result);

} // namespace heddle::check

#endif // HEDDLE_CHECK_PROVE_H
