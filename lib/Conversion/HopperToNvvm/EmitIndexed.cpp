//===- EmitIndexed.cpp - Shared elements that data choose -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hopper.local_take and hopper.local_count access shared elements at places
// that data decide, so no layout says them beforehand. The tile is plain,
// without a swizzle: an address is a sum in which the index along one axis is
// all that the program computes.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "LinearIndex.h"

using namespace mlir;
using heddle::machine::Coord;
using heddle::machine::Layout;

namespace heddle::tonvvm {

/// Bytes from the start of a plain tile, without `axis`.
static int64_t offsetOf(const machine::SharedLayout &shared, Coord coord,
                        int axis) {
  if (axis >= 0)
    coord[axis] = 0;
  return shared.fixedOffset(coord);
}

LogicalResult Emitter::emitLocalTake(hopper::LocalTakeOp op) {
  Code code(builder, op.getLoc());
  Layout layout = *hopper::getLayout(op.getIndices().getType());
  machine::SharedLayout shared =
      hopper::getSharedLayout(op.getTile().getType());
  int axis = int(op.getAxis());
  Coord step = {};
  step[axis] = 1;
  int64_t stride = shared.shape[axis] > 1 ? shared.fixedOffset(step) : 0;
  Value own = code.advance(
      scalar(op.getTile()),
      emitThreadSum(code, layout, threads, [&](const Coord &vector) {
        return offsetOf(shared, vector, axis);
      }));
  Type type = registerType(op.getValue().getType().getElementType());
  Registers results;
  for (auto [index, place] : llvm::enumerate(registers(op.getIndices()))) {
    Value number = code.resize(place, builder.getI32Type(), /*isSigned=*/true);
    Value pointer = code.advance(own, code.mul(number, stride));
    int64_t rest =
        offsetOf(shared, layout.registerCoordinate(int(index)), axis);
    results.push_back(
        code.load(type, code.advance(pointer, rest), shared.elementBytes));
  }
  bind(op.getValue(), results);
  return success();
}

/// True in the one thread that stands for all which hold the same elements;
/// null if there are no others.
static Value isOwner(Code &code, const Layout &layout, const Threads &threads) {
  Value owner;
  auto exclude = [&](ArrayRef<Coord> vectors, size_t bits, Value index) {
    int64_t mask = 0;
    for (size_t bit = 0; bit < bits; ++bit)
      if (bit >= vectors.size() || vectors[bit] == Coord{})
        mask |= int64_t(1) << bit;
    if (!mask)
      return;
    Value isZero = code.isEqual(code.bitAnd(index, mask), 0);
    owner = owner ? code.bitAnd(owner, isZero) : isZero;
  };
  int64_t warps = hopper::ProcessOp(threads.process).getWarps();
  exclude(layout.lane, layout.lane.size(), threads.lane);
  exclude(layout.warp, llvm::Log2_64_Ceil(warps), threads.warp);
  return owner;
}

LogicalResult Emitter::emitLocalCount(hopper::LocalCountOp op) {
  Code code(builder, op.getLoc());
  Layout layout = *hopper::getLayout(op.getValue().getType());
  int64_t bins = op.getTile().getType().getShape()[0];
  Value owner = isOwner(code, layout, threads), tile = scalar(op.getTile());
  bool isBit = op.getValue().getType().getElementType().isInteger(1);
  Value one = code.i32(1);
  for (auto [index, number] : llvm::enumerate(registers(op.getValue()))) {
    bool isReplica = false;
    for (size_t bit = 0; bit < layout.reg.size(); ++bit)
      isReplica |= layout.reg[bit] == Coord{} && (index >> bit & 1);
    if (isReplica)
      continue;
    // A negative number is a large one without its sign.
    Value wide = number;
    if (number.getType().getIntOrFloatBitWidth() < 32)
      wide = code.resize(number, builder.getI32Type(), /*isSigned=*/!isBit);
    Value counts = code.isBelow(wide, bins);
    if (op.getMask())
      counts = code.bitAnd(counts, registers(op.getMask())[index]);
    if (owner)
      counts = code.bitAnd(counts, owner);
    code.ifThen(counts, [&] {
      Value bin = code.resize(wide, builder.getI32Type(), /*isSigned=*/false);
      code.addShared(code.advance(tile, code.mul(bin, int64_t(4))), one);
    });
  }
  return success();
}

} // namespace heddle::tonvvm
