//===- Products.cpp - By which instruction a product goes -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shapes and element types of PTX's wgmma and mma.sync. How an operand will
// lie in shared memory is known here only for what is loaded: a tile that
// threads make is put there as wgmma wants it, if its extents allow that.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Products.h"

#include "heddle/Dialect/Tile/EightBitFloat.h"
#include "heddle/Dialect/Tile/Elementwise.h"
#include "heddle/Machine/WarpProduct.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heddle;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Extents of a product of matrices, all of them known.
static bool isPlain(tile::DotOp dot) {
  return typeOf(dot.getResult()).getRank() == 2 &&
         typeOf(dot.getResult()).hasStaticShape() &&
         typeOf(dot.getA()).hasStaticShape();
}

/// Both instructions take the same element types, and sum alike. Sums of 16
/// bits are kept in 32 while warps add to them.
static bool hasKnownTypes(tile::DotOp dot, bool byWarps = false) {
  Type a = typeOf(dot.getA()).getElementType(),
       b = typeOf(dot.getB()).getElementType(),
       sum = typeOf(dot.getResult()).getElementType();
  if (a.isInteger(8) && b.isInteger(8))
    return sum.isInteger(32);
  bool isFloat = (a == b && (a.isF16() || a.isBF16())) ||
                 (a == b && a.isF32() && dot.getTf32()) ||
                 (tile::isEightBitFloat(a) && tile::isEightBitFloat(b));
  return isFloat && (sum.isF32() || (byWarps && (sum.isF16() || sum.isBF16())));
}

Contracted heddle::findContracted(OpOperand &operand) {
  auto dot = cast<tile::DotOp>(operand.getOwner());
  Contracted found{operand.get(), &operand == &dot.getAMutable() ? 1 : 0};
  while (auto trans = found.value.getDefiningOp<tile::TransOp>()) {
    found.axis = trans.getOrder()[found.axis];
    found.value = trans.getValue();
  }
  return found;
}

/// Products read whole parts of rows.
static bool hasWideRows(OpOperand &operand, const machine::Limits &limits) {
  auto [value, contraction] = findContracted(operand);
  RankedTensorType type = typeOf(value);
  int64_t bits = type.getElementTypeBitWidth();
  auto load = value.getDefiningOp<tile::LoadOp>();
  int64_t fastest = bits != 16 ? contraction
                    : load ? load.getView().getType().getTileOrder(2).front()
                           : 1;
  return type.getDimSize(fastest) * bits % (8 * limits.productRowBytes) == 0;
}

/// A product of `rows` by `columns` of what the operands of `dot` hold.
static bool fitsWarpGroup(tile::DotOp dot, const machine::Costs &costs,
                          int64_t rows, int64_t columns) {
  const machine::Limits &limits = costs.limits;
  Type element = typeOf(dot.getA()).getElementType();
  // Integers have fewer widths.
  bool isWidth = columns % limits.productColumnStep == 0 &&
                 columns <= limits.wgmmaColumns &&
                 (!element.isInteger(8) || columns <= limits.integerColumns ||
                  columns % limits.integerColumnStep == 0);
  return rows % int64_t(costs.tensor.rows) == 0 && isWidth &&
         typeOf(dot.getA()).getDimSize(1) %
                 machine::warpDepth(element.getIntOrFloatBitWidth()) ==
             0 &&
         hasWideRows(dot.getAMutable(), limits) &&
         hasWideRows(dot.getBMutable(), limits);
}

bool heddle::fitsWarpGroup(tile::DotOp dot, const machine::Costs &costs) {
  if (!isPlain(dot) || !hasKnownTypes(dot))
    return false;
  RankedTensorType result = typeOf(dot.getResult());
  return ::fitsWarpGroup(dot, costs, result.getDimSize(0),
                         result.getDimSize(1));
}

bool heddle::fitsWarpGroupSwapped(tile::DotOp dot,
                                  const machine::Costs &costs) {
  if (!isPlain(dot) || !hasKnownTypes(dot))
    return false;
  RankedTensorType result = typeOf(dot.getResult());
  return ::fitsWarpGroup(dot, costs, result.getDimSize(1),
                         result.getDimSize(0));
}

/// A conversion to 8 bits of wider elements.
static bool narrowsToBytes(Operation *op) {
  if (!tile::isElementwise(op) || op->getNumOperands() != 1 ||
      op->getNumResults() != 1)
    return false;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return from && to && to.getElementType().isIntOrFloat() &&
         to.getElementTypeBitWidth() == 8 &&
         from.getElementType().isIntOrFloat() &&
         from.getElementTypeBitWidth() > 8;
}

/// Sums of wgmma, and what is made of them in the same block or in conditionals
/// of it, element by element.
static bool isMadeOfSums(Value value, const machine::Costs &costs) {
  Block *block = value.getParentBlock();
  llvm::SetVector<Value> visited;
  visited.insert(value);
  for (size_t next = 0; next < visited.size(); ++next) {
    Operation *maker = visited[next].getDefiningOp();
    if (!maker || !block->findAncestorOpInBlock(*maker))
      continue;
    if (auto dot = dyn_cast<tile::DotOp>(maker);
        dot && formOf(dot, costs) == ProductForm::Group)
      return true;
    if (tile::isElementwise(maker))
      for (Value operand : maker->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          visited.insert(operand);
    if (auto branch = dyn_cast<scf::IfOp>(maker)) {
      unsigned index = cast<OpResult>(visited[next]).getResultNumber();
      visited.insert(branch.thenYield().getOperand(index));
      visited.insert(branch.elseYield().getOperand(index));
    }
  }
  return false;
}

bool heddle::isNarrowedSum(OpOperand &operand, const machine::Costs &costs) {
  auto dot = dyn_cast<tile::DotOp>(operand.getOwner());
  if (!dot || &operand != &dot.getAMutable() ||
      costs.tensorMemory.columns > 0 ||
      formOf(dot, costs) != ProductForm::Group)
    return false;
  Operation *maker = operand.get().getDefiningOp();
  return maker && narrowsToBytes(maker) && isMadeOfSums(operand.get(), costs);
}

bool heddle::narrowsSums(Operation *op, const machine::Costs &costs) {
  return narrowsToBytes(op) && llvm::any_of(op->getUses(), [&](OpOperand &use) {
           return isNarrowedSum(use, costs);
         });
}

static bool fitsWarps(tile::DotOp dot) {
  if (!isPlain(dot) || !hasKnownTypes(dot, /*byWarps=*/true))
    return false;
  RankedTensorType a = typeOf(dot.getA()), result = typeOf(dot.getResult());
  return result.getDimSize(0) % machine::kWarpRows == 0 &&
         result.getDimSize(1) % machine::kWarpColumns == 0 &&
         a.getDimSize(1) % machine::warpDepth(a.getElementTypeBitWidth()) == 0;
}

/// Of the code that each thread runs: instructions are written out.
static constexpr int64_t kMostSteps = 16384;

std::string heddle::whyNotByThreads(tile::DotOp dot,
                                    const machine::Costs &costs) {
  if (!isPlain(dot))
    return "has extents that are not known";
  if (fitsWarps(dot))
    return "";
  RankedTensorType a = typeOf(dot.getA()), result = typeOf(dot.getResult());
  Type sum = result.getElementType(), in = a.getElementType(),
       other = typeOf(dot.getB()).getElementType();
  bool isInteger = in.isSignlessInteger() && in == other &&
                   sum.isSignlessInteger() && in.getIntOrFloatBitWidth() >= 8 &&
                   in.getIntOrFloatBitWidth() <= sum.getIntOrFloatBitWidth();
  bool isFloat = isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(in) &&
                 in == other && isa<Float32Type, Float64Type>(sum) &&
                 in.getIntOrFloatBitWidth() <= sum.getIntOrFloatBitWidth();
  if (!isInteger && !isFloat)
    return "has element types that no instruction multiplies and adds";
  int64_t steps =
      result.getNumElements() * a.getDimSize(1) / costs.limits.threadsPerGroup;
  if (steps > kMostSteps)
    return ("would take " + Twine(steps) +
            " multiplications of each thread, where at most " +
            Twine(kMostSteps) + " are written out; choose smaller tiles")
        .str();
  return "";
}

ProductForm heddle::formByThreads(tile::DotOp dot) {
  return fitsWarps(dot) ? ProductForm::Warps : ProductForm::Threads;
}

ProductForm heddle::formOf(tile::DotOp dot, const machine::Costs &costs) {
  bool isGroup =
      isPlain(dot) && fitsWarpGroup(dot, costs) &&
      typeOf(dot.getResult()).getDimSize(0) == int64_t(costs.tensor.rows);
  if (costs.tensorMemory.columns > 0 || isGroup ||
      !whyNotByThreads(dot, costs).empty())
    return ProductForm::Group;
  return formByThreads(dot);
}
