//===- OperationCosts.cpp - What one operation costs on a machine ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine says what an instruction of a warp group costs
// (machine::Costs); here stands which instructions an operation becomes, as
// HopperToNvvm expands it. What runs on the special-function unit beside
// ordinary instructions hides these, so the process takes the longer of both.
//
//===----------------------------------------------------------------------===//

#include "OperationCosts.h"
#include "Turning.h"

#include "heddle/Analysis/DelayedSums.h"
#include "heddle/Analysis/Products.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Machine/WarpProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;

namespace {

/// Cycles for 128 elements.
struct Work {
  double alu = 0, special = 0;

  double issue() const { return std::max(alu, special); }
};

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
      {math::ErfOp::getOperationName(), 2, 11, 2},
      {math::TanhOp::getOperationName(), 2, 11, 4},
      {math::SinhOp::getOperationName(), 3, 16, 5},
      {math::CoshOp::getOperationName(), 3, 9, 2},
      {math::AsinhOp::getOperationName(), 5, 24, 6},
      {math::AcoshOp::getOperationName(), 4, 17, 6},
      {math::AtanhOp::getOperationName(), 2, 16, 4},
      {math::SinOp::getOperationName(), 2, 4, 0},
      {math::CosOp::getOperationName(), 2, 4, 0},
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

double wordsOf(Type type) { return llvm::divideCeil(bitsOf(type), 32); }

class Instructions {
public:
  explicit Instructions(const machine::Costs &costs)
      : costs(costs), one(costs.instructions) {}

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
          return join(special(1), arithmetic(bitsOf(type) > 32 ? 20 : 6, type));
        })
        .Case<arith::RemFOp>(
            [&](auto) { return join(special(1), arithmetic(12, type)); })
        .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
              arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
            [&](auto) { // by a reciprocal in f32 and a correction
              return join(special(1), integer(10, type));
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
        .Default([&](Operation *) { return Work{one.arithmetic, 0}; });
  }

  /// What a combiner does for 128 pairs.
  Work ofRegion(Region &region) const {
    Work work;
    for (Operation &op : region.getOps())
      if (!op.hasTrait<OpTrait::IsTerminator>())
        work = join(work, of(&op));
    return work;
  }

private:
  static Work join(Work a, Work b) {
    return {a.alu + b.alu, a.special + b.special};
  }
  Work arithmetic(double count, Type type) const {
    return {count * (wordsOf(type) > 1 ? one.wide : one.arithmetic), 0};
  }
  Work compare(double count, Type type) const {
    return {count * one.compare * wordsOf(type), 0};
  }
  Work integer(double count, Type type) const {
    return {count * one.integer * wordsOf(type), 0};
  }
  Work special(double count) const { return {0, count * one.special}; }

  Work ofCast(Type from, Type to) const {
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(from)) &&
                   isa<FloatType>(getElementTypeOrSelf(to));
    bool narrows = isFloat && bitsOf(to) < bitsOf(from) && bitsOf(from) <= 32;
    return {narrows ? one.narrow
                    : one.widen * std::max(wordsOf(from), wordsOf(to)),
            0};
  }

  Work ofFunction(Operation *op, Type type) const {
    return llvm::TypeSwitch<Operation *, Work>(op)
        .Case([&](math::FmaOp) { return arithmetic(1, type); })
        .Case<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::IsNaNOp,
              math::IsInfOp, math::IsFiniteOp, math::IsNormalOp>(
            [&](auto) { return compare(1, type); })
        .Default([&](Operation *) {
          Function made = findFunction(op);
          return join(special(made.special),
                      join(arithmetic(made.arithmetic, type),
                           compare(made.compares, type)));
        });
  }

  const machine::Costs &costs;
  const machine::Costs::Instructions &one;
};

/// Elements of the widest tile that `op` touches, each as often as lanes work
/// on it.
double elementsOf(Operation *op, const machine::Costs &costs) {
  double elements = 1;
  auto count = [&](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile)
      return;
    bool isRow = llvm::is_contained(tile.getShape(), tile.getNumElements());
    elements = std::max(elements, double(tile.getNumElements()) *
                                      (isRow ? costs.instructions.rowWork : 1));
  };
  llvm::for_each(op->getOperandTypes(), count);
  llvm::for_each(op->getResultTypes(), count);
  return elements;
}

/// How lanes and warps bring together what they have combined.
struct Exchange {
  double shuffles = 0; ///< of a warp group
  double steps = 0;    ///< one after the other
  double combined = 0; ///< pairs, in 128
};

/// Threads carry what they have added up, and join it behind the loop.
bool isDelayed(tile::ReduceOp op) {
  auto kernel = op->getParentOfType<tile::KernelOp>();
  return kernel && llvm::any_of(findDelayedSums(kernel), [&](auto &sum) {
           return llvm::is_contained(sum.reductions, op);
         });
}

/// Along its last axis, a row of an accumulator lies in a few lanes of one
/// warp; along the others in the other lanes and in all warps, which meet in
/// shared memory.
Exchange planExchange(tile::ReduceOp op, const machine::Costs &costs) {
  Exchange plan;
  if (costs.instructions.shuffle == 0 || isDelayed(op))
    return plan;
  auto type = cast<RankedTensorType>(op.getValues()[0].getType());
  int64_t axis = op.getAxis(), across = costs.registers.rowLanes;
  bool isLast = axis + 1 == type.getRank();
  double results = double(type.getNumElements()) / type.getShape()[axis];
  plan.steps = llvm::Log2_64(isLast ? across : 32 / across);
  double threads = costs.limits.threadsPerGroup;
  double copies = isLast ? across : threads / across;
  plan.combined = plan.steps * results * copies / threads;
  plan.shuffles = plan.combined * op.getValues().size();
  return plan;
}

void describeReduction(tile::ReduceOp op, const machine::Costs &costs,
                       schedule::Operation &result) {
  const machine::Costs::Instructions &one = costs.instructions;
  Work combiner = Instructions(costs).ofRegion(op.getCombiner());
  Exchange exchange = planExchange(op, costs);
  double pairs =
      elementsOf(op, costs) / costs.limits.threadsPerGroup + exchange.combined;
  double reserved = pairs * combiner.alu;
  double issue = pairs * combiner.issue() + exchange.shuffles * one.shuffle;
  result.unit = kAlu;
  result.reservation = machine::wholeCycles(reserved);
  result.issue = machine::wholeCycles(issue);
  result.latency =
      result.issue +
      machine::wholeCycles(exchange.steps * (one.shuffleLatency + one.latency) +
                           one.latency);
}

/// The branch that the steady iterations take, if they take one; else the
/// longer.
void describeConditional(scf::IfOp op, const machine::Costs &costs,
                         schedule::Operation &result) {
  result.unit = kAlu;
  result.issue = result.reservation = 1;
  std::optional<bool> steady = steadyOutcome(op);
  for (Region &region : op->getRegions()) {
    if (steady &&
        &region != &(*steady ? op.getThenRegion() : op.getElseRegion()))
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
    result.issue = std::max(result.issue, issue);
    result.reservation = std::max(result.reservation, reservation);
  }
  result.latency =
      result.issue + machine::wholeCycles(costs.instructions.latency);
}

void describeElementwise(Operation *op, const machine::Costs &costs,
                         schedule::Operation &result) {
  Work work = Instructions(costs).of(op);
  double groups = elementsOf(op, costs) / costs.limits.threadsPerGroup;
  bool isSpecial = work.special > 0;
  result.unit = isSpecial ? kSpecial : kAlu;
  result.reservation =
      machine::wholeCycles(groups * (isSpecial ? work.special : work.alu));
  result.issue = machine::wholeCycles(groups * work.issue());
  result.latency =
      result.issue +
      machine::wholeCycles(isSpecial ? costs.instructions.specialLatency
                                     : costs.instructions.latency);
}

/// Elements by their addresses: the process issues an access each, and goes on
/// until it needs them.
void describeGather(tile::GatherOp op, const machine::Costs &costs,
                    schedule::Operation &result) {
  describeElementwise(op, costs, result);
  result.latency = result.issue + machine::wholeCycles(costs.copy.latency);
}

void describeLoad(tile::LoadOp op, const machine::Costs &costs,
                  schedule::Operation &result) {
  double bytes = tileBytes(cast<RankedTensorType>(op.getResult().getType()));
  result.unit = kTma;
  result.reservation = machine::wholeCycles(bytes / costs.copy.bytesPerCycle);
  result.latency =
      result.reservation + machine::wholeCycles(costs.copy.latency);
  result.issue = machine::wholeCycles(costs.copy.issue);
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
  double read, threads = costs.limits.threadsPerGroup;
  if (form == ProductForm::Warps) {
    machine::WarpGrid grid = machine::divideAmongWarps(rows, columns, 4);
    multiplied *= 2 * double(bits) / 16 / costs.tensor.warpFlopsPerCycle;
    read = double(rows * grid.columns + columns * grid.rows) * double(depth) *
           double(bits) / 32;
  } else {
    machine::Layout sums = machine::makeThreadSums(rows, columns, 4);
    multiplied *= wordsOf(type) > 1 ? costs.instructions.wide
                                    : costs.instructions.arithmetic;
    multiplied /= threads;
    read = double(sums.rep[0] + sums.rep[1]) * double(depth) * threads;
  }
  result.unit = kAlu;
  result.issue = result.reservation = machine::wholeCycles(
      multiplied + read * costs.instructions.memory / threads);
  result.latency =
      result.issue + machine::wholeCycles(costs.instructions.latency);
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
  result.unit = kTensor;
  result.reservation =
      costs.productCycles(rows, columns, depth, bits, isLoaded);
  result.latency =
      result.reservation + machine::wholeCycles(costs.tensor.latency);
  result.issue = costs.productIssue(depth, bits, isLoaded);
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

bool heddle::outgrowsQueue(Operation *op, const machine::Costs &costs) {
  return isa<tile::DotOp>(op) && costs.tensor.queueSteps > 0 &&
         stepsOf(op) > int64_t(costs.tensor.queueSteps);
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
      .Default([&](Operation *op) { describeElementwise(op, costs, result); });
  return result;
}
