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
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;

/// In twice the bits, rounded once more: the C library has no narrower ones,
/// and a difference like exp(x) - 1 loses what few bits hold.
static void widenFunctions(ModuleOp module) {
  auto isNarrow = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isF16() || element.isBF16();
  };
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    // These are exact, or rounded once.
    bool isExact =
        isa<math::FmaOp, math::AbsFOp, math::CopySignOp, math::CeilOp,
            math::FloorOp, math::RoundOp, math::RoundEvenOp, math::TruncOp>(op);
    if (isa<math::MathDialect>(op->getDialect()) && !isExact &&
        op->getNumResults() > 0 && llvm::all_of(op->getResultTypes(), isNarrow))
      found.push_back(op);
  });
  for (Operation *op : found) {
    OpBuilder builder(op);
    auto wide = [&](Type type) -> Type {
      Type f32 = builder.getF32Type();
      auto vector = dyn_cast<VectorType>(type);
      return vector ? Type(vector.clone(f32)) : f32;
    };
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands())
      state.addOperands(
          isNarrow(operand.getType())
              ? Value(arith::ExtFOp::create(builder, op->getLoc(),
                                            wide(operand.getType()), operand))
              : operand);
    for (Type type : op->getResultTypes())
      state.addTypes(wide(type));
    state.addAttributes(op->getAttrs());
    Operation *widened = builder.create(state);
    for (auto [narrow, result] :
         llvm::zip(op->getResults(), widened->getResults()))
      narrow.replaceAllUsesWith(arith::TruncFOp::create(
          builder, op->getLoc(), narrow.getType(), result));
    op->erase();
  }
}

/// The function of the C library for what LLVM has no intrinsic for, or makes a
/// difference of that cancels; "" for others.
static StringRef libraryName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::ErfOp) { return "erf"; })
      .Case([](math::ErfcOp) { return "erfc"; })
      .Case([](math::ExpM1Op) { return "expm1"; })
      .Case([](math::Log1pOp) { return "log1p"; })
      .Case([](math::CbrtOp) { return "cbrt"; })
      .Case([](math::AsinhOp) { return "asinh"; })
      .Case([](math::AcoshOp) { return "acosh"; })
      .Case([](math::AtanhOp) { return "atanh"; })
      .Default(StringRef());
}

/// Calls it, for each lane of a vector.
static void callLibrary(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (!libraryName(op).empty())
      found.push_back(op);
  });
  for (Operation *op : found) {
    Location loc = op->getLoc();
    Type type = op->getResult(0).getType(),
         element = getElementTypeOrSelf(type);
    std::string name = libraryName(op).str() + (element.isF64() ? "" : "f");
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
    auto vector = dyn_cast<VectorType>(type);
    Value operand = op->getOperand(0);
    Value result = vector ? operand : call(operand);
    for (int64_t lane = 0; vector && lane < vector.getNumElements(); ++lane) {
      Value at = LLVM::ConstantOp::create(builder, loc,
                                          builder.getI64IntegerAttr(lane));
      Value x = LLVM::ExtractElementOp::create(builder, loc, operand, at);
      result = LLVM::InsertElementOp::create(builder, loc, result, call(x), at);
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
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

/// All dialects but loops in one go: a conversion looks at every operation,
/// also at those that it has nothing to do with.
static LogicalResult convertToLlvm(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  populateMathToLLVMConversionPatterns(converter, patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  return applyPartialConversion(module, target, std::move(patterns));
}

LogicalResult heddle::lowerCpuToLlvm(ModuleOp module, bool sharesPlaces) {
  widenFunctions(module);
  callLibrary(module);
  orderZeros<arith::MaxNumFOp, arith::MaximumFOp>(module);
  orderZeros<arith::MinNumFOp, arith::MinimumFOp>(module);
  // What comes out is verified, once.
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(false);
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
  if (failed(convertToLlvm(module)))
    return failure();
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts);
  return verify(module);
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
