//===- MarkSteady.cpp - What the steady iterations of loops leave out -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel on the tile rung. Out: the same, with marks on what a loop does
// not do in each iteration. A reduction whose threads may keep parts of the sum
// until the loop is left is `sched.delayed`; a conditional that goes one way
// but near the loop's ends has `sched.steady`, the condition's value there.
//
// Both are decided here, once: the costs of a schedule and the lowering read
// the marks, so a plan counts what is carried out. The pass stands in front of
// all that asks for an operation's costs; marks of an earlier run are made anew, because
// loops may have changed since.
//
//===----------------------------------------------------------------------===//

#include "heddle/Transforms/MarkSteady.h"

#include "Turning.h"

#include "heddle/Analysis/DelayedSums.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace heddle;

void heddle::unmarkSteady(tile::KernelOp kernel) {
  kernel.walk([](Operation *op) {
    op->removeDiscardableAttr(kDelayed);
    op->removeDiscardableAttr(kSteady);
  });
}

void heddle::markSteady(tile::KernelOp kernel) {
  unmarkSteady(kernel);
  Builder builder(kernel.getContext());
  for (const DelayedSum &sum : findDelayedSums(kernel))
    for (tile::ReduceOp reduce : sum.reductions)
      reduce->setAttr(kDelayed, builder.getUnitAttr());
  kernel.walk([&](scf::IfOp conditional) {
    if (std::optional<bool> outcome = steadyOutcome(conditional))
      conditional->setAttr(kSteady, builder.getBoolAttr(*outcome));
  });
}

namespace {

struct MarkSteadyPass : PassWrapper<MarkSteadyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkSteadyPass)

  StringRef getArgument() const final { return "sched-mark-steady"; }
  StringRef getDescription() const final {
    return "says what the steady iterations of loops leave out";
  }

  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) { markSteady(kernel); });
  }
};

} // namespace

std::unique_ptr<Pass> heddle::createMarkSteady() {
  return std::make_unique<MarkSteadyPass>();
}
