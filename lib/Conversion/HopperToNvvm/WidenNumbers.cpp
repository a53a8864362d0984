//===- WidenNumbers.cpp - Indices that need all 64 bits ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenNumbers.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace heddle::tonvvm {

static bool isArithmetic(Operation *op) {
  return op && isa<arith::ArithDialect>(op->getDialect()) &&
         op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         !isa<arith::IndexCastOp, arith::IndexCastUIOp>(op);
}

/// The same on i64; results that were indices are cut again for those who read
/// lower bits only.
Operation *Widener::widenOp(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(operand.getType().isIndex() ? widen(operand) : operand);
    if (!operands.back())
      return nullptr;
  }
  builder.setInsertionPoint(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  for (Type type : op->getResultTypes())
    state.addTypes(type.isIndex() ? builder.getI64Type() : type);
  for (NamedAttribute attribute : op->getAttrs()) {
    auto number = dyn_cast<IntegerAttr>(attribute.getValue());
    if (number && number.getType().isIndex())
      state.addAttribute(attribute.getName(),
                         builder.getI64IntegerAttr(number.getInt()));
    else
      state.addAttribute(attribute.getName(), attribute.getValue());
  }
  return builder.create(state);
}

Value Widener::widenResult(OpResult index) {
  Operation *op = index.getOwner();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    Value from = op->getOperand(0);
    builder.setInsertionPointAfter(op);
    if (from.getType().isInteger(64))
      return from;
    if (numberWidth(from.getType()) > 64)
      return {};
    if (isa<arith::IndexCastOp>(op))
      return arith::ExtSIOp::create(builder, op->getLoc(), builder.getI64Type(),
                                    from);
    return arith::ExtUIOp::create(builder, op->getLoc(), builder.getI64Type(),
                                  from);
  }
  if (isArithmetic(op)) {
    Operation *made = widenOp(op);
    return made ? made->getResult(0) : Value();
  }
  unsigned number = index.getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return widenCarried(index,
                        {&branch.thenYield()->getOpOperand(number),
                         &branch.elseYield()->getOpOperand(number)},
                        {index});
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return widenCarried(index, loop, number);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return widenPassed(index, loop, number);
  return {};
}

Value Widener::widenArgument(BlockArgument index) {
  Operation *op = index.getOwner()->getParentOp();
  unsigned number = index.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return index == loop.getInductionVar()
               ? widenLoop(loop)
               : widenCarried(index, loop, number - 1);
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return {};
  if (index.getOwner() == loop.getAfterBody())
    return widenPassed(index, loop, number);
  return widenCarried(index,
                      {&loop.getInitsMutable()[number],
                       &loop.getYieldOp()->getOpOperand(number)},
                      {index});
}

Value Widener::widenCarried(Value index, scf::ForOp loop, unsigned number) {
  return widenCarried(index,
                      {&loop.getInitsMutable()[number],
                       &loop.getBody()->getTerminator()->getOpOperand(number)},
                      {loop.getResult(number), loop.getRegionIterArg(number)});
}

/// What a while loop's condition passes on.
Value Widener::widenPassed(Value index, scf::WhileOp loop, unsigned number) {
  return widenCarried(
      index, {&loop.getConditionOp()->getOpOperand(number + 1)},
      {loop.getResult(number), loop.getAfterArguments()[number]});
}

/// Values that control flow hands on become i64 in place. `same` are names of
/// one of them, `sources` what is handed on.
Value Widener::widenCarried(Value index, ArrayRef<OpOperand *> sources,
                            ArrayRef<Value> same) {
  for (Value value : same) {
    value.setType(builder.getI64Type());
    if (auto argument = dyn_cast<BlockArgument>(value))
      builder.setInsertionPointToStart(argument.getOwner());
    else
      builder.setInsertionPointAfter(value.getDefiningOp());
    SmallPtrSet<Operation *, 1> keep;
    auto cut = arith::IndexCastOp::create(builder, value.getLoc(),
                                          builder.getIndexType(), value);
    keep.insert(cut);
    value.replaceAllUsesExcept(cut, keep);
    wide[value] = value;
    wide[cut.getResult()] = value;
  }
  for (OpOperand *source : sources) {
    Value number = widen(source->get());
    if (!number)
      return {};
    source->set(number);
  }
  return wide[index];
}

Value Widener::widen(Value index) {
  if (index.getType().isInteger(64))
    return index;
  if (auto known = wide.find(index); known != wide.end())
    return known->second;
  NumberRange word = NumberRange::ofWidth(32);
  LinearForm form = numbers.form(index);
  Value made;
  if (word.contains(numbers.range(index)) ||
      (numbers.isNeverNegative(form - word.lowest) &&
       numbers.isNeverNegative(LinearForm(word.highest) - form))) {
    if (auto result = dyn_cast<OpResult>(index))
      builder.setInsertionPointAfter(result.getOwner());
    else
      builder.setInsertionPointToStart(index.getParentBlock());
    made = arith::IndexCastOp::create(builder, index.getLoc(),
                                      builder.getI64Type(), index);
  } else if (auto result = dyn_cast<OpResult>(index)) {
    made = widenResult(result);
  } else {
    made = widenArgument(cast<BlockArgument>(index));
  }
  if (made)
    wide[index] = made;
  return made;
}

/// Counts the iterations of a loop over i64, whose point behind the last one
/// may not be a number of 64 bits. Gives its point, lower + k * step.
Value Widener::countIterations(scf::ForOp loop) {
  Location loc = loop.getLoc();
  builder.setInsertionPoint(loop);
  Type type = builder.getI64Type();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, type, number);
  };
  Value lower = loop.getLowerBound(), step = loop.getStep();
  Value runs = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     lower, loop.getUpperBound());
  // Right as a number without a sign, however far apart the ends are.
  Value distance =
      arith::SubIOp::create(builder, loc, loop.getUpperBound(), lower);
  Value last = arith::SubIOp::create(builder, loc, distance, constant(1));
  Value whole = arith::DivUIOp::create(builder, loc, last, step);
  // Nobody lives to see the difference.
  Value most =
      arith::MinUIOp::create(builder, loc, whole, constant(INT64_MAX - 1));
  Value count = arith::AddIOp::create(builder, loc, most, constant(1));
  Value trips = arith::SelectOp::create(builder, loc, runs, count, constant(0));
  Value point = loop.getInductionVar();
  builder.setInsertionPointToStart(loop.getBody());
  Value offset = arith::MulIOp::create(builder, loc, point, step);
  Value real = arith::AddIOp::create(builder, loc, lower, offset);
  SmallPtrSet<Operation *, 1> keep = {offset.getDefiningOp()};
  point.replaceAllUsesExcept(real, keep);
  builder.setInsertionPoint(loop);
  loop.getLowerBoundMutable().assign(constant(0));
  loop.getUpperBoundMutable().assign(trips);
  loop.getStepMutable().assign(constant(1));
  return real;
}

/// Gives the loop's point in 64 bits.
Value Widener::widenLoop(scf::ForOp loop) {
  Value point = loop.getInductionVar();
  LinearForm end =
      numbers.form(loop.getUpperBound()) + numbers.form(loop.getStep());
  Value bounds[3] = {loop.getLowerBound(), loop.getUpperBound(),
                     loop.getStep()};
  for (Value &bound : bounds)
    if (!(bound = widen(bound)))
      return {};
  bool ends = numbers.isNeverNegative(LinearForm(Wide(1) << 63) - end);
  point.setType(builder.getI64Type());
  builder.setInsertionPointToStart(loop.getBody());
  auto cut = arith::IndexCastOp::create(builder, loop.getLoc(),
                                        builder.getIndexType(), point);
  SmallPtrSet<Operation *, 1> keep = {cut};
  point.replaceAllUsesExcept(cut, keep);
  loop.getLowerBoundMutable().assign(bounds[0]);
  loop.getUpperBoundMutable().assign(bounds[1]);
  loop.getStepMutable().assign(bounds[2]);
  loops.insert(loop);
  Value number = ends ? point : countIterations(loop);
  wide[point] = number;
  wide[cut.getResult()] = number;
  return number;
}

/// A loop whose end fits 32 bits runs in 32 bits: where the start is beyond the
/// largest number, so is it beyond the end, and the largest number will do.
bool Widener::limitStart(scf::ForOp loop) {
  NumberRange word = NumberRange::ofWidth(32);
  LinearForm start = numbers.form(loop.getLowerBound());
  LinearForm end = numbers.form(loop.getUpperBound());
  if (!loop.getInductionVar().getType().isIndex() || loop.getUnsignedCmp() ||
      !numbers.isNeverNegative(start - word.lowest) ||
      !numbers.isNeverNegative(end - word.lowest) ||
      !numbers.isNeverNegative(LinearForm(word.highest) - end))
    return false;
  Value number = widen(loop.getLowerBound());
  if (!number)
    return false;
  builder.setInsertionPoint(loop);
  Value most = arith::ConstantIntOp::create(
      builder, loop.getLoc(), builder.getI64Type(), int64_t(word.highest));
  number = arith::MinSIOp::create(builder, loop.getLoc(), number, most);
  Value cut = arith::IndexCastOp::create(builder, loop.getLoc(),
                                         builder.getIndexType(), number);
  wide[cut] = number;
  loop.getLowerBoundMutable().assign(cut);
  return true;
}

LogicalResult Widener::meet(const WidthNeed &need) {
  Operation *op = need.op;
  auto refuse = [&] {
    return reportOp(op, diag::index_width)
           << "reads an index that may not fit 32 bits, and there is no way "
              "to compute it in 64; use i64 in the program, or bound it";
  };
  if (replaced.contains(op) || loops.contains(op))
    return success(); // for another need
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Type type = loop.getInductionVar().getType();
    if (loop.getUnsignedCmp())
      return refuse();
    if (need.kind == WidthNeed::Fits && need.operand == 0 && limitStart(loop))
      return success();
    if (type.isIndex())
      return widenLoop(loop) ? success() : LogicalResult(refuse());
    if (!type.isInteger(64))
      return refuse();
    loops.insert(loop);
    countIterations(loop);
    return success();
  }
  if (!need.value().getType().isIndex())
    return isa<RankedTensorType>(need.value().getType()) ? refuse() : success();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    Value number = widen(need.value());
    if (!number || !op->getResult(0).getType().isInteger(64))
      return refuse();
    op->getResult(0).replaceAllUsesWith(number);
    replaced.insert(op);
    return success();
  }
  if (isArithmetic(op)) {
    Operation *made = widenOp(op);
    if (!made)
      return refuse();
    Value result = op->getResult(0), number = made->getResult(0);
    builder.setInsertionPointAfter(made);
    if (result.getType().isIndex()) {
      auto cut = arith::IndexCastOp::create(builder, op->getLoc(),
                                            builder.getIndexType(), number);
      result.replaceAllUsesWith(cut);
      wide[cut.getResult()] = number;
    } else {
      result.replaceAllUsesWith(number);
    }
    replaced.insert(op);
    return success();
  }
  Value number = widen(need.value());
  if (!number)
    return refuse();
  if (isa<tile::PtrAddOp>(op)) {
    op->setOperand(need.operand, number);
    return success();
  }
  builder.setInsertionPoint(op);
  bool isExtent = isa<tile::MakeViewOp>(op) && need.kind == WidthNeed::Positive;
  bool isCoordinate = need.kind == WidthNeed::Coordinate;
  if (!isa<tile::MakeViewOp>(op) && !isCoordinate)
    return refuse();
  if (isExtent || isCoordinate) {
    // Beyond these, all is as far outside; the extents of views fit 32 bits. An
    // access of several elements at once begins at a multiple of them.
    auto vector = op->getAttrOfType<IntegerAttr>("vector");
    int64_t last = INT32_MAX - INT32_MAX % (vector ? vector.getInt() : 1);
    auto constant = [&](int64_t end) -> Value {
      return arith::ConstantIntOp::create(builder, op->getLoc(),
                                          builder.getI64Type(), end);
    };
    number = arith::MaxSIOp::create(builder, op->getLoc(), number,
                                    constant(isExtent ? 0 : INT32_MIN));
    number =
        arith::MinSIOp::create(builder, op->getLoc(), number, constant(last));
  }
  op->setOperand(need.operand,
                 arith::IndexCastOp::create(builder, op->getLoc(),
                                            builder.getIndexType(), number));
  return success();
}

// Only now, because the tables know values by their addresses.
void Widener::finish() {
  for (Operation *op : replaced)
    op->erase();
}

} // namespace heddle::tonvvm
