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

namespace heddle::ttir {
/// A `while` that counts: the carried value `counter` moves by `step` towards
/// `end`, which does not change, as long as it has not come there.
struct Counted {
  unsigned counter;
  Value end;
  Value step; ///< may be asked for in the body: the number of programs
  bool isDown = false;
  bool isInclusive = false; ///< `end` is the last number
  bool isGuarded = false;   ///< more must hold, which holds on once it does
};
} // namespace heddle::ttir

/// A number of the front of a `while` that no iteration changes.
static bool isFixed(scf::WhileOp op, Value value) {
  if (!op->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *def = value.getDefiningOp();
  return def && def->getBlock() == op.getBeforeBody() &&
         isMemoryEffectFree(def) &&
         llvm::all_of(def->getOperands(),
                      [&](Value operand) { return isFixed(op, operand); });
}

/// The comparison with its sides exchanged; of those that order with a sign.
static arith::CmpIPredicate turned(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::sgt;
  case P::sle:
    return P::sge;
  case P::sgt:
    return P::slt;
  case P::sge:
    return P::sle;
  default:
    return P::ne;
  }
}

/// How far the body moves the counter, with the sign: `step` is positive.
static bool findStep(scf::WhileOp op, Counted &counted) {
  Block &after = *op.getAfterBody();
  Operation *next =
      after.getTerminator()->getOperand(counted.counter).getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(next))
    return false;
  // Which of the body's arguments is the counter.
  auto isCounter = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &after &&
           op.getConditionOp().getArgs()[argument.getArgNumber()] ==
               op.getBeforeBody()->getArgument(counted.counter);
  };
  Value from = next->getOperand(0), step = next->getOperand(1);
  if (isa<arith::AddIOp>(next) && !isCounter(from))
    std::swap(from, step);
  if (!isCounter(from))
    return false;
  counted.isDown = isa<arith::SubIOp>(next);
  counted.step = step;
  APInt by;
  if (matchPattern(step, m_ConstantInt(&by)))
    return by.isStrictlyPositive() &&
           !op->isAncestor(step.getParentBlock()->getParentOp());
  while (auto wider = step.getDefiningOp<arith::ExtSIOp>())
    step = wider.getIn();
  counted.step = step;
  return step.getDefiningOp<GetNumProgramsOp>() != nullptr;
}

/// A loop whose condition compares a carried value with fixed bounds, and whose
/// body moves that value on by a number that is known to be positive, so that
/// only one of the comparisons can end it. What is handed to the body are
/// carried values.
static std::optional<Counted> findCounted(scf::WhileOp op) {
  using P = arith::CmpIPredicate;
  Block &before = *op.getBeforeBody();
  scf::ConditionOp condition = op.getConditionOp();
  auto isCarried = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &before;
  };
  if (!llvm::all_of(condition.getArgs(), isCarried) ||
      !llvm::all_of(before.without_terminator(), [](Operation &inner) {
        return isMemoryEffectFree(&inner);
      }))
    return std::nullopt;
  struct Bound {
    unsigned counter;
    P predicate;
    Value bound;
  };
  SmallVector<Bound> bounds;
  SmallVector<Value> parts = {condition.getCondition()};
  for (size_t i = 0; i < parts.size(); ++i) {
    if (auto both = parts[i].getDefiningOp<arith::AndIOp>()) {
      parts.append({both.getLhs(), both.getRhs()});
      continue;
    }
    if (isFixed(op, parts[i]))
      continue;
    auto compare = parts[i].getDefiningOp<arith::CmpIOp>();
    if (!compare)
      return std::nullopt;
    Value number = compare.getLhs(), bound = compare.getRhs();
    P predicate = compare.getPredicate();
    if (!isCarried(number)) {
      std::swap(number, bound);
      predicate = turned(predicate);
    }
    if (!isCarried(number) || !isFixed(op, bound) ||
        !llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, predicate))
      return std::nullopt;
    bounds.push_back(
        {cast<BlockArgument>(number).getArgNumber(), predicate, bound});
  }
  if (bounds.empty())
    return std::nullopt;
  Counted counted;
  counted.counter = bounds.front().counter;
  if (!findStep(op, counted))
    return std::nullopt;
  for (const Bound &bound : bounds) {
    bool isUpper = bound.predicate == P::slt || bound.predicate == P::sle;
    if (bound.counter != counted.counter ||
        (isUpper != counted.isDown && counted.end))
      return std::nullopt;
    if (isUpper == counted.isDown)
      continue;
    counted.end = bound.bound;
    counted.isInclusive =
        bound.predicate == P::sle || bound.predicate == P::sge;
  }
  if (!counted.end)
    return std::nullopt;
  counted.isGuarded = parts.size() > 1;
  return counted;
}

void Converter::bindCarried(scf::WhileOp from, scf::ForOp to) {
  for (auto [handed, result, inside] :
       llvm::zip(from.getConditionOp().getArgs(), from.getResults(),
                 from.getAfterArguments())) {
    unsigned number = cast<BlockArgument>(handed).getArgNumber();
    bind(result, to.getResult(number));
    bind(inside, to.getRegionIterArg(number));
  }
}

/// The counter stays a carried value, so that it is what it was behind the
/// loop. Down, the loop goes through the same numbers with the other sign.
LogicalResult Converter::convertCounted(scf::WhileOp op,
                                        const Counted &counted) {
  Location loc = op.getLoc();
  SmallVector<Value> inits = get(op.getInits());
  for (auto [argument, init] :
       llvm::zip(op.getBeforeBody()->getArguments(), inits))
    bind(argument, init);
  if (failed(convertBlock(*op.getBeforeBody())))
    return failure();
  if (auto programs = counted.step.getDefiningOp<GetNumProgramsOp>())
    if (op->isAncestor(programs) && failed(convert(programs)))
      return failure();
  Value first = asIndex(loc, inits[counted.counter]);
  Value end = asIndex(loc, get(counted.end));
  if (counted.isDown)
    for (Value *number : {&first, &end})
      *number = arith::SubIOp::create(
          builder, loc, arith::ConstantIndexOp::create(builder, loc, 0),
          *number);
  if (counted.isInclusive)
    end = arith::AddIOp::create(
        builder, loc, end, arith::ConstantIndexOp::create(builder, loc, 1));
  if (counted.isGuarded)
    end = arith::SelectOp::create(
        builder, loc, get(op.getConditionOp().getCondition()), end, first);
  auto loop = scf::ForOp::create(builder, loc, first, end,
                                 asIndex(loc, get(counted.step)), inits);
  bindCarried(op, loop);
  return convertBody(*op.getAfterBody(), *loop.getBody());
}

LogicalResult Converter::convert(scf::WhileOp op) {
  if (std::optional<Counted> counted = findCounted(op))
    return convertCounted(op, *counted);
  FailureOr<bool> isCounted = convertByCount(op);
  if (failed(isCounted) || *isCounted)
    return failure(failed(isCounted));
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
