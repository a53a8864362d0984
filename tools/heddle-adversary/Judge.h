//===- Judge.h - The checker's verdict against the model --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of one kernel on the hopper rung. Out: what the rung's verifier
// and the checker say of it, what the model found for some small launches, and
// whether both can be true.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_JUDGE_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_JUDGE_H

#include "Explore.h"

#include <set>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace heddle::adversary {

/// The launches to try: all of a few small ones, or a choice among them that
/// `seed` decides.
std::vector<Launch> chooseLaunches(const Kernel &kernel, size_t most,
                                   uint64_t seed);

/// Parts of a protocol that can be kept from the checker.
enum class Blindness {
  None,
  Fences,       ///< every write is fenced
  Accumulators, ///< products have registers of their own
  Width,        ///< constants have 32 bits
  Signs,        ///< i1 true is 1
  Stores,       ///< waits for TMA stores leave none
  Sizes,        ///< who writes a part of a slot writes all of it
  Copies,       ///< copies under way have ended when they were issued
};

enum class Verdict { Invalid, Refused, Proved, Counterexample, NotProved };
const char *spelling(Verdict verdict);

enum class Conflict {
  None,
  FalseProof,
  FalseCounterexample, ///< the model finds no fault in any launch
  WrongArguments,      ///< there is a fault, but not with these arguments
  Model,               ///< the model's two ways disagree: a bug of its own
};
const char *spelling(Conflict conflict);

struct JudgeOptions {
  size_t launches = 24;
  /// For all orders of one launch, and of all launches of a program.
  int64_t statesOfLaunch = 1500, statesOfProgram = 3000;
  int64_t checkerStates = 2000;
  /// Faults that do not count: by the words of the model.
  std::set<std::string> ignored;
  /// What the checker is not told, to see that it is missed.
  Blindness blindness = Blindness::None;
};

struct Opinion {
  Verdict verdict = Verdict::Invalid;
  Conflict conflict = Conflict::None;
  std::string message; ///< of the verifier or the checker
  Finding finding;     ///< Fine: in all launches
  std::string launch;  ///< with which
  /// Of a counterexample that the model neither confirms nor refutes, and of a
  /// kernel without a fault some launches of which it cannot follow: why.
  std::string openBecause;
  int64_t states = 0;
  int launches = 0, allOrders = 0;
};

Opinion judge(const std::string &text, mlir::MLIRContext &context,
              const JudgeOptions &options);

/// Of a fault of the model, the words that name its kind.
std::string kindOf(const std::string &fault);

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_JUDGE_H
