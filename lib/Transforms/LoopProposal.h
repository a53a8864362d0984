//===- LoopProposal.h - Plans for all loops of a kernel -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's loops are planned together: how many blocks share a
// multiprocessor, and how many processes keep memory to store through, is one
// number for all of them. A proposal is what comes of one choice of these.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_LOOPPROPOSAL_H
#define HEDDLE_LIB_TRANSFORMS_LOOPPROPOSAL_H

#include "OperationCosts.h"
#include "SeveralLoops.h"

#include "heddle/Analysis/Products.h"
#include "heddle/Plan/Choose.h"

#include "llvm/ADT/StringSet.h"

namespace heddle {

/// Of all loops, if so many blocks share a multiprocessor.
struct Proposal {
  int64_t blocks = 1;
  machine::Costs costs; ///< of a block's share
  std::vector<SolvedLoop> loops;

  bool isSolved() const {
    return llvm::all_of(loops, [](const SolvedLoop &solved) {
      return solved.plan.outcome.solution.has_value();
    });
  }
  double cycles() const {
    double sum = 0;
    for (const SolvedLoop &solved : loops)
      sum += plan::cyclesEach(solved.described.problem, solved.plan, blocks);
    return sum;
  }
  int64_t subTiles() const {
    int64_t most = 0;
    for (const SolvedLoop &solved : loops)
      most = std::max<int64_t>(most, solved.exported.problem.subTiles);
    return most;
  }
  /// Processes that do more than load: they hold what the kernel stores.
  int64_t storing() const {
    llvm::StringSet<> holders;
    for (const SolvedLoop &solved : loops) {
      const schedule::Solution &solution = *solved.plan.outcome.solution;
      for (auto [operation, process] : llvm::zip_equal(
               solved.exported.problem.operations, solution.process))
        if (!operation.variableLatency)
          holders.insert(solution.processes[process].name);
    }
    return holders.size();
  }
  std::vector<schedule::Process> processes() const {
    return processesOf(loops, registers());
  }
  /// In a lane of all warps.
  int64_t registers() const {
    return costs.limits.registersPerMultiprocessor / 32;
  }
  bool fitsRegisters() const { return registersOf(processes()) <= registers(); }
  int64_t threads() const {
    int64_t sum = 0;
    for (const schedule::Process &process : processes())
      sum += 32 * llvm::alignTo(process.warps, 4);
    return sum;
  }
  /// ptxas gives a product no register that the launch does not, whatever the
  /// process has later.
  bool fitsProducts() const {
    int64_t launched = machine::launchRegisters(costs.limits, threads());
    return llvm::all_of(loops, [&](const SolvedLoop &solved) {
      return llvm::all_of(solved.exported.ops, [&](mlir::Operation *op) {
        auto dot = llvm::dyn_cast<tile::DotOp>(op);
        return !dot || costs.tensorMemory.columns > 0 ||
               formOf(dot, costs) != ProductForm::Group ||
               registersOf(llvm::cast<mlir::RankedTensorType>(
                               dot.getResult().getType()),
                           costs) +
                       costs.limits.productRegisters <=
                   launched;
      });
    });
  }
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_LOOPPROPOSAL_H
