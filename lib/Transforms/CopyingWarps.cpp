//===- CopyingWarps.cpp - How many warps copy what TMA cannot -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyingWarps.h"

#include "OperationCosts.h"

#include "heddle/Dialect/Hopper/HostScalar.h"
#include "heddle/Machine/Times.h"
#include "heddle/Schedule/Partial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;

bool heddle::isCopiedByThreads(tile::LoadOp load) {
  Operation *view = load.getView().getDefiningOp();
  while (isa_and_nonnull<tile::WindowOp, tile::MergeOp>(view))
    view = view->getOperand(0).getDefiningOp();
  auto made = dyn_cast_or_null<tile::MakeViewOp>(view);
  return made && !hopper::isMadeAtLaunch(made);
}

/// The load of operation `index`, if threads copy it.
static tile::LoadOp findCopy(const LoopProblem &exported, size_t index) {
  auto load = dyn_cast<tile::LoadOp>(exported.ops[index]);
  return load && isCopiedByThreads(load) ? load : tile::LoadOp();
}

static bool waitsForCopies(const SolvedLoop &solved, double error) {
  int64_t issued = 0;
  for (auto [index, operation] :
       llvm::enumerate(solved.exported.problem.operations))
    if (findCopy(solved.exported, index))
      issued += operation.issue;
  return double(issued) >=
         (1 - error) * double(solved.plan.outcome.solution->ii);
}

bool heddle::wantsCopiers(tile::KernelOp kernel, ArrayRef<SolvedLoop> loops,
                          const machine::Costs &costs, int64_t groups) {
  if (llvm::none_of(loops, [&](const SolvedLoop &solved) {
        return waitsForCopies(solved, costs.choices.modelError);
      }))
    return false;
  int64_t at = costs.limits.accessBytes * costs.limits.threadsPerGroup * groups;
  bool divide = true;
  kernel.walk([&](tile::LoadOp load) {
    auto type = cast<RankedTensorType>(load.getResult().getType());
    divide &= !isCopiedByThreads(load) || type.getRank() < 2 ||
              tileBytes(type) % at == 0;
  });
  return divide;
}

void heddle::divideCopies(LoopProblem &exported, const machine::Costs &costs,
                          llvm::function_ref<int64_t(tile::LoadOp)> groupsOf) {
  for (auto [index, operation] : llvm::enumerate(exported.problem.operations)) {
    tile::LoadOp load = findCopy(exported, index);
    int64_t groups = load ? groupsOf(load) : 1;
    if (groups <= 1)
      continue;
    int64_t bytes =
        tileBytes(cast<RankedTensorType>(load.getResult().getType()));
    // All groups share what the multiprocessor moves at a time.
    machine::Span part = machine::Times(costs).ofThreadCopy(
        double(llvm::divideCeil(bytes, groups)));
    operation.issue = part.issue;
    operation.latency = part.latency;
  }
}

bool heddle::widenCopiers(const LoopProblem &exported,
                          const schedule::Problem &problem, int64_t groups,
                          const machine::Costs &costs,
                          schedule::Solution &solution) {
  if (groups == 1)
    return true;
  schedule::Partial wide;
  for (size_t index = 0; index < exported.ops.size(); ++index)
    if (findCopy(exported, index))
      wide.processes.push_back(
          {solution.processes[size_t(solution.process[index])].name, 4 * groups,
           int64_t(costs.registers.copyingLeast)});
  schedule::conform(problem, wide, solution);
  return schedule::whyNotKept(problem, solution, wide).empty();
}
