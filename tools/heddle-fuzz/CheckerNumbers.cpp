//===- CheckerNumbers.cpp - A program by the checker's arithmetic ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerNumbers.h"

#include "heddle/Check/Extract.h"
#include "heddle/Check/Integers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::fuzz;
using tool::ArgumentData;

namespace {

/// A number, or the numbers of a tile; nothing where the checker has none.
using Lanes = std::vector<std::optional<int64_t>>;

int bitsOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : int(element.getIntOrFloatBitWidth());
}

bool isInteger(Type type) { return getElementTypeOrSelf(type).isIntOrIndex(); }

class Straight {
public:
  Straight(tile::KernelOp kernel, ArrayRef<ArgumentData> inputs,
           ArrayRef<ArgumentData> expected)
      : kernel(kernel), inputs(inputs), expected(expected) {}

  std::string run() {
    kernel.walk([&](Operation *op) {
      isStraight &=
          op->getNumRegions() == 0 || isa<tile::KernelOp, tile::ParallelOp>(op);
    });
    for (Operation &op : kernel.getEntry())
      if (auto loop = dyn_cast<tile::ParallelOp>(op))
        for (Value point : loop.getBody().getArguments())
          known[point] = {0};
    kernel.walk([&](Operation *op) {
      if (isStraight && difference.empty())
        visit(op);
    });
    return isStraight ? difference : "";
  }

private:
  static size_t lanesOf(Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile ? size_t(tile.getNumElements()) : 1;
  }
  /// Lane `i` of an operand; that of a number is the same everywhere.
  std::optional<int64_t> at(Value value, size_t i) {
    const Lanes &lanes = known[value];
    return lanes.empty() ? std::nullopt : lanes[lanes.size() == 1 ? 0 : i];
  }
  int argumentOf(Value view) const {
    auto argument = dyn_cast<BlockArgument>(view);
    return argument ? int(argument.getArgNumber()) : -1;
  }

  void visit(Operation *op);
  void load(tile::LoadOp op);
  void store(tile::StoreOp op);
  void compute(Operation *op);

  tile::KernelOp kernel;
  ArrayRef<ArgumentData> inputs, expected;
  llvm::DenseMap<Value, Lanes> known;
  bool isStraight = true;
  std::string difference;
};

} // namespace

void Straight::load(tile::LoadOp op) {
  int view = argumentOf(op.getView());
  auto place =
      op.getOffsets().size() == 1 ? at(op.getOffsets()[0], 0) : std::nullopt;
  if (view < 0 || !place || op->getNumOperands() != 2) {
    isStraight = false;
    return;
  }
  Lanes lanes;
  for (size_t i = 0; i < lanesOf(op.getType()); ++i)
    lanes.push_back(inputs[size_t(view)].wholeElement(*place + int64_t(i)));
  known[op] = std::move(lanes);
}

void Straight::store(tile::StoreOp op) {
  int view = argumentOf(op.getView());
  auto place =
      op.getOffsets().size() == 1 ? at(op.getOffsets()[0], 0) : std::nullopt;
  if (view < 0 || !place || op->getNumOperands() != 3) {
    isStraight = false;
    return;
  }
  for (size_t i = 0; i < lanesOf(op.getValue().getType()); ++i) {
    auto mine = at(op.getValue(), i);
    int64_t other = expected[size_t(view)].wholeElement(*place + int64_t(i));
    if (mine && *mine != other) {
      difference = "element " + std::to_string(*place + int64_t(i)) + " is " +
                   std::to_string(*mine) + " and not " + std::to_string(other);
      return;
    }
  }
}

void Straight::compute(Operation *op) {
  Type type = op->getResult(0).getType();
  if (op->getNumOperands() == 0 ||
      !llvm::all_of(op->getOperandTypes(), isInteger) || !isInteger(type)) {
    isStraight = false;
    return;
  }
  int from = bitsOf(op->getOperands().back().getType()), to = bitsOf(type);
  std::optional<check::Arith> arith = check::arithOf(op);
  // With a sign, a number of more bits is the same.
  bool isSame =
      isa<arith::ExtSIOp>(op) || (isa<arith::IndexCastOp>(op) && to >= from);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) && !isSame)
    arith = to < from ? check::Arith::Truncate : check::Arith::Widen;
  if (!arith && !isSame) {
    isStraight = false;
    return;
  }
  Lanes lanes;
  for (size_t i = 0; i < lanesOf(type); ++i) {
    std::vector<int64_t> operands;
    for (Value operand : op->getOperands())
      if (auto number = at(operand, i))
        operands.push_back(*number);
    if (operands.size() != op->getNumOperands())
      lanes.push_back(std::nullopt);
    else if (isSame)
      lanes.push_back(operands[0]);
    else
      lanes.push_back(check::evaluate(*arith, from, to, operands));
  }
  known[op->getResult(0)] = std::move(lanes);
}

void Straight::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::KernelOp, tile::ParallelOp>([](Operation *) {})
      .Case([&](tile::LoadOp op) { load(op); })
      .Case([&](tile::StoreOp op) { store(op); })
      .Case([&](tile::DimOp op) {
        int view = argumentOf(op->getOperand(0));
        isStraight &= view >= 0;
        if (view >= 0)
          known[op] = {inputs[size_t(view)].shape()[size_t(op.getAxis())]};
      })
      .Case<tile::SplatOp, tile::UnsplatOp>([&](Operation *op) {
        known[op->getResult(0)] = {at(op->getOperand(0), 0)};
      })
      .Case([&](arith::ConstantOp op) {
        APInt number;
        if (matchPattern(op.getOperation(), m_ConstantInt(&number)))
          known[op] = {number.getSExtValue()};
        else
          isStraight = false;
      })
      .Default([&](Operation *op) {
        if (op->getNumResults() == 1)
          compute(op);
        else
          isStraight &= op->hasTrait<OpTrait::IsTerminator>();
      });
}

std::string heddle::fuzz::compareWithChecker(tile::KernelOp kernel,
                                             ArrayRef<ArgumentData> inputs,
                                             ArrayRef<ArgumentData> expected) {
  return Straight(kernel, inputs, expected).run();
}
