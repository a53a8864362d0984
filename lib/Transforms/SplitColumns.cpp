//===- SplitColumns.cpp - Narrower products for sums in two levels --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a distributed kernel with names. Out: where a product starts from zero
// and is added to a sum that its loop carries, and the registers of the
// processes do not hold both, the product and what goes with it in as many
// parts along the columns as are needed. A process has one partial sum after
// the other, so that halves of 128 columns take 128 registers for sums and 64
// for a partial one where the whole takes twice 128. Stands before `split`,
// which makes sub-tiles of each part.
//
//===----------------------------------------------------------------------===//

#include "OperationCosts.h"

#include "heddle/Analysis/DelayedSums.h"
#include "heddle/Analysis/FindCosts.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Transforms/Passes.h"
#include "heddle/Transforms/SplitTiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_SPLITCOLUMNS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// The sum that an operation of the product's loop adds the product to, if the
/// loop carries it on.
bool isPartialSum(tile::DotOp dot) {
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (!loop || !isZero(dot.getAcc()))
    return false;
  return llvm::any_of(dot.getResult().getUsers(), [&](Operation *user) {
    return user->getBlock() == loop.getBody() &&
           user->hasTrait<OpTrait::Elementwise>() &&
           llvm::is_contained(loop.getYieldedValues(), user->getResult(0)) &&
           llvm::any_of(user->getOperands(), [&](Value operand) {
             return llvm::is_contained(loop.getRegionIterArgs(), operand);
           });
  });
}

class Cutter {
public:
  Cutter(const machine::Costs &costs) : costs(costs) {}

  /// The fewest parts of the product's columns with which its sums fit; 1 where
  /// no number of parts makes them fit, or the rows are not those of sub-tiles.
  int64_t partsFor(tile::DotOp dot) const {
    auto type = cast<RankedTensorType>(dot.getResult().getType());
    int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
    int64_t height = int64_t(costs.tensor.rows);
    if (rows % height)
      return 1;
    int64_t subTiles = rows / height;
    int64_t sum = registersOf(type, costs) / subTiles;
    int64_t carried = 0;
    auto loop = cast<scf::ForOp>(dot->getParentOp());
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (auto tile = dyn_cast<RankedTensorType>(argument.getType()))
        carried += registersOf(tile, costs) / subTiles;
    int64_t step = costs.limits.productColumnStep;
    for (int64_t parts = 1; columns / parts >= step; parts *= 2)
      if (columns % (parts * step) == 0 && fits(subTiles, carried, sum / parts))
        return parts;
    return 1;
  }

private:
  /// In some number of processes, each with as many sub-tiles.
  bool fits(int64_t subTiles, int64_t carried, int64_t partial) const {
    for (int64_t processes = 1; processes <= subTiles; ++processes) {
      // One of several would leave the unit idle while it waits.
      if (subTiles % processes || (processes == 1 && subTiles > 1))
        continue;
      int64_t need = subTiles / processes * carried + partial +
                     int64_t(costs.registers.overhead);
      if (need <= registersEach(processes))
        return true;
    }
    return false;
  }

  /// Of a thread, beside a process that loads.
  int64_t registersEach(int64_t processes) const {
    int64_t groups = processes + 1;
    int64_t lane =
        costs.limits.registersPerMultiprocessor / costs.limits.threadsPerGroup;
    int64_t left =
        lane / groups / 8 * 8 * groups - int64_t(costs.registers.loader);
    return std::min(int64_t(costs.registers.most), left / processes / 8 * 8);
  }

  const machine::Costs &costs;
};

struct SplitColumnsPass : heddle::impl::SplitColumnsBase<SplitColumnsPass> {
  using SplitColumnsBase::SplitColumnsBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    // Where products leave their sums in a memory of their own, no thread holds
    // them.
    if (costs.tensorMemory.columns > 0)
      return;
    getOperation().walk([&](tile::KernelOp kernel) { cut(kernel, costs); });
  }

  /// What goes with a product is cut with it, so each is looked at as it is
  /// then.
  void cut(tile::KernelOp kernel, const machine::Costs &costs) {
    Cutter cutter(costs);
    while (true) {
      tile::DotOp wide;
      int64_t parts = 1;
      kernel.walk([&](tile::DotOp dot) {
        if (!isPartialSum(dot))
          return WalkResult::advance();
        parts = cutter.partsFor(dot);
        wide = parts > 1 ? dot : tile::DotOp();
        return wide ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (!wide)
        return;
      int64_t columns =
          cast<RankedTensorType>(wide.getResult().getType()).getDimSize(1);
      if (SplitObstacle obstacle = splitColumns(kernel, wide, columns / parts);
          obstacle.op) {
        report(obstacle.op, diag::not_split)
            << "tiles of @" << kernel.getSymName()
            << " keep their columns: " << obstacle.reason;
        return;
      }
    }
  }
};

} // namespace
