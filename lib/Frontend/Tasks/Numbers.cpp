//===- Numbers.cpp - Indices of tasks as values of a kernel ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tunable with one value is that number; one with a set is a shape parameter,
// which the user, or the choice of tiles, may set. Extents of blocks are known,
// those of arguments are the view's.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

Number Lowering::knownNumber(tile::Extent extent) {
  Number number;
  number.known = extent;
  return number;
}

Number Lowering::tunable(Frame &frame, TunableOp op) {
  TuneOp line = frame.instance->tunables.lookup(op.getTunable());
  if (!line.getChoices())
    return knownNumber({int64_t(line.getValue()), {}});
  std::string name = op.getTunable().str();
  if (mapping.countTunables(name) > 1)
    name = (frame.instance->op.getSym() + "." + name).str();
  if (parameters.insert(name).second) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(kernel);
    tile::ParamOp::create(builder, line.getLoc(), name, *line.getChoices(),
                          line.getValue());
  }
  return knownNumber({ShapedType::kDynamic, builder.getStringAttr(name)});
}

/// In front of the instances, where a length is, too: loops are of a form then
/// whose sums can be divided.
static void leaveInstances(OpBuilder &builder) {
  Operation *around = builder.getInsertionBlock()->getParentOp();
  while (around && !isa<tile::ParallelOp>(around))
    around = around->getParentOp();
  if (around)
    builder.setInsertionPoint(around);
}

Value Lowering::constant(int64_t number) {
  OpBuilder::InsertionGuard guard(builder);
  leaveInstances(builder);
  return arith::ConstantIndexOp::create(builder, here, number);
}

Value Lowering::valueOf(tile::Extent extent) {
  if (!extent.name)
    return constant(extent.size);
  OpBuilder::InsertionGuard guard(builder);
  leaveInstances(builder);
  return tile::ParamValueOp::create(builder, here, builder.getIndexType(),
                                    extent.name.getValue());
}

/// At the top of the kernel, once an axis.
Value Lowering::dimOf(Value view, int64_t axis) {
  for (Operation *user : view.getUsers())
    if (auto dim = dyn_cast<tile::DimOp>(user);
        dim && int64_t(dim.getAxis()) == axis)
      return dim;
  OpBuilder::InsertionGuard guard(builder);
  Block &top = kernel.getEntry();
  auto after = top.begin();
  while (after != top.end() && isa<tile::DimOp>(*after))
    ++after;
  builder.setInsertionPoint(&top, after);
  return tile::DimOp::create(builder, here, builder.getIndexType(), view, axis);
}

Value Lowering::extentValue(const Tensor &tensor, int64_t axis) {
  const Axis &along = tensor.axes[axis];
  return along.isKnown() ? valueOf(along.extent) : dimOf(tensor.view, axis);
}

Number Lowering::extentOf(const Tensor &tensor, int64_t axis) {
  const Axis &along = tensor.axes[axis];
  if (along.fold)
    return knownNumber({along.extent.size / along.fold->parts, {}});
  if (along.isKnown())
    return knownNumber(along.extent);
  Number number;
  number.value = dimOf(tensor.view, axis);
  return number;
}

/// Of a block at the edge only a part lies inside: what is left of the view
/// from its place on, at most the block, at least nothing.
FailureOr<Number> Lowering::inside(const Tensor &tensor, InsideOp op) {
  const Axis &along = tensor.axes[op.getAxis()];
  if (along.fold)
    return refuse(op, diag::task_lowering,
                  "how much of a piece lies inside differs between the pieces "
                  "of a prange that becomes one tile");
  if (!tensor.isGlobal())
    return refuse(op, diag::task_lowering,
                  "a tile does not know its place in the tensor that it comes "
                  "from; ask where the piece is in global memory, and pass the "
                  "number on");
  Number number;
  Value whole = dimOf(tensor.view, op.getAxis());
  if (!along.isKnown()) {
    number.value = whole;
    return number;
  }
  Value rest = whole;
  if (along.offset) {
    Value from = arith::MinUIOp::create(builder, here, whole, along.offset);
    rest = arith::SubIOp::create(builder, here, whole, from);
  }
  number.value =
      arith::MinUIOp::create(builder, here, rest, valueOf(along.extent));
  return number;
}

FailureOr<tile::Extent> Lowering::blockOf(Frame &frame, Value value,
                                          int64_t axis, Operation *user) {
  constexpr int64_t kMost = int64_t(1) << 20;
  FailureOr<Number> number = numberOf(frame, value, user);
  if (failed(number))
    return failure();
  if (!number->known)
    return refuse(user, diag::task_extent,
                  "the extent of a block along axis " + Twine(axis) +
                      " is known only at run time; it is a number or a "
                      "tunable");
  if (number->isNumber() &&
      (number->known->size < 1 || number->known->size > kMost))
    return refuse(user, diag::task_extent,
                  "the extent of a block along axis " + Twine(axis) + " is " +
                      Twine(number->known->size) + "; it is 1 to " +
                      Twine(kMost));
  return *number->known;
}

FailureOr<Number> Lowering::count(Frame &frame, CountOp op) {
  auto blocks = op.getPartition().getDefiningOp<BlocksOp>();
  const Tensor &tensor = frame.tensors.find(blocks.getTensor())->second;
  int64_t axis = op.getAxis();
  FailureOr<tile::Extent> block =
      blockOf(frame, blocks.getBlock(axis), axis, blocks);
  if (failed(block))
    return failure();
  Number extent = extentOf(tensor, axis);
  if (extent.isNumber() && !block->name)
    return knownNumber(
        {int64_t(llvm::divideCeil(extent.known->size, block->size)), {}});
  Number number;
  number.covered = extentValue(tensor, axis);
  number.unit = *block;
  return number;
}

FailureOr<Number> Lowering::numberOf(Frame &frame, Value value,
                                     Operation *user) {
  auto found = frame.numbers.find(value);
  if (found != frame.numbers.end())
    return found->second;
  return refuse(user, diag::task_form, "this index has no value here");
}

FailureOr<Value> Lowering::asValue(const Number &number, Operation *user) {
  if (number.fold)
    return refuse(user, diag::task_lowering,
                  "the index of a prange below the host says only which piece "
                  "is meant; iterations that compute with it do different "
                  "things, and do not become one tile");
  if (number.value)
    return number.value;
  if (number.known)
    return valueOf(*number.known);
  if (number.covered)
    return arith::CeilDivUIOp::create(builder, here, number.covered,
                                      valueOf(number.unit))
        .getResult();
  return arith::DivUIOp::create(builder, here, number.multiple,
                                valueOf(number.unit))
      .getResult();
}
