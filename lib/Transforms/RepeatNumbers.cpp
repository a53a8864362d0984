//===- RepeatNumbers.cpp - Numbers made of rows of memory -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with products, and numbers made of a row in memory: the longest
// of some sequences, the group that a tile belongs to by where groups begin.
// Out: where such a number says where a tile lies or how often a loop turns,
// its row is read and combined by operations of its own, which are marked as
// repeated: each process that needs the number computes it, as it reads a
// number from memory. The kernel must not write the row. A number that only
// scales tiles stays with the one process that has them.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"
#include "RepeatedTiles.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace heddle {
#define GEN_PASS_DEF_REPEATNUMBERS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

bool isTile(Value value) { return isa<TensorType>(value.getType()); }

/// Several places along one axis at most: cheap to compute again.
bool isRow(Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  return llvm::count_if(shape, [](int64_t n) { return n != 1; }) <= 1;
}

/// Whether what is made of `number` says where memory is accessed, or what is
/// done at all.
bool steers(Value number) {
  llvm::SetVector<Value> reached;
  reached.insert(number);
  auto handOn = [&](Operation *around, unsigned index) {
    if (auto loop = dyn_cast<scf::ForOp>(around))
      reached.insert(loop.getRegionIterArg(index));
    reached.insert(around->getResult(index));
  };
  for (size_t next = 0; next < reached.size(); ++next)
    for (OpOperand &use : reached[next].getUses()) {
      Operation *user = use.getOwner();
      unsigned index = use.getOperandNumber();
      if (auto loop = dyn_cast<scf::ForOp>(user)) {
        if (index < loop.getNumControlOperands())
          return true;
        handOn(loop, index - loop.getNumControlOperands());
      } else if (isa<scf::YieldOp>(user) &&
                 isa<scf::ForOp, scf::IfOp>(user->getParentOp())) {
        handOn(user->getParentOp(), index);
      } else if (isa<tile::StoreOp, tile::ScatterOp>(user)) {
        if (index != 0) // what is stored
          return true;
      } else if (isa<tile::PtrAddOp, tile::MakeViewOp>(user) ||
                 !isMemoryEffectFree(user) || isa<LoopLikeOpInterface>(user)) {
        return true;
      } else if (!isa<tile::DotOp>(user)) {
        reached.insert(user->result_begin(), user->result_end());
      }
    }
  return false;
}

struct RepeatNumbersPass : heddle::impl::RepeatNumbersBase<RepeatNumbersPass> {
  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) {
      if (!multiplies(kernel))
        return;
      SmallVector<Operation *> makers;
      kernel.walk([&](Operation *op) {
        if (isa<tile::ReduceOp, tile::UnsplatOp>(op) &&
            !isTile(op->getResult(0)) && sched::isScheduled(op))
          makers.push_back(op);
      });
      for (Operation *op : makers)
        if (llvm::any_of(op->getResults(), steers) &&
            llvm::all_of(op->getOperands(), [](Value operand) {
              return canRepeat(operand, isRow);
            }))
          op->replaceAllUsesWith(RepeatedTiles().copy(op));
    });
  }
};

} // namespace
