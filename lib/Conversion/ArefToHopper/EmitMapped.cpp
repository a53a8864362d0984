//===- EmitMapped.cpp - Rewrite: loads of views of views by TMA ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coordinates of a view of views become those of the view in memory, by scalar
// arithmetic of the thread that loads. Where an axis that the tile lacks is
// left, the tile is sent outside of the array, where TMA finds zeros.
//
//===----------------------------------------------------------------------===//

#include "ProcessEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

/// Farther from an array's beginning than any box is long.
static constexpr int64_t kOutside = -(int64_t(1) << 20);

namespace {

/// The numbers of one load.
class MappedLoad {
public:
  using Lookup = llvm::function_ref<Value(Value)>;

  MappedLoad(OpBuilder &builder, Location loc, const LoadWay &way,
             Lookup lookup)
      : builder(builder), loc(loc), map(way.map), lookup(lookup),
        base(cast<tile::ViewType>(way.map.base.getType())) {}

  void divideOffsets(ArrayRef<Value> offsets);
  /// Of axes that the tile lacks; null if none can be left.
  Value isInside(int64_t missing);
  /// A sum of those digits that are the tile's rows, or of the others, or of
  /// all; without the low ends.
  enum class Part { Rows, Others, All };
  Value sum(int64_t axis, Part part, ArrayRef<unsigned> rows);
  Value lowEnd(int64_t axis);
  Value extent(const ViewMap::Extent &extent);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, Value b) {
    return a ? arith::AddIOp::create(builder, loc, a, b).getResult() : b;
  }
  Value times(Value value, int64_t factor) {
    return factor == 1
               ? value
               : arith::MulIOp::create(builder, loc, value, constant(factor))
                     .getResult();
  }
  bool isWhole(unsigned digit) const;

private:
  OpBuilder &builder;
  Location loc;
  const ViewMap &map;
  Lookup lookup;
  tile::ViewType base;
  SmallVector<Value> digits;
};

} // namespace

Value MappedLoad::extent(const ViewMap::Extent &extent) {
  if (extent.value)
    return lookup(extent.value);
  return tile::DimOp::create(builder, loc, builder.getIndexType(),
                             lookup(extent.view), extent.axis);
}

/// Moves what makes `value` out of the loop, if that is no more than a sum of
/// what is outside; whether it is outside then.
static bool leaveLoop(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::ConstantOp>(op) ||
      !llvm::all_of(op->getOperands(),
                    [&](Value operand) { return leaveLoop(operand, loop); }))
    return false;
  op->moveBefore(loop);
  return true;
}

/// In front of the loops that leave `value` as it is: one thread divides, and
/// waits for it.
static void leaveLoops(OpBuilder &builder, Value value) {
  while (auto loop =
             dyn_cast<scf::ForOp>(builder.getInsertionBlock()->getParentOp())) {
    if (!leaveLoop(value, loop))
      return;
    builder.setInsertionPoint(loop);
  }
}

void MappedLoad::divideOffsets(ArrayRef<Value> offsets) {
  digits.resize(map.digits.size());
  for (auto [axis, offset] : llvm::enumerate(offsets)) {
    ArrayRef<unsigned> own = map.digitsOf[axis];
    Value rest = offset;
    OpBuilder::InsertionGuard guard(builder);
    leaveLoops(builder, rest);
    for (unsigned digit : llvm::reverse(own.drop_front())) {
      Value size = extent(map.digits[digit].extent);
      digits[digit] = arith::RemUIOp::create(builder, loc, rest, size);
      rest = arith::DivUIOp::create(builder, loc, rest, size);
    }
    digits[own.front()] = rest;
  }
}

/// An axis in memory and no more: what lies outside of it lies outside there.
bool MappedLoad::isWhole(unsigned digit) const {
  const ViewMap::Extent &extent = map.digits[digit].extent;
  return extent.view == map.base && map.axes[extent.axis].terms.size() == 1 &&
         map.axes[extent.axis].lows.empty();
}

Value MappedLoad::isInside(int64_t missing) {
  Value all;
  for (int64_t axis = 0; axis < missing; ++axis) {
    unsigned digit = map.digitsOf[axis].front();
    if (isWhole(digit))
      continue;
    // Without a sign, so that it is not negative either.
    Value one =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              digits[digit], extent(map.digits[digit].extent));
    all = all ? arith::AndIOp::create(builder, loc, all, one).getResult() : one;
  }
  return all;
}

Value MappedLoad::sum(int64_t axis, Part part, ArrayRef<unsigned> rows) {
  Value total;
  for (const ViewMap::Term &term : map.axes[axis].terms) {
    bool isRow = llvm::is_contained(rows, term.digit);
    if (part == Part::All || isRow == (part == Part::Rows))
      total = add(total, times(digits[term.digit], term.factor));
  }
  return total ? total : constant(0);
}

Value MappedLoad::lowEnd(int64_t axis) {
  Value total;
  for (auto [low, factor] : map.axes[axis].lows)
    total = add(total, times(lookup(low), factor));
  return arith::SubIOp::create(builder, loc, constant(0),
                               total ? total : constant(0));
}

void ProcessEmitter::emitMappedLoad(tile::LoadOp load, Value target,
                                    StringRef ring, Value slot) {
  const LoadWay &way = plan.ways.find(load)->second;
  Location loc = load.getLoc();
  auto lookup = [&](Value value) { return scalar(value); };
  MappedLoad numbers(builder, loc, way, lookup);
  numbers.divideOffsets(scalars(load.getOffsets()));
  auto base = cast<tile::ViewType>(way.map.base.getType());
  auto tile = cast<hopper::SmemType>(target.getType());
  int64_t missing =
      load.getView().getType().getRank() - int64_t(tile.getShape().size());
  ArrayRef<unsigned> rows;
  if (way.isRun)
    rows = way.map.digitsOf[missing + tile.getOrder()[1]];

  using Part = MappedLoad::Part;
  Value isInside = numbers.isInside(missing);
  auto choose = [&](Value inside, Value outside) {
    return isInside ? arith::SelectOp::create(builder, loc, isInside, inside,
                                              outside)
                          .getResult()
                    : inside;
  };
  SmallVector<Value> offsets(base.getRank()), run, first, count;
  for (auto [place, axis] : llvm::enumerate(base.getOrder())) {
    bool isSlowest = int64_t(place) + 1 == base.getRank();
    bool isPixel = way.isRun && place > 0 && !isSlowest;
    Value sum = numbers.sum(axis, isPixel ? Part::Rows : Part::All, rows);
    if (isPixel || !way.map.axes[axis].lows.empty()) {
      Value low = numbers.lowEnd(axis);
      sum = numbers.add(sum, low);
      if (isPixel)
        first.push_back(low);
    }
    if (isSlowest)
      sum = choose(sum, way.isRun ? numbers.extent({{}, way.map.base, axis})
                                  : numbers.constant(kOutside));
    offsets[axis] = sum;
    if (!isPixel)
      continue;
    run.push_back(
        choose(numbers.sum(axis, Part::Others, rows), numbers.constant(0)));
    for (const ViewMap::Term &term : way.map.axes[axis].terms)
      if (llvm::is_contained(rows, term.digit))
        count.push_back(numbers.extent(way.map.digits[term.digit].extent));
  }
  bool hasSteps =
      llvm::any_of(way.steps, [](int64_t step) { return step != 1; });
  carryName(load,
            hopper::TmaLoadOp::create(
                builder, loc, scalar(way.map.base), offsets, run, first, count,
                target, ring, slot,
                hasSteps ? ArrayRef<int64_t>(way.steps) : ArrayRef<int64_t>()));
}

/// Places in windows are numbers of few bits: launches are asked.
void heddle::areftohopper::emitRunLimits(OpBuilder &builder,
                                         const KernelPlan &plan,
                                         const ValueMap &values) {
  DenseSet<std::pair<Value, int64_t>> asked;
  for (const auto &[op, way] : plan.ways) {
    if (!way.isRun)
      continue;
    auto load = cast<tile::LoadOp>(op);
    Location loc = load.getLoc();
    auto base = cast<tile::ViewType>(way.map.base.getType());
    int64_t axes = base.getRank() - 2, bits = 16 / axes;
    for (int64_t place = 1; place <= axes; ++place) {
      int64_t axis = base.getOrder()[place];
      if (!asked.insert({load.getView(), axis}).second)
        continue;
      Value reach;
      int64_t limit = (int64_t(1) << bits) - 1;
      for (const ViewMap::Term &term : way.map.axes[axis].terms) {
        const ViewMap::Digit &digit = way.map.digits[term.digit];
        bool isPlace = way.map.digitsOf[digit.axis].size() == 1;
        if (!isPlace)
          continue;
        Value factor =
            arith::ConstantIndexOp::create(builder, loc, term.factor);
        Value one = arith::MulIOp::create(
            builder, loc, values.find(digit.extent.value)->second.front(),
            factor);
        reach =
            reach ? arith::AddIOp::create(builder, loc, reach, one).getResult()
                  : one;
        limit += term.factor;
      }
      if (!reach)
        continue;
      hopper::RequireOp::create(
          builder, loc, arith::ConstantIndexOp::create(builder, loc, limit),
          reach, "TMA reaches all places of a window", /*variant=*/true);
    }
  }
}
