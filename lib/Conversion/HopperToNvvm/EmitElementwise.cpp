//===- EmitElementwise.cpp - Arithmetic register by register ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Register i of a result is the operation on register i of its operands. That
// is right only if all tiles have one layout, which is checked here again: a
// saved rung can be edited, and mixed layouts would give wrong numbers without
// an error.
//
//===----------------------------------------------------------------------===//

#include "ApproximateMath.h"

#include "ByteConversion.h"
#include "Emitter.h"
#include "FloatConversion.h"
#include "InlineAsm.h"
#include "ScalarOps.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

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
      return report(op, diag::hopper_layout_use)
             << "tile " << type << " has no register layout";
    if (first && !(*first == *layout) &&
        classifyConversion(*first, *layout) != machine::Conversion::Same)
      return reportOp(op, diag::hopper_layout_use)
             << "combines tiles of different register layouts; convert one "
                "before";
    first = layout;
  }
  return success();
}

/// Sums and products of two numbers of 16 bits are one instruction. It only
/// matters where threads work beside the tensor core; what has no rings waits
/// for memory.
static bool goesByPairs(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0));
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op) ||
      (!type.isF16() && !type.isBF16()))
    return false;
  auto kernel = op->getParentOfType<hopper::KernelOp>();
  return kernel && !kernel.getBody().getOps<hopper::RingOp>().empty();
}

/// Several elements at once; empty where they go one by one.
Registers Emitter::emitWords(Code &code, Operation *op) {
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
      getElementTypeOrSelf(op->getOperand(0)).isInteger(8))
    return convertBytes(code, registers(op->getOperand(0)),
                        getElementTypeOrSelf(op->getResult(0)),
                        isa<arith::SIToFPOp>(op));
  if (op->getNumOperands() == 2 &&
      getElementTypeOrSelf(op->getResult(0)).isInteger(8) &&
      isa<RankedTensorType>(op->getResult(0).getType()))
    return combineBytes(code, op, registers(op->getOperand(0)),
                        registers(op->getOperand(1)));
  if (!goesByPairs(op))
    return {};
  const Registers &a = registers(op->getOperand(0)),
                  &b = registers(op->getOperand(1));
  if (a.size() != b.size() || a.size() % 2)
    return {};
  Registers results;
  for (size_t i = 0; i < a.size(); i += 2) {
    Value operands[2] = {code.pack({a[i], a[i + 1]}),
                         code.pack({b[i], b[i + 1]})};
    OperationState state(code.loc, op->getName(), operands,
                         operands[0].getType(), op->getAttrs());
    results.append(code.unpack(code.builder.create(state)->getResult(0)));
  }
  return results;
}

LogicalResult Emitter::emitElementwise(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return emitConstant(op);
  if (isa<tile::CastOp, arith::TruncFOp, arith::ExtFOp>(op))
    return emitCast(op);
  StringRef dialect = op->getName().getDialectNamespace();
  auto asked = dyn_cast<tile::TileOpInterface>(op);
  bool goesByElement =
      asked ? asked.goesByElement() : dialect == "arith" || dialect == "math";
  if (!goesByElement || op->getNumRegions())
    return reportOp(op, diag::no_expansion) << "has no expansion to threads";
  if (failed(verifyAlike(op)))
    return failure();
  FailureOr<SmallVector<Type>> types =
      registerTypes(op->getResult(0).getType(), op->getLoc());
  if (failed(types))
    return failure();
  if (emitsQuickDivision(op)) {
    emitQuickDivision(op);
    return success();
  }
  Code code(builder, op->getLoc());
  if (auto assembly = dyn_cast<tile::InlineAsmOp>(op)) {
    SmallVector<Registers> operands;
    for (Value operand : op->getOperands())
      operands.push_back(registers(operand));
    for (auto [result, made] :
         llvm::zip(op->getResults(),
                   emitInlineAsm(code, assembly, operands, types->size())))
      bind(result, made);
    return success();
  }
  if (Registers whole = emitWords(code, op); !whole.empty()) {
    bind(op->getResult(0), whole);
    return success();
  }
  SmallVector<Registers> results(op->getNumResults());
  for (size_t i = 0; i < types->size(); ++i) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(registers(operand).size() == 1
                             ? scalar(operand)
                             : registers(operand)[i]);
    FailureOr<SmallVector<Value>> made = emitScalar(code, op, operands);
    if (failed(made))
      return failure();
    for (auto [all, one] : llvm::zip(results, *made))
      all.push_back(one);
  }
  for (auto [result, all] : llvm::zip(op->getResults(), results))
    bind(result, all);
  return success();
}

LogicalResult Emitter::emitCast(Operation *op) {
  if (failed(verifyAlike(op)))
    return failure();
  Code code(builder, op->getLoc());
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()),
       to = getElementTypeOrSelf(op->getResult(0).getType());
  bool towardZero = false, isRounded = true;
  if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    auto mode = truncate.getRoundingmode();
    towardZero = mode == arith::RoundingMode::toward_zero;
    isRounded =
        !mode || towardZero || mode == arith::RoundingMode::to_nearest_even;
    if (to.getIntOrFloatBitWidth() == 8)
      return reportOp(op, diag::no_expansion)
             << "rounds to " << to << " without saturating, "
             << "for which sm_90a has no instruction; use "
                "tile.cast, which saturates";
  }
  Registers results;
  if (isRounded && isConvertible(from) && isConvertible(to))
    results =
        convertFloats(code, registers(op->getOperand(0)), from, to, towardZero);
  if (results.empty())
    return report(op, diag::no_expansion)
           << "no instruction of sm_90a converts " << from << " to " << to
           << " with this rounding";
  bind(op->getResult(0), results);
  return success();
}

LogicalResult Emitter::emitRenaming(Operation *op,
                                    const machine::Layout &source,
                                    const machine::Coord &offset) {
  std::optional<machine::Layout> layout =
      hopper::getLayout(op->getResult(0).getType());
  if (!layout)
    return reportOp(op, diag::hopper_layout_use)
           << "has a result without a register layout";
  std::optional<std::vector<int>> map = mapRegisters(source, *layout, offset);
  if (!map)
    return report(op, diag::no_expansion)
           << "needs elements that other threads hold, which the "
              "expansion to threads "
              "does not move; convert the layout before";
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
    return reportOp(op, diag::hopper_layout_use)
           << "has an operand without a register layout";
  return emitRenaming(op, expandAxis(*source, int(op.getAxis())), {});
}

} // namespace heddle::tonvvm
