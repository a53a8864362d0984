//===- ConvertControl.cpp - Loops and conditionals ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Program numbers, loops and conditionals. TTIR counts in i32, the tile rung in
// `index`.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

/// The number of the axis of a grid that `op` names; failure after an error.
template <typename Op> static FailureOr<size_t> axisOf(Op op) {
  size_t axis = StringRef("xyz").find(op.getAxis());
  if (op.getAxis().size() == 1 && axis != StringRef::npos)
    return axis;
  return report(op, diag::ttir_use)
         << "a grid has the axes x, y and z, not '" << op.getAxis() << "'";
}

LogicalResult Converter::convert(GetProgramIdOp op) {
  FailureOr<size_t> axis = axisOf(op);
  if (failed(axis))
    return failure();
  bind(op, programs[*axis]);
  return success();
}

LogicalResult Converter::convert(GetNumProgramsOp op) {
  FailureOr<size_t> axis = axisOf(op);
  if (failed(axis))
    return failure();
  bind(op, grid[*axis]);
  return success();
}

/// The body and its terminator, `to` being the block of an scf op.
LogicalResult Converter::convertBody(Block &from, Block &to) {
  OpBuilder::InsertionGuard guard(builder);
  if (!to.empty() && to.back().hasTrait<OpTrait::IsTerminator>())
    to.back().erase();
  builder.setInsertionPointToEnd(&to);
  if (failed(convertBlock(from)))
    return failure();
  Operation *end = from.getTerminator();
  SmallVector<Value> operands = get(end->getOperands());
  if (auto condition = dyn_cast<scf::ConditionOp>(end))
    scf::ConditionOp::create(builder, end->getLoc(), operands.front(),
                             ValueRange(operands).drop_front());
  else
    scf::YieldOp::create(builder, end->getLoc(), operands);
  return success();
}

LogicalResult Converter::convert(scf::ForOp op) {
  Location loc = op.getLoc();
  Type counted = op.getInductionVar().getType();
  if (op.getUnsignedCmp() && counted.isInteger(64))
    return convertUnsigned(op);
  if (op.getUnsignedCmp() && !counted.isInteger(32))
    return report(op, diag::ttir_use)
           << "a loop over " << counted
           << " that compares without sign is not imported; count in i32 or "
              "i64";
  auto bound = [&](Value value) {
    value = get(value);
    if (op.getUnsignedCmp())
      value = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value);
    return asIndex(loc, value);
  };
  Value lower = bound(op.getLowerBound());
  Value upper = bound(op.getUpperBound());
  Value step = bound(op.getStep());
  auto loop = scf::ForOp::create(builder, loc, lower, upper, step,
                                 get(op.getInitArgs()));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value index = loop.getInductionVar();
    bind(op.getInductionVar(),
         counted.isIndex() ? index : fromIndex(loc, index, counted));
  }
  return convertLoop(op, loop);
}

/// What both carry, and the body.
LogicalResult Converter::convertLoop(scf::ForOp from, scf::ForOp to) {
  for (auto [old, made] :
       llvm::zip(from.getRegionIterArgs(), to.getRegionIterArgs()))
    bind(old, made);
  for (auto [old, made] : llvm::zip(from.getResults(), to.getResults()))
    bind(old, made);
  return convertBody(*from.getBody(), *to.getBody());
}

/// No wider number is there for bounds of 64 bits without sign, so the loop
/// counts its iterations.
LogicalResult Converter::convertUnsigned(scf::ForOp op) {
  Location loc = op.getLoc();
  Value lower = get(op.getLowerBound()), upper = get(op.getUpperBound()),
        step = get(op.getStep());
  Value isEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                        lower, upper);
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value count = arith::CeilDivUIOp::create(
      builder, loc, arith::SubIOp::create(builder, loc, upper, lower), step);
  count = arith::SelectOp::create(builder, loc, isEmpty, none, count);
  auto loop = scf::ForOp::create(
      builder, loc, arith::ConstantIndexOp::create(builder, loc, 0),
      asIndex(loc, count), arith::ConstantIndexOp::create(builder, loc, 1),
      get(op.getInitArgs()));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value turn = fromIndex(loc, loop.getInductionVar(), builder.getI64Type());
    bind(
        op.getInductionVar(),
        arith::AddIOp::create(builder, loc, lower,
                              arith::MulIOp::create(builder, loc, turn, step)));
  }
  return convertLoop(op, loop);
}

LogicalResult Converter::convert(scf::IfOp op) {
  auto types = llvm::map_to_vector(op.getResultTypes(), convertType);
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(builder, op.getLoc(), types,
                                  get(op.getCondition()), hasElse);
  for (auto [from, to] : llvm::zip(op.getResults(), branch.getResults()))
    bind(from, to);
  if (failed(convertBody(*op.thenBlock(), *branch.thenBlock())))
    return failure();
  return hasElse ? convertBody(*op.elseBlock(), *branch.elseBlock())
                 : success();
}

namespace {
/// A `while` that counts: carried value `counter` from its start in steps of
/// `step` as long as it is below `end`, which does not change.
struct Counted {
  unsigned counter;
  Value end, step;
};
} // namespace

/// A loop whose condition only compares a carried value with a bound, and whose
/// body moves that value on by a positive constant. All carried values are
/// handed to the body in order, as Triton's front end does.
static std::optional<Counted> findCounted(scf::WhileOp op) {
  Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
  scf::ConditionOp condition = op.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare->getBlock() != &before ||
      &before.front() != compare ||
      compare->getNextNode() != condition.getOperation() ||
      condition.getArgs() != ValueRange(before.getArguments()))
    return std::nullopt;
  Value small = compare.getLhs(), large = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(small, large);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return std::nullopt;
  auto counter = dyn_cast<BlockArgument>(small);
  if (!counter || counter.getOwner() != &before ||
      large.getParentBlock() == &before)
    return std::nullopt;
  unsigned number = counter.getArgNumber();
  auto next =
      after.getTerminator()->getOperand(number).getDefiningOp<arith::AddIOp>();
  if (!next)
    return std::nullopt;
  Value step = next.getRhs(), from = next.getLhs();
  if (from != after.getArgument(number))
    std::swap(step, from);
  APInt by;
  if (from != after.getArgument(number) ||
      !matchPattern(step, m_ConstantInt(&by)) || !by.isStrictlyPositive() ||
      op->isAncestor(step.getDefiningOp()))
    return std::nullopt;
  return Counted{number, large, step};
}

/// The counter stays a carried value, so that it is what it was behind the
/// loop.
LogicalResult Converter::convertCounted(scf::WhileOp op, unsigned counter,
                                        Value end, Value step) {
  Location loc = op.getLoc();
  SmallVector<Value> inits = get(op.getInits());
  auto loop = scf::ForOp::create(builder, loc, asIndex(loc, inits[counter]),
                                 asIndex(loc, get(end)),
                                 asIndex(loc, get(step)), inits);
  for (auto [from, to] : llvm::zip(op.getResults(), loop.getResults()))
    bind(from, to);
  for (auto [from, to] :
       llvm::zip(op.getAfterArguments(), loop.getRegionIterArgs()))
    bind(from, to);
  return convertBody(*op.getAfterBody(), *loop.getBody());
}

LogicalResult Converter::convert(scf::WhileOp op) {
  if (std::optional<Counted> counted = findCounted(op))
    return convertCounted(op, counted->counter, counted->end, counted->step);
  auto types = llvm::map_to_vector(op.getResultTypes(), convertType);
  auto loop =
      scf::WhileOp::create(builder, op.getLoc(), types, get(op.getInits()));
  auto convertRegion = [&](Block &from, Region &region) {
    OpBuilder::InsertionGuard guard(builder);
    Block *to = builder.createBlock(&region);
    for (BlockArgument argument : from.getArguments())
      bind(argument,
           to->addArgument(convertType(argument.getType()), argument.getLoc()));
    return convertBody(from, *to);
  };
  for (auto [from, to] : llvm::zip(op.getResults(), loop.getResults()))
    bind(from, to);
  if (failed(convertRegion(*op.getBeforeBody(), loop.getBefore())))
    return failure();
  return convertRegion(*op.getAfterBody(), loop.getAfter());
}
