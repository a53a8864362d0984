//===- OperationCosts.cpp - What one operation costs on a machine ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long instructions of a warp group, products and copies take is
// machine::Times'; here stands which of them an operation becomes, as
// HopperToNvvm expands it.
//
//===----------------------------------------------------------------------===//

#include "OperationCosts.h"

#include "CopyingWarps.h"
#include "Turning.h"

#include "heddle/Analysis/DelayedSums.h"
#include "heddle/Analysis/Products.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Machine/Times.h"
#include "heddle/Machine/WarpProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using machine::Work;

namespace {

/// What a function of math is made of, as ApproximateMath.h expands it.
struct Function {
  StringLiteral name;
  int special = 0, arithmetic = 0, compares = 0;
};

Function findFunction(Operation *op) {
  static constexpr Function functions[] = {
      {math::ExpOp::getOperationName(), 1, 1, 0},
      {math::LogOp::getOperationName(), 1, 1, 0},
      {math::Log10Op::getOperationName(), 1, 1, 0},
      {math::SqrtOp::getOperationName(), 1, 1, 0},
      {math::ExpM1Op::getOperationName(), 1, 10, 2},
      {math::Log1pOp::getOperationName(), 2, 10, 2},
      {math::PowFOp::getOperationName(), 2, 1, 0},
      {math::CbrtOp::getOperationName(), 3, 5, 5},
      {math::ErfOp::getOperationName(), 1, 13, 3},
      {math::TanhOp::getOperationName(), 2, 11, 4},
      {math::SinhOp::getOperationName(), 3, 16, 5},
      {math::CoshOp::getOperationName(), 3, 9, 2},
      {math::AsinhOp::getOperationName(), 5, 24, 6},
      {math::AcoshOp::getOperationName(), 4, 17, 6},
      {math::AtanhOp::getOperationName(), 2, 16, 4},
      {math::SinOp::getOperationName(), 2, 4, 2},
      {math::CosOp::getOperationName(), 2, 4, 2},
      {math::TanOp::getOperationName(), 1, 17, 7},
      {math::AsinOp::getOperationName(), 1, 16, 4},
      {math::AcosOp::getOperationName(), 1, 17, 5},
      {math::AtanOp::getOperationName(), 1, 11, 5},
      {math::Atan2Op::getOperationName(), 1, 18, 14},
  };
  for (const Function &function : functions)
    if (op->getName().getStringRef() == function.name)
      return function;
  // 2^x, its logarithm, 1/sqrt, roundings and counts of bits.
  return {"", 1, 0, 0};
}

int64_t bitsOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

void take(const machine::Span &span, UnitIndex unit,
          schedule::Operation &result) {
  result.unit = unit;
  result.reservation = span.reservation;
  result.issue = span.issue;
  result.latency = span.latency;
}

class Instructions {
public:
  explicit Instructions(const machine::Costs &costs)
      : costs(costs), times(costs) {}

  /// What `op` does for 128 elements.
  Work of(Operation *op) const {
    Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
    if (isa<math::MathDialect>(op->getDialect()))
      return ofFunction(op, type);
    return llvm::TypeSwitch<Operation *, Work>(op)
        .Case<tile::CastOp, arith::TruncFOp, arith::ExtFOp, arith::TruncIOp,
              arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp,
              arith::FPToSIOp, arith::FPToUIOp, arith::IndexCastOp,
              arith::IndexCastUIOp>(
            [&](auto) { return ofCast(op->getOperand(0).getType(), type); })
        .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp>(
            [&](auto) { return arithmetic(1, type); })
        .Case([&](arith::DivFOp) { // a reciprocal and the scaling around it
          return special(1) + arithmetic(bitsOf(type) > 32 ? 20 : 6, type);
        })
        .Case<arith::RemFOp>(
            [&](auto) { return special(1) + arithmetic(12, type); })
        .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
              arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
            [&](auto) { // by a reciprocal in f32 and a correction
              return special(1) + integer(10, type);
            })
        .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
              arith::ShRSIOp, arith::ShRUIOp>(
            [&](auto) { return integer(1, type); })
        .Case<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
              arith::MinNumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
              arith::MinUIOp, arith::SelectOp, arith::AndIOp, arith::OrIOp,
              arith::XOrIOp>([&](auto) { return compare(1, type); })
        .Case<arith::CmpFOp, arith::CmpIOp>(
            [&](auto) { return compare(1, op->getOperand(0).getType()); })
        .Case([&](tile::ScanOp scan) { return ofRegion(scan.getCombiner()); })
        .Case([&](tile::TileOpInterface asked) {
          return Work{asked.elementCycles(costs), 0};
        })
        // Elements that move: a copy each.
        .Default([&](Operation *) { return times.move(); });
  }

  /// What a combiner does for 128 pairs.
  Work ofRegion(Region &region) const {
    Work work;
    for (Operation &op : region.getOps())
      if (!op.hasTrait<OpTrait::IsTerminator>())
        work = work + of(&op);
    return work;
  }

private:
  Work arithmetic(double count, Type type) const {
    return times.arithmetic(count, bitsOf(type));
  }
  Work compare(double count, Type type) const {
    return times.compare(count, bitsOf(type));
  }
  Work integer(double count, Type type) const {
    return times.integer(count, bitsOf(type));
  }
  Work special(double count) const { return times.special(count); }

  Work ofCast(Type from, Type to) const {
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(from)) &&
                   isa<FloatType>(getElementTypeOrSelf(to));
    bool narrows = isFloat && bitsOf(to) < bitsOf(from) && bitsOf(from) <= 32;
    return narrows ? times.narrow()
                   : times.widen(std::max(bitsOf(from), bitsOf(to)));
  }

  Work ofFunction(Operation *op, Type type) const {
    return llvm::TypeSwitch<Operation *, Work>(op)
        .Case([&](math::FmaOp) { return arithmetic(1, type); })
        .Case<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::IsNaNOp,
              math::IsInfOp, math::IsFiniteOp, math::IsNormalOp>(
            [&](auto) { return compare(1, type); })
        .Default([&](Operation *) {
          Function made = findFunction(op);
          return special(made.special) + arithmetic(made.arithmetic, type) +
                 compare(made.compares, type);
        });
  }

  const machine::Costs &costs;
  machine::Times times;
};

/// Elements of the widest tile that `op` touches, each as often as lanes work
/// on it.
double elementsOf(Operation *op, const machine::Costs &costs) {
  machine::Times times(costs);
  double elements = 1;
  auto count = [&](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile)
      return;
    bool isRow = llvm::is_contained(tile.getShape(), tile.getNumElements());
    elements = std::max(elements, double(tile.getNumElements()) *
                                      (isRow ? times.rowWork() : 1));
  };
  llvm::for_each(op->getOperandTypes(), count);
  llvm::for_each(op->getResultTypes(), count);
  return elements;
}

/// Along its last axis, a row of an accumulator lies in a few lanes of one
/// warp; along the others in the other lanes and in all warps, which meet in
/// shared memory. Also the pairs that they combine, in 128.
std::pair<machine::Exchange, double> planExchange(tile::ReduceOp op,
                                                  const machine::Costs &costs) {
  machine::Exchange plan;
  if (!machine::Times(costs).hasExchanges() || op->hasAttr(kDelayed))
    return {plan, 0};
  auto type = cast<RankedTensorType>(op.getValues()[0].getType());
  int64_t axis = op.getAxis(), across = costs.registers.rowLanes;
  bool isLast = axis + 1 == type.getRank();
  double results = double(type.getNumElements()) / type.getShape()[axis];
  plan.steps = llvm::Log2_64(isLast ? across : 32 / across);
  double threads = costs.limits.threadsPerGroup;
  double copies = isLast ? across : threads / across;
  double combined = plan.steps * results * copies / threads;
  plan.shuffles = combined * op.getValues().size();
  return {plan, combined};
}

void describeReduction(tile::ReduceOp op, const machine::Costs &costs,
                       schedule::Operation &result) {
  Work combiner = Instructions(costs).ofRegion(op.getCombiner());
  auto [exchange, combined] = planExchange(op, costs);
  double pairs =
      elementsOf(op, costs) / costs.limits.threadsPerGroup + combined;
  take(machine::Times(costs).ofReduction(combiner, pairs, exchange), kAlu,
       result);
}

/// A thread reads its own elements of windows that overlap, so those count.
void describeUnfold(tile::UnfoldOp op, const machine::Costs &costs,
                    schedule::Operation &result) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Work work{op.elementCycles(costs), 0};
  take(machine::Times(costs).ofElements(work, double(type.getNumElements())),
       kAlu, result);
}

/// The branch that the steady iterations take, if they take one; else the
/// longer.
void describeConditional(scf::IfOp op, const machine::Costs &costs,
                         schedule::Operation &result) {
  int64_t longest = 1, busiest = 1;
  auto steady = op->getAttrOfType<BoolAttr>(kSteady);
  for (Region &region : op->getRegions()) {
    if (steady && &region != &(steady.getValue() ? op.getThenRegion()
                                                 : op.getElseRegion()))
      continue;
    int64_t issue = 0, reservation = 0;
    for (Operation &inner : region.getOps()) {
      if (!llvm::any_of(inner.getResultTypes(),
                        llvm::IsaPred<RankedTensorType>))
        continue;
      schedule::Operation described = describe(&inner, costs);
      issue += described.issue;
      reservation += described.unit == kAlu ? described.reservation : 0;
    }
    longest = std::max(longest, issue);
    busiest = std::max(busiest, reservation);
  }
  take(machine::Times(costs).ofBranch(busiest, longest), kAlu, result);
}

machine::Span spanOfElements(Operation *op, const machine::Costs &costs,
                             const Work &work) {
  return machine::Times(costs).ofElements(work, elementsOf(op, costs));
}

/// What narrows sums to operand a of a product passes words on to the lanes
/// whose fragments want them.
void describeElementwise(Operation *op, const machine::Costs &costs,
                         schedule::Operation &result) {
  Work work = Instructions(costs).of(op);
  machine::Span span = spanOfElements(op, costs, work);
  machine::Times times(costs);
  if (narrowsSums(op, costs) && times.hasExchanges()) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto words = double(registersOf(type, costs));
    machine::Span passed =
        times.ofReduction(times.compare(/*a selection, a permutation*/ 2, 32),
                          words, {/*shuffles=*/words, /*steps=*/1});
    span.reservation += passed.reservation;
    span.latency = span.issue + passed.latency;
    span.issue += passed.issue;
  }
  take(span, work.special > 0 ? kSpecial : kAlu, result);
}

/// Elements by their addresses: the process issues an access each, and goes on
/// until it needs them.
void describeGather(tile::GatherOp op, const machine::Costs &costs,
                    schedule::Operation &result) {
  machine::Span issued = spanOfElements(op, costs, Instructions(costs).of(op));
  take(machine::Times(costs).ofGather(issued), kAlu, result);
}

void describeLoad(tile::LoadOp op, const machine::Costs &costs,
                  schedule::Operation &result) {
  double bytes = tileBytes(cast<RankedTensorType>(op.getResult().getType()));
  machine::Times times(costs);
  take(isCopiedByThreads(op) ? times.ofThreadCopy(bytes) : times.ofCopy(bytes),
       kTma, result);
  result.variableLatency = true;
}

/// By the threads of a process, which read the operands' fragments first.
void describeByThreads(tile::DotOp op, ProductForm form,
                       const machine::Costs &costs,
                       schedule::Operation &result) {
  auto a = cast<RankedTensorType>(op.getA().getType());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  int64_t rows = type.getShape()[0], columns = type.getShape()[1],
          depth = a.getShape()[1], bits = bitsOf(a);
  double multiplied = double(rows) * double(columns) * double(depth);
  machine::Times times(costs);
  if (form == ProductForm::Warps) {
    machine::WarpGrid grid = machine::divideAmongWarps(rows, columns, 4);
    double read = double(rows * grid.columns + columns * grid.rows) *
                  double(depth) * double(bits) / 32;
    return take(times.ofWarpProduct(multiplied, bits, read), kAlu, result);
  }
  machine::Layout sums = machine::makeThreadSums(rows, columns, 4);
  double read = double(sums.rep[0] + sums.rep[1]) * double(depth) *
                double(costs.limits.threadsPerGroup);
  take(times.ofThreadProduct(multiplied, bitsOf(type), read), kAlu, result);
}

void describeProduct(tile::DotOp op, const machine::Costs &costs,
                     schedule::Operation &result) {
  if (ProductForm form = formOf(op, costs); form != ProductForm::Group)
    return describeByThreads(op, form, costs, result);
  auto a = cast<RankedTensorType>(op.getA().getType());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  int64_t rows = type.getShape()[0], columns = type.getShape()[1],
          depth = a.getShape()[1], bits = bitsOf(a);
  bool isLoaded = isa_and_nonnull<tile::LoadOp>(
      tile::lookThroughRenaming(op.getA()).getDefiningOp());
  take(machine::Times(costs).ofProduct(rows, columns, depth, bits, isLoaded),
       kTensor, result);
}

} // namespace

std::vector<schedule::Unit> heddle::unitsOfMultiprocessor() {
  return {{"tma", true}, {"tensor", true}, {"alu", false}, {"special", false}};
}

bool heddle::isFree(Operation *op) {
  auto asked = dyn_cast<tile::TileOpInterface>(op);
  return asked && asked.isFree();
}

int64_t heddle::subOf(Operation *op) {
  auto attr = op->getAttrOfType<IntegerAttr>(sched::kSubIndex);
  return attr ? attr.getInt() : -1;
}

int64_t heddle::tileBytes(RankedTensorType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

int64_t heddle::registersOf(RankedTensorType type,
                            const machine::Costs &costs) {
  int64_t copies = type.getRank() == 1 ? int64_t(costs.registers.rowLanes) : 1;
  return llvm::divideCeil(copies * type.getNumElements() * bitsOf(type),
                          32 * costs.limits.threadsPerGroup);
}

int64_t heddle::stepsOf(Operation *op) {
  auto product = dyn_cast<tile::DotOp>(op);
  if (!product)
    return 1;
  auto a = cast<RankedTensorType>(product.getA().getType());
  return llvm::divideCeil(a.getShape()[1] * bitsOf(a), 32 * 8);
}

int64_t heddle::beyondQueue(Operation *op, const machine::Costs &costs) {
  int64_t steps = machine::Times(costs).queueSteps();
  return isa<tile::DotOp>(op) && steps > 0 ? stepsOf(op) - steps : 0;
}

schedule::Operation heddle::describe(Operation *op,
                                     const machine::Costs &costs) {
  schedule::Operation result;
  result.name = sched::opName(op).str();
  result.sub = static_cast<int>(subOf(op));
  result.unit = kAlu;
  if (isFree(op))
    return result;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::IfOp op) { describeConditional(op, costs, result); })
      .Case([&](tile::LoadOp op) { describeLoad(op, costs, result); })
      .Case([&](tile::GatherOp op) { describeGather(op, costs, result); })
      .Case([&](tile::DotOp op) { describeProduct(op, costs, result); })
      .Case([&](tile::ReduceOp op) { describeReduction(op, costs, result); })
      .Case([&](tile::UnfoldOp op) { describeUnfold(op, costs, result); })
      .Default([&](Operation *op) { describeElementwise(op, costs, result); });
  return result;
}
