//===- MergeInstances.cpp - A program's own loop over its work as instances ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose instance i does nothing but a loop over i, i + s, i + 2 s,
// ... below n, s being the number of instances or what the launch is asked to
// make of it: a persistent program. Out: n instances, each one iteration. How
// workers share them is `distribute`'s affair, whose loop is scheduled as one
// with what is in it.
//
//===----------------------------------------------------------------------===//

#include "LaunchValues.h"

#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle {
#define GEN_PASS_DEF_MERGEINSTANCES
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

class Merger {
public:
  Merger(tile::KernelOp kernel, tile::ParallelOp parallel, bool mayAssume)
      : kernel(kernel), parallel(parallel), mayAssume(mayAssume), forms(kernel),
        values(kernel, parallel, forms) {}

  void run() {
    loop = findLoop();
    if (!loop || readsWhatItWrites() || !chooseAxis())
      return;
    if (!mayAssume && !stepsByPrograms())
      return;
    if (isNothingCarried() && isIndexOnlyStart())
      merge();
  }

private:
  scf::ForOp findLoop();
  bool readsWhatItWrites();
  bool chooseAxis();
  /// Whether that is what a launch decides, and not a number of its own.
  bool stepsByPrograms() {
    return forms.scalar(loop.getStep()) ==
           forms.scalar(parallel.getBounds()[axis]);
  }
  bool isNothingCarried();
  bool isIndexOnlyStart();
  void demand(arith::CmpIPredicate predicate, Value left, Value right,
              StringRef message, bool isAssumed);
  void merge();

  tile::KernelOp kernel;
  tile::ParallelOp parallel;
  bool mayAssume;
  AddressForms forms;
  LaunchValues values;
  scf::ForOp loop;
  unsigned axis = 0;
};

} // namespace

/// The loop that is all that an instance does.
scf::ForOp Merger::findLoop() {
  scf::ForOp found;
  for (Operation &op : parallel.getBody().front()) {
    if (isPure(&op) && !op.getNumRegions())
      continue;
    if (found || !isa<scf::ForOp>(op))
      return {};
    found = cast<scf::ForOp>(op);
  }
  bool isUsed = found && llvm::any_of(found.getResults(), [](Value result) {
                  return !result.use_empty();
                });
  return isUsed ? scf::ForOp() : found;
}

/// Whether an iteration may read what one before it wrote. Instances are not
/// ordered.
bool Merger::readsWhatItWrites() {
  std::vector<tile::MemoryAccess> accesses;
  loop.walk([&](Operation *op) {
    if (auto access = tile::memoryAccess(op))
      accesses.push_back(*access);
  });
  return llvm::any_of(accesses, [&](const tile::MemoryAccess &read) {
    return read.reads && llvm::any_of(accesses, [&](const auto &write) {
             return write.writes && tile::mayConflict(read, write);
           });
  });
}

/// Which index the loop begins with, and that a launch knows the rest.
bool Merger::chooseAxis() {
  Polynomial start = forms.scalar(loop.getLowerBound());
  for (BlockArgument index : parallel.getBody().getArguments())
    if (start == forms.scalar(index)) {
      axis = index.getArgNumber();
      return forms.isHost(forms.scalar(loop.getUpperBound())) &&
             forms.isHost(forms.scalar(loop.getStep()));
    }
  return false;
}

bool Merger::isNothingCarried() {
  return llvm::all_of(loop.getRegionIterArgs(),
                      [](Value argument) { return argument.use_empty(); });
}

/// Whether the instance's own index decides nothing but where the loop begins.
bool Merger::isIndexOnlyStart() {
  SmallVector<Value> pending = {parallel.getBody().getArgument(axis)};
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user == loop && use.getOperandNumber() == 0)
        continue;
      bool isInit = user == loop && use.getOperandNumber() > 2;
      bool isBefore = user->getBlock() == loop->getBlock() && user != loop;
      if (!isInit && !isBefore)
        return false;
      if (isBefore)
        llvm::append_range(pending, user->getResults());
    }
  return true;
}

void Merger::demand(arith::CmpIPredicate predicate, Value left, Value right,
                    StringRef message, bool isAssumed) {
  OpBuilder builder(parallel);
  Location loc = kernel.getLoc();
  Value holds = arith::CmpIOp::create(builder, loc, predicate, left, right);
  tile::AssertOp::create(builder, loc, holds, message, isAssumed);
}

void Merger::merge() {
  OpBuilder builder(parallel);
  Location loc = kernel.getLoc();
  Value count = parallel.getBounds()[axis];
  Value end =
      values.build(builder, loc, forms.scalar(loop.getUpperBound()), true);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value bound = arith::MaxSIOp::create(builder, loc, end, zero);
  if (stepsByPrograms()) {
    // Without a program nothing would be done.
    demand(arith::CmpIPredicate::slt, zero, count, "the grid has a program",
           /*isAssumed=*/false);
  } else {
    Value skipped =
        values.build(builder, loc, forms.scalar(loop.getStep()), true);
    StringRef message = "the grid has as many programs as a program's loop "
                        "over its work skips, or one for each iteration";
    demand(arith::CmpIPredicate::sle, count, skipped, message, true);
    demand(arith::CmpIPredicate::sle,
           arith::MinSIOp::create(builder, loc, end, skipped), count, message,
           true);
  }
  parallel->setOperand(axis, bound);
  loop.getInductionVar().replaceAllUsesWith(
      parallel.getBody().getArgument(axis));
  loop.getBody()->getTerminator()->erase();
  parallel.getBody().front().getOperations().splice(
      loop->getIterator(), loop.getBody()->getOperations());
  loop.erase();
}

namespace {

struct MergeInstancesPass
    : heddle::impl::MergeInstancesBase<MergeInstancesPass> {
  using MergeInstancesBase::MergeInstancesBase;

  void runOnOperation() override {
    getOperation().walk([&](tile::KernelOp kernel) {
      auto parallels = kernel.getOps<tile::ParallelOp>();
      if (llvm::hasSingleElement(parallels))
        Merger(kernel, *parallels.begin(), assume).run();
    });
  }
};

} // namespace
