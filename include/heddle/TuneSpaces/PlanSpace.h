//===- PlanSpace.h - What may be chosen of a sparse program ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the terms of a program's statements, each with its legal nests. Out: a
// space for lib/Tuner whose points are a nest for each term: the order of its
// loops, where sums grow, the width of the vector axis, how far ahead rows are
// asked for, how many iterations a worker takes at once. What is no nest of the
// planner is refused before anything is measured; its cycles are the estimate.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNESPACES_PLANSPACE_H
#define HEDDLE_TUNESPACES_PLANSPACE_H

#include "heddle/Sparse/Plan.h"
#include "heddle/Tuner/Space.h"

#include <map>

namespace heddle::tunespaces {

/// A term and its legal nests, the planner's choice first.
struct PlanTerm {
  sparse::Statement statement;
  int term = 0;
  sparse::Statistics statistics;
  std::vector<sparse::Candidate> candidates;
};

class PlanSpace {
public:
  /// Errors: a program that leaves nothing to choose ([tuner-kernel]). The
  /// default point is the planner's choice.
  static llvm::Expected<PlanSpace> make(std::vector<PlanTerm> terms);

  const tuner::Space &space() const { return *points; }
  /// Whether each term has such a nest.
  bool isLegal(const tuner::Point &point) const;
  /// A nest for each term, in their order, of a legal point.
  std::vector<sparse::Nest> nestsOf(const tuner::Point &point) const;
  /// Modelled cycles of a legal point.
  double estimate(const tuner::Point &point) const;

private:
  /// What tells the nests of a term apart: the order of its indices, and the
  /// numbers of its way to sum and of its width.
  using Key = std::vector<int>;

  /// A term, and its parameters: each an index, or -1 where there is but one
  /// value.
  struct Choice {
    PlanTerm term;
    std::vector<int> indices; ///< what the items of an order stand for
    std::vector<std::string> ways;
    std::vector<int> widths;
    std::map<Key, size_t> byKey; ///< a candidate's index
    int order = -1, way = -1, width = -1, ahead = -1, chunk = -1;

    Key keyOf(const sparse::Nest &nest) const;
    Key keyOf(const tuner::Point &point) const;
  };

  PlanSpace() = default;
  void describe(Choice &choice, const std::string &prefix,
                std::vector<tuner::Parameter> &parameters,
                std::vector<tuner::Constraint> &constraints) const;
  sparse::Nest nestOf(const Choice &choice, const tuner::Point &point) const;

  std::vector<Choice> choices;
  std::optional<tuner::Space> points;
};

} // namespace heddle::tunespaces

#endif // HEDDLE_TUNESPACES_PLANSPACE_H
