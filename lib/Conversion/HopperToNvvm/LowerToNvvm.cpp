//===- LowerToNvvm.cpp - Expands every hopper.kernel of a module ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: verified hopper.kernel ops. Out: one llvm.func each, in upstream's llvm
// and nvvm dialects only. The emitter leaves scf, arith, cf and math on
// scalars, which upstream's own conversions then lower; none of them moves an
// operation.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "MergeReplicas.h"
#include "NumberWidths.h"
#include "WholeTiles.h"
#include "heddle/Analysis/FindCosts.h"
#include "heddle/Conversion/HopperToNvvm.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace heddle {

#define GEN_PASS_DEF_LOWERTONVVM
#include "heddle/Transforms/Passes.h.inc"

/// Of what threads compute, most becomes PTX or plain arithmetic before.
static bool hasMath(ModuleOp module) {
  auto found = module->walk([](Operation *op) {
    return isa_and_present<math::MathDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

namespace {
struct LowerToNvvm : impl::LowerToNvvmBase<LowerToNvvm> {
  using LowerToNvvmBase::LowerToNvvmBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    SmallVector<hopper::KernelOp> kernels(
        getOperation().getOps<hopper::KernelOp>());
    for (hopper::KernelOp kernel : kernels) {
      OpBuilder builder(kernel);
      if (failed(tonvvm::verifyNumberWidths(kernel)))
        return signalPassFailure();
      auto merged = tonvvm::mergeReplicas(kernel);
      if (failed(merged))
        return signalPassFailure();
      // What replicas name apart is known by operation, and stays one.
      for (auto process : kernel.getOps<hopper::ProcessOp>())
        if (merged->countOf(process) == 1)
          tonvvm::splitWholeTiles(process);
      if (failed(tonvvm::Emitter(kernel, builder, costs, *merged).emitKernel()))
        return signalPassFailure();
      kernel.erase();
    }
    getOperation()->setAttr(
        "llvm.target_triple",
        StringAttr::get(&getContext(), "nvptx64-nvidia-cuda"));
    // Whoever runs this pass verifies what comes of it; in between, upstream's
    // passes are not verified one by one, in modules of a hundred thousand
    // operations.
    PassManager scalars(&getContext(), ModuleOp::getOperationName());
    scalars.enableVerifier(false);
    scalars.addPass(arith::createArithExpandOpsPass());
    scalars.addPass(createSCFToControlFlowPass());
    if (hasMath(getOperation()))
      scalars.addPass(createConvertMathToLLVMPass());
    scalars.addPass(createArithToLLVMConversionPass());
    scalars.addPass(createConvertControlFlowToLLVMPass());
    scalars.addPass(createReconcileUnrealizedCastsPass());
    if (failed(scalars.run(getOperation())))
      signalPassFailure();
  }
};
} // namespace

} // namespace heddle
