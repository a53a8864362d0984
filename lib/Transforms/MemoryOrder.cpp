//===- MemoryOrder.cpp - Orders that processes keep or not -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryOrder.h"

#include "ExportProblem.h"

#include "heddle/Analysis/TilePlaces.h"
#include "heddle/Analysis/ValueNeeds.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;

namespace {

/// Two accesses, the first of which may come in front of the second.
struct Pair {
  Operation *first = nullptr, *second = nullptr;
};

class Orders {
public:
  explicit Orders(tile::KernelOp kernel) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      isPipelinedAnywhere |= loop && isPipelined(loop);
      if (std::optional<tile::MemoryAccess> access = tile::memoryAccess(op))
        accesses.push_back(*access);
    });
    for (tile::LoadOp load : operandsFromOutside(kernel))
      shared.insert(load);
    for (const tile::MemoryAccess &access : accesses)
      for (Operation *around = access.op; around;
           around = around->getParentOp())
        if (auto loop = dyn_cast<scf::ForOp>(around); loop && isPipelined(loop))
          shared.insert(access.op);
  }

  /// Finds what one process has to have; false where processes that share the
  /// loops have it: then `broken` says what.
  bool find() {
    if (!isPipelinedAnywhere)
      return true;
    for (const tile::MemoryAccess &access : accesses)
      if (tile::synchronises(access.op) && !findAround(access.op))
        return false;
    for (const tile::MemoryAccess &write : accesses)
      for (const tile::MemoryAccess &read : accesses)
        if (write.writes && read.reads && tile::mayConflict(write, read) &&
            tile::mayFollow(read.op, write.op) && !keep(write.op, read.op))
          return false;
    keepOverwritten();
    return true;
  }

  Pair broken;
  llvm::SetVector<Operation *> together;

private:
  /// What an update orders: all accesses, or those in front of it where it only
  /// releases. Reads in front of it of memory that the kernel never writes may
  /// be any process's.
  bool findAround(Operation *update) {
    bool onlyReleases = tile::onlyReleases(update);
    for (const tile::MemoryAccess &access : accesses) {
      if (access.op == update ||
          (onlyReleases && !tile::mayFollow(update, access.op)))
        continue;
      bool isBehind = !onlyReleases && tile::mayFollow(access.op, update);
      if (!isBehind && sched::isOnlyRead(access.op))
        continue;
      if (!(isBehind ? keep(update, access.op) : keep(access.op, update)))
        return false;
    }
    return true;
  }

  /// Of two tiles at one place the later one stays, and what is read is what
  /// was there before. In loops that processes share a plan has to see to it.
  void keepOverwritten() {
    for (const tile::MemoryAccess &first : accesses)
      for (const tile::MemoryAccess &later : accesses)
        if (later.writes && !shared.contains(first.op) &&
            !shared.contains(later.op) && tile::mayConflict(first, later) &&
            tile::mayFollow(later.op, first.op) &&
            !isInOrderAnyhow(first, later))
          keep(first.op, later.op);
  }

  /// Whether processes that have parts of both keep their order: parts of a
  /// tile meet only themselves, and a process goes on in order; or what is
  /// written is made of what was read.
  static bool isInOrderAnyhow(const tile::MemoryAccess &first,
                              const tile::MemoryAccess &later) {
    if (lieApart(first.op, later.op))
      return true;
    if (first.op == later.op)
      return meetsByWholeRows(first.op);
    return !first.writes && meetAsWhole(first.op, later.op) &&
           needsValueOf(later.op, first.op);
  }

  bool keep(Operation *first, Operation *second) {
    broken = {first, second};
    together.insert(first);
    together.insert(second);
    return !shared.contains(first) && !shared.contains(second);
  }

  bool isPipelinedAnywhere = false;
  SmallVector<tile::MemoryAccess> accesses; ///< in program order
  DenseSet<Operation *> shared; ///< of loops that processes share, and for them
};

} // namespace

/// Of two accesses in order, `first` says why.
static LogicalResult reportOrder(Pair pair) {
  for (Operation *op : {pair.first, pair.second})
    if (tile::synchronises(op)) {
      Report error = report(op, diag::memory_order);
      error << "this update orders what the instance reads and writes before "
               "and behind it, and the processes of a pipelined kernel do not "
               "keep that order; use sem=\"relaxed\" if nothing depends on it, "
               "or make two kernels of it";
      error.attachNote((op == pair.first ? pair.second : pair.first)->getLoc())
          << "this is " << (op == pair.first ? "behind" : "in front of")
          << " it, and another process has it";
      return failure();
    }
  Report error = report(pair.second, diag::memory_order);
  error << "this may read what the same instance has written, and the "
           "processes of a pipelined kernel do not keep that order";
  error.attachNote(pair.first->getLoc())
      << "written here; make two kernels of it";
  return failure();
}

LogicalResult heddle::checkMemoryOrder(tile::KernelOp kernel) {
  Orders orders(kernel);
  return orders.find() ? success() : reportOrder(orders.broken);
}

llvm::SetVector<Operation *> heddle::accessesInOrder(tile::KernelOp kernel) {
  Orders orders(kernel);
  orders.find();
  return orders.together;
}
