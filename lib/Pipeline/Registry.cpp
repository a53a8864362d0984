//===- Registry.cpp - The dialects and passes heddle knows ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Registry.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Einsum/Einsum.h"
#include "heddle/Dialect/Flow/Flow.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Frontend/Tasks/Import.h"
#include "heddle/Frontend/Ttir/Import.h"
#include "heddle/Transforms/MarkSteady.h"
#include "heddle/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace heddle {
#define GEN_PASS_REGISTRATION
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

void heddle::pipeline::registerDialects(mlir::DialectRegistry &registry) {
  ttir::registerDialects(registry);
  registry.insert<einsum::EinsumDialect>();
  registry.insert<flow::FlowDialect>();
  registry.insert<mlir::sparse_tensor::SparseTensorDialect>();
  task::registerDialects(registry);
  registry.insert<tile::TileDialect>();
  registry.insert<sched::SchedDialect>();
  registry.insert<aref::ArefDialect>();
  registry.insert<hopper::HopperDialect>();
  registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::cf::ControlFlowDialect,
                  mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                  mlir::NVVM::NVVMDialect>();
}

std::unique_ptr<mlir::Pass> heddle::pipeline::createCanonicalizer() {
  // They drop index -> iN -> index whether or not N bits hold the number, and
  // loops whose bounds are further apart than their bits can say; the tile
  // dialect has patterns that ask.
  static const std::string kLosing[] = {
      "(anonymous namespace)::IndexCastOfIndexCast",
      "(anonymous namespace)::IndexCastUIOfIndexCastUI",
      "(anonymous namespace)::SimplifyTrivialLoops"};
  return mlir::createCanonicalizerPass(mlir::GreedyRewriteConfig(), kLosing);
}

void heddle::pipeline::registerPasses() {
  mlir::registerPass([] { return createCanonicalizer(); });
  mlir::registerCSEPass();
  mlir::registerPass([] { return ttir::createTtirToTile(); });
  mlir::registerPass([] { return task::createTaskToTile(); });
  mlir::registerPass([] { return createMarkSteady(); });
  heddle::registerTransformsPasses();
  registerSteps();
}
