//===- ScalarsToLlvm.cpp - Scalars of threads in LLVM's dialect -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folding looks at the operations that define operands, and upstream's
// conversions leave all of them in place until the last is converted. So does
// this: what an operation is replaced by is noted, and written at the end.
// Otherwise more would fold, and kernels would be other text.
//
//===----------------------------------------------------------------------===//

#include "ScalarsToLlvm.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::tonvvm {

static bool isArithmetic(Operation *op) {
  return isa_and_present<arith::ArithDialect>(op->getDialect());
}

/// Are these several instructions?
static bool isExpanded(Operation *op) {
  return isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp,
             arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp>(
      op);
}

/// What upstream expands only on other types, or converts in other ways, is
/// none.
static bool isListed(Operation *op) {
  return isExpanded(op) ||
         isa<arith::AddFOp, arith::AddIOp, arith::AndIOp, arith::BitcastOp,
             arith::CmpFOp, arith::CmpIOp, arith::ConstantOp, arith::DivFOp,
             arith::DivSIOp, arith::DivUIOp, arith::ExtFOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::FPToSIOp, arith::FPToUIOp, arith::MulFOp,
             arith::MulIOp, arith::NegFOp, arith::OrIOp, arith::RemSIOp,
             arith::RemUIOp, arith::SelectOp, arith::ShLIOp, arith::ShRSIOp,
             arith::ShRUIOp, arith::SIToFPOp, arith::SubFOp, arith::SubIOp,
             arith::TruncFOp, arith::TruncIOp, arith::UIToFPOp, arith::XOrIOp>(
             op);
}

namespace {
/// Answers once for each kind of operation and type; a module has thousands.
class PlainOnes {
public:
  bool hasArithmetic(Operation *op) {
    if (!isArithmetic(op))
      return true;
    auto truncation = dyn_cast<arith::TruncFOp>(op);
    auto [known, isNew] = listed.try_emplace(op->getName());
    if (isNew)
      known->second = isListed(op);
    return known->second && !(truncation && truncation.getRoundingmode()) &&
           hasTypes(op->getOperandTypes()) && hasTypes(op->getResultTypes());
  }

  /// Has LLVM the types, and by the same names?
  template <typename Types> bool hasTypes(Types &&types) {
    return llvm::all_of(types, [&](Type type) {
      auto [known, isNew] = ofLlvm.try_emplace(type);
      if (isNew)
        known->second = LLVM::isCompatibleType(type);
      return known->second;
    });
  }

private:
  DenseMap<OperationName, bool> listed;
  DenseMap<Type, bool> ofLlvm;
};
} // namespace

bool isPlainArithmetic(ModuleOp module) {
  PlainOnes plain;
  return !module
              ->walk([&](Operation *op) {
                return plain.hasArithmetic(op) ? WalkResult::advance()
                                               : WalkResult::interrupt();
              })
              .wasInterrupted();
}

namespace {
class Converter {
public:
  explicit Converter(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  /// Visits in the order in which upstream converts.
  void visit(llvm::function_ref<void(Operation *)> visitOne) {
    SmallVector<Operation *> ops; // folding one changes what follows it
    module->walk<WalkOrder::PreOrder, ForwardDominanceIterator<>>(
        [&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      visitOne(op);
    finish();
  }

  /// As upstream does in front of the conversion: of arithmetic, only what is
  /// several instructions, and everything else as far as it folds.
  void expand(Operation *op) {
    bool isSeveral = isArithmetic(op) && isExpanded(op);
    SmallVector<Operation *> constants; // are legal
    if (isArithmetic(op) != isSeveral || fold(op, constants) || !isSeveral)
      return;
    builder.setInsertionPoint(op);
    Value made = makeSeveral(op);
    replace(op, made);
  }

  /// False if there is nothing to fold. Constants are made in front of `op`.
  bool fold(Operation *op, SmallVectorImpl<Operation *> &constants) {
    SmallVector<Value> results;
    builder.setInsertionPoint(op);
    while (succeeded(builder.tryFold(op, results, &constants)))
      if (!results.empty()) { // else `op` itself has become another
        replace(op, results);
        return true;
      }
    return false;
  }

  void convert(Operation *op) {
    SmallVector<Operation *> constants;
    bool isFolded = fold(op, constants);
    for (Operation *constant : constants)
      makeAndReplace(constant);
    if (!isFolded)
      makeAndReplace(op);
  }

private:
  void makeAndReplace(Operation *op) {
    builder.setInsertionPoint(op);
    Value made = make(op);
    replace(op, made);
  }

  void replace(Operation *op, ValueRange values) {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
      replaced[result] = value;
    gone.push_back(op);
  }

  void finish() {
    for (Operation *op : gone)
      for (OpResult result : op->getResults()) {
        Value value = replaced.lookup(result);
        while (Value next = replaced.lookup(value))
          value = next;
        result.replaceAllUsesWith(value);
      }
    for (Operation *op : llvm::reverse(gone))
      op->erase();
  }

  /// By arith's own operations.
  Value makeSeveral(Operation *op);
  Value makeQuotient(Operation *op);
  Value compare(Location loc, arith::CmpIPredicate predicate, Value a,
                Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value constant(Operation *op, int64_t number) {
    return arith::ConstantOp::create(
        builder, op->getLoc(),
        builder.getIntegerAttr(op->getResult(0).getType(), number));
  }

  Value make(Operation *op);

  template <typename To, typename... Args>
  Value create(Operation *op, Args &&...args) {
    auto made = To::create(builder, op->getLoc(), std::forward<Args>(args)...);
    // Those of its own are properties.
    if (!op->getDiscardableAttrs().empty())
      made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return made;
  }
  template <typename To> Value binary(Operation *op) {
    return create<To>(op, op->getOperand(0), op->getOperand(1));
  }
  template <typename To, typename Op> Value wrapping(Op op) {
    return create<To>(
        op, op.getLhs(), op.getRhs(),
        arith::convertArithOverflowFlagsToLLVM(op.getOverflowFlags()));
  }
  template <typename To, typename Op> Value exact(Op op) {
    return create<To>(op, op.getLhs(), op.getRhs(), op.getIsExact());
  }
  template <typename To, typename Op> Value fast(Op op) {
    return create<To>(op, op.getLhs(), op.getRhs(),
                      arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
  }
  template <typename To> Value cast(Operation *op) {
    return create<To>(op, op->getResult(0).getType(), op->getOperand(0));
  }

  ModuleOp module;
  OpBuilder builder;
  DenseMap<Value, Value> replaced; ///< by what
  SmallVector<Operation *> gone;   ///< in the order in which they were replaced
};
} // namespace

Value Converter::makeSeveral(Operation *op) {
  using P = arith::CmpIPredicate;
  auto choose = [&](P predicate) -> Value {
    Value a = op->getOperand(0), b = op->getOperand(1);
    Value isFirst = compare(op->getLoc(), predicate, a, b);
    return arith::SelectOp::create(builder, op->getLoc(), isFirst, a, b);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::MaxSIOp) { return choose(P::sgt); })
      .Case([&](arith::MaxUIOp) { return choose(P::ugt); })
      .Case([&](arith::MinSIOp) { return choose(P::slt); })
      .Case([&](arith::MinUIOp) { return choose(P::ult); })
      .Default([&](Operation *op) { return makeQuotient(op); });
}

/// Division rounds towards zero, and these do not.
Value Converter::makeQuotient(Operation *op) {
  using P = arith::CmpIPredicate;
  Location loc = op->getLoc();
  Value a = op->getOperand(0), b = op->getOperand(1);
  if (isa<arith::CeilDivUIOp>(op)) { // a == 0 ? 0 : (a - 1) / b + 1
    Value zero = constant(op, 0);
    Value isZero = compare(loc, P::eq, a, zero);
    Value one = constant(op, 1);
    Value less = arith::SubIOp::create(builder, loc, a, one);
    Value quotient = arith::DivUIOp::create(builder, loc, less, b);
    Value more = arith::AddIOp::create(builder, loc, quotient, one);
    return arith::SelectOp::create(builder, loc, isZero, zero, more);
  }
  // Another one if there is a rest, and both have the same sign, or not.
  bool isUp = isa<arith::CeilDivSIOp>(op);
  Value zero, step; // where upstream makes them
  if (isUp) {
    zero = constant(op, 0);
    step = constant(op, 1);
  }
  Value quotient = arith::DivSIOp::create(builder, loc, a, b);
  Value product = arith::MulIOp::create(builder, loc, quotient, b);
  Value hasRest = compare(loc, P::ne, a, product);
  if (!isUp)
    zero = constant(op, 0);
  Value first = compare(loc, P::slt, a, zero);
  Value second = compare(loc, P::slt, b, zero);
  Value isOther = compare(loc, isUp ? P::eq : P::ne, first, second);
  Value isNext = arith::AndIOp::create(builder, loc, hasRest, isOther);
  if (!isUp)
    step = constant(op, -1);
  Value next = arith::AddIOp::create(builder, loc, quotient, step);
  return arith::SelectOp::create(builder, loc, isNext, next, quotient);
}

Value Converter::make(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::ConstantOp op) {
        return create<LLVM::ConstantOp>(op, op.getType(), op.getValue());
      })
      .Case([&](arith::AddIOp op) { return wrapping<LLVM::AddOp>(op); })
      .Case([&](arith::SubIOp op) { return wrapping<LLVM::SubOp>(op); })
      .Case([&](arith::MulIOp op) { return wrapping<LLVM::MulOp>(op); })
      .Case([&](arith::ShLIOp op) { return wrapping<LLVM::ShlOp>(op); })
      .Case([&](arith::DivSIOp op) { return exact<LLVM::SDivOp>(op); })
      .Case([&](arith::DivUIOp op) { return exact<LLVM::UDivOp>(op); })
      .Case([&](arith::ShRSIOp op) { return exact<LLVM::AShrOp>(op); })
      .Case([&](arith::ShRUIOp op) { return exact<LLVM::LShrOp>(op); })
      .Case([&](arith::RemSIOp op) { return binary<LLVM::SRemOp>(op); })
      .Case([&](arith::RemUIOp op) { return binary<LLVM::URemOp>(op); })
      .Case([&](arith::AndIOp op) { return binary<LLVM::AndOp>(op); })
      .Case([&](arith::OrIOp op) { return binary<LLVM::OrOp>(op); })
      .Case([&](arith::XOrIOp op) { return binary<LLVM::XOrOp>(op); })
      .Case([&](arith::AddFOp op) { return fast<LLVM::FAddOp>(op); })
      .Case([&](arith::SubFOp op) { return fast<LLVM::FSubOp>(op); })
      .Case([&](arith::MulFOp op) { return fast<LLVM::FMulOp>(op); })
      .Case([&](arith::DivFOp op) { return fast<LLVM::FDivOp>(op); })
      .Case([&](arith::NegFOp op) {
        return create<LLVM::FNegOp>(
            op, op.getOperand(),
            arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
      })
      .Case([&](arith::ExtSIOp op) { return cast<LLVM::SExtOp>(op); })
      .Case([&](arith::ExtUIOp op) { return cast<LLVM::ZExtOp>(op); })
      .Case([&](arith::TruncIOp op) {
        return create<LLVM::TruncOp>(
            op, op.getType(), op.getIn(),
            arith::convertArithOverflowFlagsToLLVM(op.getOverflowFlags()));
      })
      .Case([&](arith::ExtFOp op) { return cast<LLVM::FPExtOp>(op); })
      .Case([&](arith::TruncFOp op) { return cast<LLVM::FPTruncOp>(op); })
      .Case([&](arith::SIToFPOp op) { return cast<LLVM::SIToFPOp>(op); })
      .Case([&](arith::UIToFPOp op) { return cast<LLVM::UIToFPOp>(op); })
      .Case([&](arith::FPToSIOp op) { return cast<LLVM::FPToSIOp>(op); })
      .Case([&](arith::FPToUIOp op) { return cast<LLVM::FPToUIOp>(op); })
      .Case([&](arith::BitcastOp op) -> Value {
        if (op.getType() == op.getIn().getType())
          return op.getIn();
        return cast<LLVM::BitcastOp>(op);
      })
      .Case([&](arith::CmpIOp op) {
        // Both enumerate alike, as upstream's conversion asserts.
        return create<LLVM::ICmpOp>(
            op, static_cast<LLVM::ICmpPredicate>(op.getPredicate()),
            op.getLhs(), op.getRhs());
      })
      .Case([&](arith::CmpFOp op) {
        return create<LLVM::FCmpOp>(
            op, op.getType(),
            static_cast<LLVM::FCmpPredicate>(op.getPredicate()), op.getLhs(),
            op.getRhs(),
            arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
      })
      .Case([&](arith::SelectOp op) {
        return create<LLVM::SelectOp>(op, op.getCondition(), op.getTrueValue(),
                                      op.getFalseValue());
      })
      .Default([](Operation *) -> Value {
        llvm_unreachable("isListed has what is converted");
      });
}

void expandArithmetic(ModuleOp module) {
  Converter converter(module);
  converter.visit([&](Operation *op) { converter.expand(op); });
}

void convertArithmetic(ModuleOp module) {
  Converter converter(module);
  converter.visit([&](Operation *op) {
    if (isArithmetic(op))
      converter.convert(op);
  });
}

static void convertBranch(OpBuilder &builder, Operation *op) {
  builder.setInsertionPoint(op);
  Operation *made = nullptr;
  if (auto branch = dyn_cast<cf::CondBranchOp>(op))
    made = LLVM::CondBrOp::create(builder, op->getLoc(), branch.getCondition(),
                                  branch.getTrueDestOperands(),
                                  branch.getFalseDestOperands(),
                                  branch.getBranchWeightsAttr(),
                                  branch.getTrueDest(), branch.getFalseDest());
  else
    made = LLVM::BrOp::create(builder, op->getLoc(), op->getOperands(),
                              op->getSuccessor(0));
  if (!op->getDiscardableAttrs().empty())
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->erase();
}

bool convertBranches(ModuleOp module) {
  SmallVector<Operation *> branches;
  PlainOnes plain;
  bool arePlain =
      !module
           ->walk([&](Operation *op) {
             if (!isa_and_present<cf::ControlFlowDialect>(op->getDialect()))
               return WalkResult::advance();
             branches.push_back(op);
             return isa<cf::BranchOp, cf::CondBranchOp>(op) &&
                            plain.hasTypes(op->getOperandTypes())
                        ? WalkResult::advance()
                        : WalkResult::interrupt();
           })
           .wasInterrupted();
  if (!arePlain)
    return false;
  OpBuilder builder(module.getContext());
  for (Operation *op : branches)
    convertBranch(builder, op);
  return true;
}

} // namespace heddle::tonvvm
