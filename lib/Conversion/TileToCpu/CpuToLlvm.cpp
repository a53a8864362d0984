//===- CpuToLlvm.cpp - Upstream's conversions to the llvm dialect ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is decided here: loops become branches, numbers those of LLVM, by
// upstream's passes in a fixed order, and assertions ways out of a function.
//
//===----------------------------------------------------------------------===//

#include "KernelFunctions.h"

#include "heddle/Conversion/TileToCpu.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace heddle;

/// LLVM has no intrinsic for the error function: the C library's is called, for
/// each lane of a vector.
static void callErf(ModuleOp module) {
  SmallVector<math::ErfOp> found;
  module.walk([&](math::ErfOp op) { found.push_back(op); });
  for (math::ErfOp op : found) {
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(op.getType());
    StringRef name = element.isF64() ? "erf" : "erff";
    auto callee = module.lookupSymbol<func::FuncOp>(name);
    if (!callee) {
      OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
      callee = func::FuncOp::create(builder, loc, name,
                                    builder.getFunctionType(element, element));
      callee.setPrivate();
    }
    OpBuilder builder(op);
    auto call = [&](Value x) {
      return func::CallOp::create(builder, loc, callee, x).getResult(0);
    };
    auto vector = dyn_cast<VectorType>(op.getType());
    Value result = vector ? op.getOperand() : call(op.getOperand());
    for (int64_t lane = 0; vector && lane < vector.getNumElements(); ++lane) {
      Value at = LLVM::ConstantOp::create(builder, loc,
                                          builder.getI64IntegerAttr(lane));
      Value x =
          LLVM::ExtractElementOp::create(builder, loc, op.getOperand(), at);
      result = LLVM::InsertElementOp::create(builder, loc, result, call(x), at);
    }
    op.replaceAllUsesWith(result);
    op.erase();
  }
}

/// LLVM leaves open which zero is the larger one where a NaN is passed over. Of
/// numbers it is as where NaN is handed on.
template <typename Number, typename Extremum>
static void orderZeros(ModuleOp module) {
  SmallVector<Number> found;
  module.walk([&](Number op) { found.push_back(op); });
  for (Number op : found) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value x = op.getLhs(), y = op.getRhs();
    auto isNumber = [&](Value value) -> Value {
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD,
                                   value, value);
    };
    Value both = Extremum::create(builder, loc, x, y);
    Value first = arith::SelectOp::create(builder, loc, isNumber(y), both, x);
    op.replaceAllUsesWith(
        arith::SelectOp::create(builder, loc, isNumber(x), first, y)
            .getResult());
    op.erase();
  }
}

/// What a function asserts it returns, where it does not hold: the rest of the
/// instance and those behind it are left out.
static void leaveAtAssertions(ModuleOp module) {
  SmallVector<cf::AssertOp> found;
  module.walk([&](cf::AssertOp op) { found.push_back(op); });
  for (auto [number, op] : llvm::enumerate(found)) {
    auto function = op->getParentOfType<func::FuncOp>();
    Block *here = op->getBlock();
    Block *onwards = here->splitBlock(op);
    Block *out = &function.getBody().emplaceBlock();
    auto builder = OpBuilder::atBlockEnd(out);
    std::string name =
        (function.getSymName() + "_fault_" + Twine(number)).str();
    Value text = addressOfText(builder, op.getLoc(), module, name, op.getMsg());
    func::ReturnOp::create(builder, op.getLoc(), text);
    builder.setInsertionPointToEnd(here);
    cf::CondBranchOp::create(builder, op.getLoc(), op.getArg(), onwards,
                             ValueRange(), out, ValueRange());
    op.erase();
  }
}

LogicalResult heddle::lowerCpuToLlvm(ModuleOp module, bool sharesPlaces) {
  callErf(module);
  orderZeros<arith::MaxNumFOp, arith::MaximumFOp>(module);
  orderZeros<arith::MinNumFOp, arith::MinimumFOp>(module);
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  // Places are computed where they are used; what they share is shared here.
  if (sharesPlaces) {
    manager.addPass(createCSEPass());
    manager.addPass(createLoopInvariantCodeMotionPass());
    manager.addPass(createCSEPass());
  }
  manager.addPass(createSCFToControlFlowPass());
  if (failed(manager.run(module)))
    return failure();
  leaveAtAssertions(module);
  PassManager rest(module.getContext(), ModuleOp::getOperationName());
  rest.addPass(createConvertMathToLLVMPass());
  rest.addPass(createArithToLLVMConversionPass());
  rest.addPass(createConvertControlFlowToLLVMPass());
  rest.addPass(createConvertFuncToLLVMPass());
  rest.addPass(createReconcileUnrealizedCastsPass());
  return rest.run(module);
}

std::unique_ptr<llvm::Module>
heddle::translateCpuModule(ModuleOp module, llvm::LLVMContext &context) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context);
  if (!translated)
    report(module.getLoc(), diag::internal)
        << "bug in heddle: the llvm rung cannot be translated";
  return translated;
}
