//===- IndexValue.cpp - Scalar arithmetic at given extents ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;

double Iterations::whole() const { return std::ceil(number); }

IndexEvaluator::IndexEvaluator(tile::KernelOp kernel, const Extents &extents,
                               bool inFractions)
    : kernel(kernel), extents(extents), inFractions(inFractions) {
  kernel.walk([&](tile::WorkerIdOp op) { workerIds.push_back(op); });
  kernel.walk([&](tile::WorkerCountOp op) { workerCounts.push_back(op); });
}

void IndexEvaluator::bindWorker(double id, double count) {
  for (Value worker : workerIds)
    bind(worker, id);
  for (Value workers : workerCounts)
    bind(workers, count);
}

std::optional<Iterations> IndexEvaluator::iterationsOf(scf::ForOp loop) {
  auto from = evaluate(loop.getLowerBound());
  auto to = evaluate(loop.getUpperBound());
  auto step = evaluate(loop.getStep());
  if (!from || !to || !step || *step <= 0)
    return std::nullopt;
  return Iterations{*from, *step, std::max(0.0, (*to - *from) / *step)};
}

void IndexEvaluator::bind(Value value, double number) {
  bound[value] = number;
  known.clear();
}

std::optional<double> IndexEvaluator::evaluate(Value value) {
  if (auto it = bound.find(value); it != bound.end())
    return it->second;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  std::optional<double> result = compute(value);
  known[value] = result;
  return result;
}

bool heddle::tilechoice::dependsOn(Value value, Value other) {
  if (value == other)
    return true;
  Operation *op = value.getDefiningOp();
  return op && llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, other);
         });
}

std::optional<double> IndexEvaluator::computeExtent(Value view, int64_t axis) {
  if (auto made = view.getDefiningOp<tile::MakeViewOp>())
    return axis < int64_t(made.getExtents().size())
               ? evaluate(made.getExtents()[axis])
               : std::nullopt;
  auto argument = dyn_cast<BlockArgument>(view);
  if (!argument || argument.getOwner() != &kernel.getEntry())
    return std::nullopt;
  auto given = extents.views.find(kernel.getArgName(argument.getArgNumber()));
  if (given == extents.views.end() || axis >= int64_t(given->second.size()))
    return kOpenExtent;
  return given->second[axis];
}

std::optional<double> IndexEvaluator::computeArgument(BlockArgument argument) {
  if (argument.getOwner() != &kernel.getEntry() ||
      !argument.getType().isIntOrIndex())
    return std::nullopt;
  auto given = extents.scalars.find(kernel.getArgName(argument.getArgNumber()));
  return given == extents.scalars.end() ? double(kOpenExtent) : given->second;
}

std::optional<double> IndexEvaluator::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument);
  Operation *op = value.getDefiningOp();
  if (!value.getType().isIntOrIndex())
    return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto number = dyn_cast<IntegerAttr>(constant.getValue());
    return number ? std::optional<double>(number.getValue().getSExtValue())
                  : std::nullopt;
  }
  if (auto dim = dyn_cast<tile::DimOp>(op))
    return computeExtent(dim.getView(), dim.getAxis());
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  SmallVector<double> operands;
  for (Value operand : op->getOperands()) {
    std::optional<double> number = evaluate(operand);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  using Result = std::optional<double>;
  auto divide = [&]() { return operands[0] / operands[1]; };
  bool byZero = operands.size() > 1 && operands[1] == 0;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([&](auto) { return operands[0] + operands[1]; })
      .Case<arith::SubIOp>([&](auto) { return operands[0] - operands[1]; })
      .Case<arith::MulIOp>([&](auto) { return operands[0] * operands[1]; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>([&](auto) {
        return byZero ? Result() : inFractions ? divide() : std::ceil(divide());
      })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return byZero ? Result() : std::floor(divide()); })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) {
        return byZero ? Result() : std::fmod(operands[0], operands[1]);
      })
      .Case<arith::MinUIOp, arith::MinSIOp>(
          [&](auto) { return std::min(operands[0], operands[1]); })
      .Case<arith::MaxUIOp, arith::MaxSIOp>(
          [&](auto) { return std::max(operands[0], operands[1]); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>([&](auto) { return operands[0]; })
      .Case([&](arith::SelectOp) {
        return operands[0] != 0 ? operands[1] : operands[2];
      })
      .Case([&](arith::CmpIOp compare) -> Result {
        switch (compare.getPredicate()) {
        case arith::CmpIPredicate::eq:
          return operands[0] == operands[1];
        case arith::CmpIPredicate::ne:
          return operands[0] != operands[1];
        case arith::CmpIPredicate::slt:
        case arith::CmpIPredicate::ult:
          return operands[0] < operands[1];
        case arith::CmpIPredicate::sle:
        case arith::CmpIPredicate::ule:
          return operands[0] <= operands[1];
        case arith::CmpIPredicate::sgt:
        case arith::CmpIPredicate::ugt:
          return operands[0] > operands[1];
        case arith::CmpIPredicate::sge:
        case arith::CmpIPredicate::uge:
          return operands[0] >= operands[1];
        }
        return std::nullopt;
      })
      .Default([](Operation *) { return Result(); });
}

bool heddle::tilechoice::areAllGiven(tile::KernelOp kernel,
                                     const Extents &extents) {
  for (BlockArgument argument : kernel.getEntry().getArguments())
    if (isa<tile::ViewType>(argument.getType()) &&
        !extents.views.contains(kernel.getArgName(argument.getArgNumber())))
      return false;
  return true;
}
