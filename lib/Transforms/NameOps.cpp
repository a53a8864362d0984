//===- NameOps.cpp - Stable names for what is scheduled -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a distributed kernel. Out: every op that touches a tile carries
// {sched.op}, every loop {sched.loop}. Names come from the op and the view it
// accesses, numbered in program order where they repeat; a user's own names
// stay. Stands before `split`, which appends the sub-tile's number.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace heddle {
#define GEN_PASS_DEF_NAMEOPS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// The kernel argument that a view is or is made of, by name.
std::string viewName(tile::KernelOp kernel, Value view) {
  auto argument =
      dyn_cast_if_present<BlockArgument>(tile::findOrigins(view).single());
  if (!argument || argument.getOwner() != &kernel.getEntry())
    return "view";
  return kernel.getArgName(argument.getArgNumber());
}

std::string baseName(tile::KernelOp kernel, Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return "load_" + viewName(kernel, load.getView());
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return "store_" + viewName(kernel, store.getView());
  return op->getName().stripDialect().str();
}

struct NameOpsPass : heddle::impl::NameOpsBase<NameOpsPass> {
  void runOnOperation() override {
    getOperation().walk([&](tile::KernelOp kernel) {
      llvm::StringMap<int> uses;
      Builder builder(&getContext());
      auto unique = [&](std::string base) {
        int count = uses[base]++;
        return builder.getStringAttr(
            count == 0 ? base : base + "_" + std::to_string(count + 1));
      };
      kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isa<scf::ForOp, scf::WhileOp>(op)) {
          if (sched::loopName(op).empty())
            op->setAttr(sched::kLoopName, unique("loop"));
        } else if (sched::isScheduled(op) && sched::opName(op).empty()) {
          op->setAttr(sched::kOpName, unique(baseName(kernel, op)));
        }
      });
    });
  }
};

} // namespace
