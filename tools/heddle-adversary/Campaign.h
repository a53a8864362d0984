//===- Campaign.h - Many seeds, each within its limits ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are judged in processes of their own, some hundred in each, with a
// timer for every one: a crash or a hang of the verifier or the checker is a
// finding about that seed, and the campaign goes on behind it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_CAMPAIGN_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_CAMPAIGN_H

#include "Judge.h"

#include <array>
#include <functional>
#include <optional>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace heddle::adversary {

struct Judged {
  uint64_t seed = 0;
  bool crashed = false, hung = false;
  Opinion opinion;
  int64_t micros = 0;
};

/// Judges `text(seed)` for `count` seeds, by `jobs` processes at once, each for
/// at most `seconds` of CPU, and hands over what came out, in any order.
void judgeMany(uint64_t first, uint64_t count, int jobs, int seconds,
               const JudgeOptions &options,
               const std::function<std::string(uint64_t)> &text,
               const std::function<void(const Judged &)> &take);

/// A message without names and numbers.
std::string general(const std::string &message);

/// What came out, counted.
class Tally {
public:
  void add(const Judged &judged);
  void print(llvm::raw_ostream &os) const;
  /// Neither conflicts, nor crashes, nor hangs.
  bool isFine() const;

private:
  int64_t programs = 0, crashes = 0, hangs = 0;
  int64_t launches = 0, allOrders = 0, states = 0, micros = 0, slowest = 0;
  std::map<Verdict, int64_t> verdicts;
  std::map<Conflict, int64_t> conflicts;
  /// By what the model found: how often, by verdict.
  std::map<std::string, std::map<Verdict, int64_t>> kinds;
  std::map<std::string, int64_t> reasons;
  /// Why the model says nothing, of kernels without a counterexample and with.
  std::array<std::map<std::string, int64_t>, 2> open;
};

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_CAMPAIGN_H
