//===- KernelWork.cpp - The loops of a kernel as plain data ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Transforms/KernelWork.h"

#include "ExportProblem.h"
#include "OperationCosts.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heddle;

namespace {

class WorkReader {
public:
  WorkReader(tile::KernelOp kernel, const machine::Costs &costs)
      : kernel(kernel), costs(costs) {
    for (tile::LoadOp load : operandsFromOutside(kernel))
      ahead.insert(load);
    if (sched::PlanOp plan = sched::findPlan(kernel))
      plan.walk([&](sched::EntryOp entry) {
        if (entry.getLate())
          late.insert(entry.getOp());
      });
  }

  LoopWork read(Operation *loop) {
    LoopWork work;
    work.loop = loop;
    llvm::DenseSet<Operation *> exported;
    if (auto counted = dyn_cast<scf::ForOp>(loop)) {
      LoopProblem problem = exportProblem(kernel, counted, costs);
      work.problem = std::move(problem.problem);
      work.isPipelined = isPipelined(counted);
      for (Operation *op : problem.ops) {
        work.isAhead.push_back(ahead.contains(op));
        exported.insert(op);
      }
    } else {
      work.problem.units = unitsOfMultiprocessor();
    }
    loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == loop)
        return WalkResult::advance();
      if (isa<scf::ForOp, scf::WhileOp>(op)) {
        work.inner.push_back(read(op));
        return WalkResult::skip();
      }
      countBytes(op, work);
      bool isOwn = exported.contains(op);
      if (!isOwn && sched::isScheduled(op)) { // in a conditional
        work.problem.operations.push_back(describe(op, costs));
        work.isAhead.push_back(false);
        isOwn = true;
      }
      return isOwn ? WalkResult::skip() : WalkResult::advance();
    });
    return work;
  }

private:
  void countBytes(Operation *op, LoopWork &work) const {
    int64_t bytes = 0;
    auto count = [&](Type type) {
      auto tile = dyn_cast<RankedTensorType>(type);
      if (tile && tile.getElementType().isIntOrFloat())
        bytes = std::max(bytes, tileBytes(tile));
    };
    if (isa<tile::LoadOp, tile::GatherOp, tile::ViewGatherOp>(op)) {
      llvm::for_each(op->getResultTypes(), count);
      work.loadedBytes += bytes;
      if (auto load = dyn_cast<tile::LoadOp>(op); load && !load.getRows())
        if (auto array = dyn_cast<BlockArgument>(load.getView());
            array && isa<tile::KernelOp>(array.getOwner()->getParentOp()))
          work.bytesOfArrays[array.getArgNumber()] += bytes;
    } else if (isa<tile::StoreOp, tile::ScatterOp, tile::ViewScatterOp,
                   tile::ViewReduceOp, tile::AtomicRmwOp, tile::AtomicCasOp>(
                   op)) {
      llvm::for_each(op->getOperandTypes(), count);
      work.storedBytes += bytes;
      if (late.contains(sched::opName(op)))
        work.lateBytes += bytes;
    }
  }

  tile::KernelOp kernel;
  const machine::Costs &costs;
  llvm::DenseSet<Operation *> ahead;
  llvm::StringSet<> late;
};

} // namespace

LoopWork heddle::describeWork(tile::KernelOp kernel,
                              const machine::Costs &costs) {
  WorkReader reader(kernel, costs);
  for (Operation &op : kernel.getEntry())
    if (isa<scf::ForOp>(op) && sched::loopName(&op) == "tiles")
      return reader.read(&op);
  llvm_unreachable("a kernel that was not distributed");
}
