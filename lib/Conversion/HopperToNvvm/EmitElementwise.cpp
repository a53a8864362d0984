//===- EmitElementwise.cpp - Arithmetic register by register ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApproximateMath.h"
#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::tonvvm {

/// Register i of every tile of `op` must hold the same element.
static LogicalResult verifyAlike(Operation *op) {
  std::optional<machine::Layout> first;
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    if (!isa<RankedTensorType>(type))
      continue;
    std::optional<machine::Layout> layout = hopper::getLayout(type);
    if (!layout)
      return op->emitError() << "tile " << type << " has no register layout";
    if (first && !(*first == *layout) &&
        classifyConversion(*first, *layout) != machine::Conversion::Same)
      return op->emitError(
          "combines tiles of different register layouts; convert one before");
    first = layout;
  }
  return success();
}

/// Converts between integers as the width of `to` demands.
static Value resize(Code &code, Value value, Type to, bool isSigned) {
  unsigned from = value.getType().getIntOrFloatBitWidth(),
           width = to.getIntOrFloatBitWidth();
  if (from == width)
    return value;
  if (from > width)
    return arith::TruncIOp::create(code.builder, code.loc, to, value);
  if (isSigned)
    return arith::ExtSIOp::create(code.builder, code.loc, to, value);
  return arith::ExtUIOp::create(code.builder, code.loc, to, value);
}

/// The op on scalars in place of tiles.
static Value cloneScalar(Code &code, Operation *op, ValueRange operands,
                         Type result) {
  OperationState state(code.loc, op->getName());
  state.addOperands(operands);
  state.addTypes(result);
  state.addAttributes(op->getAttrDictionary().getValue());
  return code.builder.create(state)->getResult(0);
}

/// The intrinsic that is one instruction for `op`, which upstream would expand
/// into comparisons; "" if there is none.
static StringRef nativeExtremum(Operation *op, Type type) {
  if (!type.isF32() && !type.isF16() && !type.isBF16())
    return "";
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](arith::MaximumFOp) { return "llvm.maximum"; })
      .Case([](arith::MinimumFOp) { return "llvm.minimum"; })
      .Case([](arith::MaxNumFOp) { return "llvm.maxnum"; })
      .Case([](arith::MinNumFOp) { return "llvm.minnum"; })
      .Default(StringRef());
}

static Value emitScalar(Code &code, Operation *op, ValueRange operands,
                        Type result) {
  if (StringRef name = nativeExtremum(op, result); !name.empty())
    return code.intrinsic(name, result, operands);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return resize(code, operands[0], result, isa<arith::IndexCastOp>(op));
  bool narrow = isApproximated(op) && (result.isF16() || result.isBF16());
  if (!narrow)
    return isApproximated(op) && result.isF32()
               ? approximate(code, op, operands)
               : cloneScalar(code, op, operands, result);
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(code.extend(operand));
  Value value = approximate(code, op, wide);
  return arith::TruncFOp::create(code.builder, code.loc, result, value);
}

LogicalResult Emitter::emitElementwise(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return emitConstant(op);
  if (isa<tile::CastOp, arith::TruncFOp, arith::ExtFOp>(op))
    return emitCast(op);
  StringRef dialect = op->getName().getDialectNamespace();
  if ((dialect != "arith" && dialect != "math") || op->getNumResults() != 1 ||
      op->getNumRegions())
    return op->emitError("has no expansion to threads");
  if (failed(verifyAlike(op)))
    return failure();
  FailureOr<SmallVector<Type>> types =
      registerTypes(op->getResultTypes(), op->getLoc());
  if (failed(types))
    return failure();
  Code code(builder, op->getLoc());
  Registers results;
  for (auto [i, type] : llvm::enumerate(*types)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(registers(operand).size() == 1
                             ? scalar(operand)
                             : registers(operand)[i]);
    results.push_back(emitScalar(code, op, operands, type));
  }
  bind(op->getResult(0), results);
  return success();
}

LogicalResult Emitter::emitConstant(Operation *op) {
  TypedAttr value = cast<arith::ConstantOp>(op).getValue();
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (!dense.isSplat())
      return op->emitError(
          "only tiles of one repeated constant have an expansion to threads");
    value = cast<TypedAttr>(dense.getSplatValue<Attribute>());
  }
  if (value.getType().isIndex())
    value =
        builder.getI32IntegerAttr(int32_t(cast<IntegerAttr>(value).getInt()));
  FailureOr<SmallVector<Type>> types =
      registerTypes(op->getResultTypes(), op->getLoc());
  if (failed(types))
    return failure();
  Value constant = arith::ConstantOp::create(builder, op->getLoc(), value);
  bind(op->getResult(0), Registers(types->size(), constant));
  return success();
}

LogicalResult Emitter::emitCast(Operation *op) {
  FailureOr<SmallVector<Type>> types =
      registerTypes(op->getResultTypes(), op->getLoc());
  if (failed(types) || failed(verifyAlike(op)))
    return failure();
  Code code(builder, op->getLoc());
  const Registers &source = registers(op->getOperand(0));
  Type from = source.front().getType(), to = types->front();
  auto isHandled = [](Type type) {
    return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
  };
  if (!isHandled(from) || !isHandled(to))
    return op->emitError() << "no instruction converts " << from << " to "
                           << to;
  Registers results;
  size_t count = source.size();
  bool narrows = from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth();
  bool pairs = from.isF32() && narrows; // one cvt makes two 16-bit numbers
  for (size_t i = 0; i < count; ++i) {
    if (from == to) {
      results.push_back(source[i]);
    } else if (pairs && i + 1 < count) {
      results.append(
          code.unpack(code.truncatePair(source[i], source[i + 1], to)));
      ++i;
    } else if (from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth()) {
      results.push_back(arith::TruncFOp::create(builder, op->getLoc(), to,
                                                code.extend(source[i])));
    } else if (narrows) {
      results.push_back(
          arith::TruncFOp::create(builder, op->getLoc(), to, source[i]));
    } else {
      results.push_back(
          arith::ExtFOp::create(builder, op->getLoc(), to, source[i]));
    }
  }
  bind(op->getResult(0), results);
  return success();
}

LogicalResult Emitter::emitSplat(tile::SplatOp op) {
  FailureOr<SmallVector<Type>> types =
      registerTypes(op->getResultTypes(), op.getLoc());
  if (failed(types))
    return failure();
  bind(op.getResult(), Registers(types->size(), scalar(op.getValue())));
  return success();
}

LogicalResult Emitter::emitRenaming(Operation *op,
                                    const machine::Layout &source,
                                    const machine::Coord &offset) {
  std::optional<machine::Layout> layout =
      hopper::getLayout(op->getResult(0).getType());
  if (!layout)
    return op->emitError("has a result without a register layout");
  std::optional<std::vector<int>> map = mapRegisters(source, *layout, offset);
  if (!map) {
    bool shuffle =
        source.rank == layout->rank &&
        classifyConversion(source, *layout) == machine::Conversion::WarpShuffle;
    return op->emitError("needs ")
           << (shuffle ? "values from other lanes of the warp"
                       : "a round trip through shared memory")
           << ", which the expansion to threads does not provide";
  }
  const Registers &from = registers(op->getOperand(0));
  Registers results;
  for (int index : *map)
    results.push_back(from[index]);
  bind(op->getResult(0), results);
  return success();
}

LogicalResult Emitter::emitExpandDims(tile::ExpandDimsOp op) {
  std::optional<machine::Layout> source =
      hopper::getLayout(op.getValue().getType());
  if (!source)
    return op.emitError("has an operand without a register layout");
  return emitRenaming(op, expandAxis(*source, int(op.getAxis())), {});
}

LogicalResult Emitter::emitReshape(tile::ReshapeOp op) {
  std::optional<machine::Layout> source =
      hopper::getLayout(op.getValue().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  if (!source)
    return op.emitError("has an operand without a register layout");
  std::optional<machine::Layout> reshaped =
      machine::reshape(*source, to.getShape().vec());
  if (!reshaped)
    return op.emitError() << "moves elements of " << op.getValue().getType()
                          << " between threads to make " << to;
  return emitRenaming(op, *reshaped, {});
}

} // namespace heddle::tonvvm
