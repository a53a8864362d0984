//===- Conflict.cpp - Why a space has no points ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A space without points is a mistake in two or three of its constraints, and
// its author wants to know which. Leaving out one after the other gives a set
// from which none can be missing; then all smaller sets are tried, the smallest
// first. Both end where it takes too long.
//
//===----------------------------------------------------------------------===//

#include "SpaceParts.h"

using namespace heddle::tuner;

static constexpr int kMostSets = 2000;
static constexpr size_t kMostChoices = size_t(1) << 24; // about a second

namespace {

class ConflictSearch {
public:
  ConflictSearch(const DiagramInput &component,
                 llvm::ArrayRef<const Expression *> always,
                 llvm::ArrayRef<const Expression *> candidates)
      : input(component), always(always), candidates(candidates) {
    input.tries = &choices;
  }

  std::vector<int> run(Conflict &verdict) {
    std::vector<int> set(candidates.size());
    for (size_t k = 0; k < set.size(); ++k)
      set[k] = int(k);
    for (size_t k = set.size(); k-- > 0 && !isOver();) {
      std::vector<int> without = set;
      without.erase(without.begin() + long(k));
      if (excludesAll(without))
        set = without;
    }
    if (isOver()) {
      verdict = Conflict::Some;
      return set;
    }
    verdict = Conflict::Smallest;
    for (size_t size = 0; size < set.size(); ++size) {
      std::vector<int> smaller;
      if (searchFrom(0, size, smaller))
        return smaller;
    }
    if (isOver())
      verdict = Conflict::Irreducible;
    return set;
  }

private:
  bool isOver() const { return sets >= kMostSets || choices >= kMostChoices; }

  bool excludesAll(const std::vector<int> &set) {
    ++sets;
    input.mostTries = kMostChoices - std::min(choices, kMostChoices);
    input.constraints.assign(always.begin(), always.end());
    for (int index : set)
      input.constraints.push_back(candidates[size_t(index)]);
    Diagram diagram;
    return buildDiagram(input, diagram).empty() && diagram.count() == 0;
  }

  /// Tries all ways to add `more` candidates from number `from` on.
  bool searchFrom(size_t from, size_t more, std::vector<int> &set) {
    if (more == 0)
      return excludesAll(set);
    for (size_t k = from; k + more <= candidates.size(); ++k) {
      if (isOver())
        return false;
      set.push_back(int(k));
      if (searchFrom(k + 1, more - 1, set))
        return true;
      set.pop_back();
    }
    return false;
  }

  DiagramInput input;
  llvm::ArrayRef<const Expression *> always, candidates;
  int sets = 0;
  size_t choices = 0;
};

} // namespace

std::vector<int> heddle::tuner::findConflict(
    const DiagramInput &component, llvm::ArrayRef<const Expression *> always,
    llvm::ArrayRef<const Expression *> candidates, Conflict &verdict) {
  return ConflictSearch(component, always, candidates).run(verdict);
}
