//===- Import.cpp - From the text of a Triton kernel to tile ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Frontend/Ttir/Import.h"
#include "heddle/Frontend/Ttir/Barrier.h"

#include "Converter.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

void heddle::ttir::registerDialects(DialectRegistry &registry) {
  // gpu and ttg for the barrier that a program may ask for.
  registry.insert<TtDialect, TtgDialect, cf::ControlFlowDialect,
                  gpu::GPUDialect, ub::UBDialect, LLVM::LLVMDialect>();
}

namespace {
struct TtirToTile : PassWrapper<TtirToTile, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TtirToTile)

  StringRef getArgument() const override { return "ttir-to-tile"; }
  StringRef getDescription() const override {
    return "reads Triton's kernels as tile programs";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                    scf::SCFDialect>();
  }
  void runOnOperation() override {
    if (failed(importTtir(getOperation())))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> heddle::ttir::createTtirToTile() {
  return std::make_unique<TtirToTile>();
}

bool heddle::ttir::isTtir(ModuleOp module) {
  return !module.getOps<FuncOp>().empty();
}

LogicalResult heddle::ttir::importTtir(ModuleOp module) {
  module.getContext()
      ->loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                    scf::SCFDialect>();
  for (FuncOp function : llvm::make_early_inc_range(module.getOps<FuncOp>())) {
    if (failed(Converter(function).run()))
      return failure();
    function.erase();
  }
  for (NamedAttribute attribute : llvm::to_vector(module->getAttrs()))
    if (attribute.getName().getValue().contains('.'))
      module->removeAttr(attribute.getName());
  // What does not fit together shows here, at the user's line.
  return verify(module);
}
