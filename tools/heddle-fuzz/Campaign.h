//===- Campaign.h - Many programs, one summary ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outcomes of programs go in; counts of verdicts come out, with the reasons of
// the declined ones. Messages of one cause differ in names and numbers, so
// `reasonOf` removes these: the summary lists causes, and the shrinker knows
// whether a smaller program is declined for the same one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_CAMPAIGN_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_CAMPAIGN_H

#include "Check.h"

#include "llvm/Support/raw_ostream.h"

#include <map>

namespace heddle::fuzz {

/// Counts verdicts and, for what was declined, reasons.
class Tally {
public:
  void add(const Outcome &outcome);
  int64_t count(Verdict verdict) const { return counts[size_t(verdict)]; }
  int64_t total() const;
  /// Nothing but agreement and diagnostics.
  bool isFine() const;
  void print(llvm::raw_ostream &os) const;

private:
  int64_t counts[7] = {};
  std::map<std::string, int64_t> reasons;
};

/// A message without its numbers and names, so that equal reasons count as
/// one; its id, if it has one.
std::string reasonOf(llvm::StringRef message);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_CAMPAIGN_H
