//===- Plan.h - Which nests carry out a statement ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of a nest, the list of all legal ones, and the choice among them
// by symbols first and numbers then. In: a statement and what is known of its
// operands. Out: nests with a reason for each entry.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_PLAN_H
#define HEDDLE_SPARSE_PLAN_H

#include "heddle/Machine/Processor.h"
#include "heddle/Sparse/Statement.h"

#include <memory>

namespace heddle::sparse {

/// What a planner knows: an extent for each index, for each tensor how many
/// positions each of its levels has, the processor and the threads.
struct Statistics {
  std::vector<int64_t> extents;
  std::map<std::string, std::vector<int64_t>> counts;
  std::shared_ptr<const machine::Processor> machine; ///< null: the default
  int workers = 2;

  const machine::Processor &processor() const {
    return machine ? *machine : machine::defaultProcessor();
  }

  /// Where nothing is known: every extent 1024, each fiber of a sparse level
  /// eight elements long.
  static Statistics guess(const Statement &statement);
};

/// Empty, and `loops` how each index is iterated, if operands can be walked in
/// this order; else why not.
std::string deriveLoops(const Statement &statement, int term,
                        const std::vector<int> &order,
                        std::vector<std::string> &loops);

/// Empty if the nest carries out its term; else what to change.
std::string whyIllegal(const Statement &statement, const Nest &nest);

/// The factor of the nest's term that a result with the positions of an operand
/// has them of. A tensor may stand in a term twice: that with the result's
/// indices, if there is one. -1: no factor has the name.
int findPattern(const Statement &statement, const Nest &nest);

/// Whether the nest writes every element of the result: its loops over them
/// leave none out.
bool coversResult(const Statement &statement, const Nest &nest);

/// Whether the nest, which is that of the last term, computes the statement's
/// functions as it writes elements, and leaves none out.
bool finishesElements(const Statement &statement, const Nest &nest);

/// A product of extents and element counts, as "i*nnz(A)".
struct Monomial {
  std::map<std::string, int> factors;
  std::string text() const;
};

/// A legal nest and what it costs.
struct Candidate {
  Nest nest;
  /// How often each loop's body runs, from the outermost in: in symbols, and
  /// by the statistics with lanes and tiles as they are.
  std::vector<Monomial> iterations;
  std::vector<double> visits;
  double cost = 0; ///< modelled cycles
  /// It has at least the iterations of the best for all sizes.
  bool isDominated = false;
  /// Why it is not better than the best; empty for that.
  std::string rejected;
};

/// The largest monomial: what the nest costs in symbols.
std::string describeCost(const Candidate &candidate);

/// All legal nests of a term, the best first, each other with a reason. Empty,
/// and `error` says why, if there is none.
std::vector<Candidate> plan(const Statement &statement, int term,
                            const Statistics &statistics, std::string &error);

/// What a legal nest costs.
double modelledCycles(const Statement &statement, const Statistics &statistics,
                      const Nest &nest);

/// The order that a greedy search with fixed densities finds, as Scorch does
/// it.
std::vector<int> greedyOrder(const Statement &statement, int term,
                             const Statistics &statistics);

/// The place of the first candidate in this order, or in the legal one that is
/// nearest to it: what is not the order is as the planner has it.
size_t chooseGreedily(const Statement &statement, int term,
                      const Statistics &statistics,
                      const std::vector<Candidate> &candidates);

/// Whether a term has a legal nest: what `plan` would find, looked for up to
/// the first one.
bool isPlannable(const Statement &statement, int term,
                 const Statistics &statistics);

std::string spell(Into into);
std::string spell(Assemble assemble, const std::string &pattern);

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_PLAN_H
