//===- MemoryOrder.cpp - Refuses orders that processes cannot keep ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryOrder.h"

#include "ExportProblem.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;

/// Whether `b` may come after `a` although it stands before it.
static bool shareLoop(Operation *a, Operation *b) {
  for (Operation *around = a->getParentOp(); around;
       around = around->getParentOp())
    if (tile::isOrderedLoop(around) && around->isProperAncestor(b))
      return true;
  return false;
}

LogicalResult heddle::checkMemoryOrder(tile::KernelOp kernel) {
  bool isPipelinedAnywhere = false;
  SmallVector<tile::MemoryAccess> accesses; // in program order
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    isPipelinedAnywhere |= loop && isPipelined(loop);
    if (std::optional<tile::MemoryAccess> access = tile::memoryAccess(op))
      accesses.push_back(*access);
  });
  if (!isPipelinedAnywhere)
    return success();
  for (const tile::MemoryAccess &access : accesses)
    if (tile::synchronises(access.op))
      return report(access.op, diag::memory_order)
             << "this update orders what the instance reads and writes before "
                "and behind it, and the processes of a pipelined kernel do not "
                "keep that order; use sem=\"relaxed\" if nothing depends on "
                "it, "
                "or make two kernels of it";
  for (auto [i, write] : llvm::enumerate(accesses))
    for (auto [j, read] : llvm::enumerate(accesses)) {
      if (!write.writes || !read.reads || !tile::mayConflict(write, read) ||
          (i >= j && !shareLoop(write.op, read.op)))
        continue;
      Report error = report(read.op, diag::memory_order);
      error << "this may read what the same instance has written, and the "
               "processes of a pipelined kernel do not keep that order";
      error.attachNote(write.op->getLoc())
          << "written here; make two kernels of it";
      return failure();
    }
  return success();
}
