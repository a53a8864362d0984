//===- ArefToHopper.cpp - Processes and rings to sm_90a -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: kernels whose processes are joined by rings. Out: hopper.kernel ops in
// which every tile has a layout, every slot a place in shared memory and every
// op is one instruction family. A kernel that TMA can serve gives two: `@name`
// needs views that are TMA tensors, `@name_general` takes any. Stands after the
// expander, which fixed the order of operations and waits, and before the
// expansion to threads, which decides nothing.
//
//   collect (KernelFacts) -> decide (KernelPlan) -> rewrite (EmitKernel) ->
//   verify
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/ArefToHopper.h"

#include "EmitKernel.h"
#include "TensorCoreRules.h"
#include "VerifyKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle {
#define GEN_PASS_DEF_LOWERTOHOPPER
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {

StringRef suffixOf(Variant variant) {
  switch (variant) {
  case Variant::Tma:
    return "";
  case Variant::TmaLoads:
    return "_plain_stores";
  case Variant::General:
    return "_general";
  }
  llvm_unreachable("a variant without a name");
}

/// Plans and emits a variant, and gives its plan back.
FailureOr<KernelPlan> lowerVariant(OpBuilder &builder, const KernelFacts &facts,
                                   Variant variant) {
  FailureOr<KernelPlan> plan = planKernel(facts, variant);
  if (failed(plan))
    return failure();
  plan->name += suffixOf(variant);
  if (failed(verifyKernel(emitKernel(builder, facts, *plan))))
    return failure();
  return plan;
}

/// The fastest variant, and those that a launch falls back to where a view
/// breaks TMA's rules.
LogicalResult lowerKernel(tile::KernelOp kernel) {
  FailureOr<KernelFacts> facts = KernelFacts::collect(kernel);
  if (failed(facts) || failed(checkTensorCore(*facts)))
    return failure();
  OpBuilder builder(kernel);
  FailureOr<KernelPlan> best = lowerVariant(builder, *facts, Variant::Tma);
  if (failed(best))
    return failure();
  if (best->storesByTma()) {
    FailureOr<KernelPlan> plain =
        lowerVariant(builder, *facts, Variant::TmaLoads);
    if (failed(plain))
      return failure();
    // Without TMA loads it is the general variant already.
    if (!plain->usesTma()) {
      kernel.erase();
      return success();
    }
  }
  if (best->usesTma() &&
      failed(lowerVariant(builder, *facts, Variant::General)))
    return failure();
  kernel.erase();
  return success();
}

struct LowerToHopperPass : heddle::impl::LowerToHopperBase<LowerToHopperPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<hopper::HopperDialect, arith::ArithDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    for (tile::KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>()))
      if (failed(lowerKernel(kernel)))
        return signalPassFailure();
  }
};

} // namespace
