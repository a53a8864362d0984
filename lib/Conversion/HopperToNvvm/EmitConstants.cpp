//===- EmitConstants.cpp - Tiles made from nothing or from a scalar ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splats, iotas and constants take no memory: a register is the scalar, or the
// thread's part of a number plus a constant of its own. A constant with
// different elements becomes selections by the bits of lane and warp; of more
// than a thousand elements that would be a text of selections, and the program
// is refused.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "LinearIndex.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using heddle::machine::Coord;
using heddle::machine::Layout;

namespace heddle::tonvvm {

LogicalResult Emitter::emitSplat(tile::SplatOp op) {
  FailureOr<SmallVector<Type>> types =
      registerTypes(op->getResultTypes(), op.getLoc());
  if (failed(types))
    return failure();
  bind(op.getResult(), Registers(types->size(), scalar(op.getValue())));
  return success();
}

/// A number is the thread's part plus a constant of the register.
LogicalResult Emitter::emitIota(tile::IotaOp op) {
  FailureOr<SmallVector<Type>> types =
      registerTypes(op->getResultTypes(), op.getLoc());
  if (failed(types))
    return failure();
  Code code(builder, op.getLoc());
  Layout layout = *hopper::getLayout(op.getResult().getType());
  Value own = emitThreadSum(code, layout, threads,
                            [](const Coord &vector) { return vector[0]; });
  own = code.resize(own, types->front(), /*isSigned=*/false);
  Registers numbers;
  for (int index = 0; index < layout.registerCount(); ++index)
    numbers.push_back(code.add(own, layout.registerCoordinate(index)[0]));
  bind(op.getResult(), numbers);
  return success();
}

namespace {
/// The element of a constant at a coordinate that a register adds to the
/// thread's: selected by the bits of lane and warp that move through the tile.
class ConstantTable {
public:
  ConstantTable(Code &code, DenseElementsAttr elements, Type registerType,
                const Layout &layout, const Threads &threads)
      : code(code), registerType(registerType), layout(layout),
        values(elements.getValues<Attribute>().begin(),
               elements.getValues<Attribute>().end()) {
    addBits(layout.lane, threads.lane);
    addBits(layout.warp, threads.warp);
  }

  Value at(const Coord &coord) { return select(bits.size(), coord); }

private:
  struct Bit {
    Coord vector;
    Value isClear;
  };

  void addBits(ArrayRef<Coord> vectors, Value index) {
    for (auto [bit, vector] : llvm::enumerate(vectors))
      if (vector != Coord{})
        bits.push_back(
            {vector, code.isEqual(code.bitAnd(index, int64_t(1) << bit), 0)});
  }

  /// The lowest `count` bits are still open.
  Value select(size_t count, const Coord &coord) {
    if (count == 0)
      return constant(coord);
    Coord further = coord;
    for (int axis = 0; axis < layout.rank; ++axis)
      further[axis] += bits[count - 1].vector[axis];
    Value clear = select(count - 1, coord), set = select(count - 1, further);
    return clear == set ? clear
                        : code.select(bits[count - 1].isClear, clear, set);
  }

  Value constant(const Coord &coord) {
    int64_t index = 0;
    for (int axis = 0; axis < layout.rank; ++axis)
      index = index * layout.extent(axis) + coord[axis];
    Value &made = constants[values[index]];
    if (!made)
      made = code.constant(values[index], registerType);
    return made;
  }

  Code &code;
  Type registerType;
  const Layout &layout;
  SmallVector<Attribute> values;
  SmallVector<Bit> bits;
  DenseMap<Attribute, Value> constants;
};
} // namespace

LogicalResult Emitter::emitConstant(Operation *op) {
  constexpr int64_t kMostElements = 1024; // each may take a selection
  TypedAttr value = cast<arith::ConstantOp>(op).getValue();
  FailureOr<SmallVector<Type>> types =
      registerTypes(op->getResultTypes(), op->getLoc());
  if (failed(types))
    return failure();
  Code code(builder, op->getLoc());
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || dense.isSplat()) {
    Attribute element = dense ? dense.getSplatValue<Attribute>() : value;
    bind(op->getResult(0),
         Registers(types->size(), code.constant(element, types->front())));
    return success();
  }
  if (dense.getNumElements() > kMostElements)
    return reportOp(op, diag::no_expansion)
           << "is a constant of " << dense.getNumElements()
           << " elements, of which threads select " << kMostElements
           << " at most; load it from a view";
  Layout layout = *hopper::getLayout(dense.getType());
  ConstantTable table(code, dense, types->front(), layout, threads);
  Registers elements;
  for (int index = 0; index < layout.registerCount(); ++index)
    elements.push_back(table.at(layout.registerCoordinate(index)));
  bind(op->getResult(0), elements);
  return success();
}

} // namespace heddle::tonvvm
