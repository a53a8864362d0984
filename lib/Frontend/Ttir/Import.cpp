//===- Import.cpp - From the text of a Triton kernel to tile ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Frontend/Ttir/Import.h"

#include "Converter.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

void heddle::ttir::registerDialects(DialectRegistry &registry) {
  registry.insert<TtDialect, cf::ControlFlowDialect, ub::UBDialect,
                  LLVM::LLVMDialect>();
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
  if (failed(verify(module)))
    return failure();
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  return manager.run(module);
}
