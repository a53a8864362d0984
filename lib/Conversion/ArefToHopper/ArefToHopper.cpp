//===- ArefToHopper.cpp - Processes and rings to sm_90a -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that TMA can serve gives several: `@name` needs views that are TMA
// tensors, `@name_plain_stores` those that it loads from, `@name_general` takes
// any. Without rings and TMA, `@name` accesses whole rows of 16 bytes, and runs
// of places; `@name_rows` rows alone. Where only stores go by TMA, runs of
// places come first, too, and `@name_elements` is behind them. Each goes
// through the same phases:
//
//   collect (KernelFacts) -> decide (KernelPlan) -> rewrite (EmitKernel) ->
//   verify
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/ArefToHopper.h"

#include "EmitKernel.h"
#include "StoreAtOnce.h"
#include "TensorCoreRules.h"
#include "VerifyKernel.h"

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Analysis/HopperReplicas.h"
#include "heddle/Dialect/Replicas.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Tile.h"

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
  case Variant::Rows:
    return "_rows";
  case Variant::TmaLoads:
    return "_plain_stores";
  case Variant::General:
    return "_general";
  }
  llvm_unreachable("a variant without a name");
}

/// After a rewrite of a kernel about which everything has been said.
FailureOr<KernelFacts> collectAgain(tile::KernelOp kernel,
                                    const machine::Costs &costs) {
  ScopedDiagnosticHandler quiet(kernel.getContext(),
                                [](Diagnostic &) { return success(); });
  return KernelFacts::collect(kernel, costs);
}

/// What the machine's rules say of one replica's numbers they need not say of
/// another's: whether an offset is known not to be negative, for one.
void keepReplicas(hopper::KernelOp kernel) {
  for (auto &[name, processes] :
       groupReplicas<hopper::ProcessOp>(kernel.getBody()))
    hopper::partReplicas(
        processes, [&](hopper::ProcessOp process, Operation *step) {
          Report remark = report(process, diag::replica_apart);
          remark << "process '" << process.getSym() << "' of @"
                 << kernel.getSymName()
                 << " does not share its code with the replicas that the plan "
                    "gives it";
          if (step)
            remark << ": a step of it is '" << step->getName()
                   << "', and not all of them have one like it there";
        });
}

/// Emits a plan under the name of its variant and gives it back.
FailureOr<KernelPlan> emitVariant(OpBuilder &builder, const KernelFacts &facts,
                                  FailureOr<KernelPlan> plan,
                                  StringRef suffix) {
  if (failed(plan))
    return failure();
  plan->name += suffix;
  hopper::KernelOp kernel = emitKernel(builder, facts, *plan);
  if (failed(verifyKernel(kernel)))
    return failure();
  keepReplicas(kernel);
  return plan;
}

FailureOr<KernelPlan> lowerVariant(OpBuilder &builder, const KernelFacts &facts,
                                   Variant variant) {
  return emitVariant(builder, facts, planKernel(facts, variant),
                     suffixOf(variant));
}

/// Threads alone: variants that access 16 bytes of a row or a run of places at
/// once, where that can be, and one for any view. The first has no suffix.
LogicalResult lowerPlain(OpBuilder &builder, const KernelFacts &facts) {
  bool isFirst = true;
  auto emit = [&](FailureOr<KernelPlan> plan, Variant variant) {
    StringRef suffix = isFirst ? "" : suffixOf(variant);
    isFirst = false;
    return emitVariant(builder, facts, std::move(plan), suffix);
  };
  for (Places places : {Places::InRuns, Places::Single}) {
    FailureOr<KernelPlan> plan = planKernel(facts, Variant::Rows, places);
    if (failed(plan))
      return failure();
    bool isWider = places == Places::InRuns ? !plan->multipleArgs.empty()
                                            : !plan->rowArgs.empty();
    if (isWider && failed(emit(std::move(plan), Variant::Rows)))
      return failure();
  }
  return emit(planKernel(facts, Variant::General), Variant::General);
}

/// Threads gather, and TMA stores: a variant in front of that for runs of
/// places, where there are such. Whether there are.
FailureOr<bool> lowerRuns(OpBuilder &builder, const KernelFacts &facts) {
  if (!facts.rings.empty())
    return false;
  FailureOr<KernelPlan> runs;
  {
    // All has been said of the variant behind it.
    ScopedDiagnosticHandler quiet(builder.getContext(),
                                  [](Diagnostic &) { return success(); });
    runs = planKernel(facts, Variant::Tma, Places::InRuns);
  }
  if (failed(runs) || runs->multipleArgs.empty())
    return false;
  if (failed(emitVariant(builder, facts, std::move(runs), "")))
    return failure();
  return true;
}

/// For launches with views that break TMA's rules, or have no rows of 16 bytes:
/// threads store element by element, and then load too.
LogicalResult lowerFallbacks(OpBuilder &builder, const KernelFacts &facts,
                             const KernelPlan &best) {
  if (best.storesByTma() || !best.rowArgs.empty()) {
    FailureOr<KernelPlan> plain =
        lowerVariant(builder, facts, Variant::TmaLoads);
    // Without TMA loads it is the general variant already.
    if (failed(plain) || !plain->usesTma())
      return failure(failed(plain));
  }
  if (best.usesTma())
    return failure(failed(lowerVariant(builder, facts, Variant::General)));
  return success();
}

/// The same where stores are late, which theirs are not.
LogicalResult lowerFallbacksAtOnce(OpBuilder &builder, tile::KernelOp kernel,
                                   const machine::Costs &costs,
                                   const KernelPlan &best) {
  auto copy = cast<tile::KernelOp>(builder.clone(*kernel));
  storeAtOnce(copy);
  FailureOr<KernelFacts> facts = collectAgain(copy, costs);
  LogicalResult result =
      failed(facts) ? failure() : lowerFallbacks(builder, *facts, best);
  copy.erase();
  return result;
}

/// The fastest variant, and those that a launch falls back to where a view
/// breaks TMA's rules.
LogicalResult lowerKernel(tile::KernelOp kernel, const machine::Costs &costs) {
  FailureOr<KernelFacts> facts = KernelFacts::collect(kernel, costs);
  if (failed(facts) || failed(checkTensorCore(*facts)))
    return failure();
  OpBuilder builder(kernel);
  FailureOr<KernelPlan> best = planKernel(*facts, Variant::Tma);
  if (succeeded(best) && !best->storesByTma() && hasLateStores(kernel)) {
    storeAtOnce(kernel);
    facts = collectAgain(kernel, costs);
    if (failed(facts))
      return failure();
    best = planKernel(*facts, Variant::Tma);
  }
  if (succeeded(best) && facts->rings.empty() && !best->usesTma()) {
    if (failed(lowerPlain(builder, *facts)))
      return failure();
    kernel.erase();
    return success();
  }
  FailureOr<bool> hasRuns =
      succeeded(best) ? lowerRuns(builder, *facts) : false;
  if (failed(hasRuns))
    return failure();
  best = emitVariant(builder, *facts, std::move(best),
                     *hasRuns ? "_elements" : suffixOf(Variant::Tma));
  if (failed(best))
    return failure();
  LogicalResult others =
      hasLateStores(kernel)
          ? lowerFallbacksAtOnce(builder, kernel, costs, *best)
          : lowerFallbacks(builder, *facts, *best);
  kernel.erase();
  return others;
}

struct LowerToHopperPass : heddle::impl::LowerToHopperBase<LowerToHopperPass> {
  using LowerToHopperBase::LowerToHopperBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<hopper::HopperDialect, arith::ArithDialect, scf::SCFDialect>();
  }

  /// Layouts are of numbers.
  static LogicalResult checkExtents(tile::KernelOp kernel) {
    auto isOpen = [](Type type) {
      auto tile = dyn_cast<RankedTensorType>(type);
      return tile && !tile.hasStaticShape();
    };
    WalkResult found = kernel.walk([&](Operation *op) {
      if (!llvm::any_of(op->getResultTypes(), isOpen) &&
          !llvm::any_of(op->getOperandTypes(), isOpen))
        return WalkResult::advance();
      report(op, diag::named_extent)
          << "'" << op->getName()
          << "' has a tile whose extents have names; below the tile rung they "
             "are numbers, which `heddle compile` puts in from tile.param";
      return WalkResult::interrupt();
    });
    return failure(found.wasInterrupted());
  }

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    for (tile::KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>()))
      if (failed(checkExtents(kernel)) || failed(lowerKernel(kernel, costs)))
        return signalPassFailure();
  }
};

} // namespace
