//===- LoadWays.cpp - How a tile of a view of views is loaded --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TMA must bring exactly what the map says. Along an axis that the tile covers,
// what lies outside of the view must lie outside of memory's view, too: the
// hardware knows only that. Coordinates of axes that the tile lacks are asked
// in the kernel (EmitMapped.cpp).
//
//===----------------------------------------------------------------------===//

#include "LoadWays.h"

#include "SharedTile.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Hopper/HostScalar.h"
#include "heddle/Dialect/Tile/Runs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

static constexpr int64_t kMostStep = 8;

/// A number that a host computes, made in front of all processes.
static bool isOfLaunch(Value value) {
  Operation *op = value.getDefiningOp();
  return hopper::isHostScalar(value) &&
         (!op || isa<tile::KernelOp>(op->getParentOp()));
}

/// As far as its making shows.
static bool isNeverNegative(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return !number.isNegative();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() &&
           isNeverNegative(loop.getLowerBound());
  }
  Operation *op = value.getDefiningOp();
  if (isa<tile::DimOp, tile::WorkerIdOp, tile::WorkerCountOp>(op))
    return true;
  // Numbers of 64 bits that are made of extents do not wrap.
  if (!value.getType().isIndex())
    return false;
  // Without a sign, a part is no more than the whole.
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return isNeverNegative(op->getOperand(0));
  if (isa<arith::MaxSIOp, arith::MinUIOp>(op))
    return llvm::any_of(op->getOperands(), isNeverNegative);
  return isa<arith::AddIOp, arith::MulIOp, arith::CeilDivUIOp, arith::DivSIOp,
             arith::RemSIOp, arith::MinSIOp>(op) &&
         llvm::all_of(op->getOperands(), isNeverNegative);
}

namespace {

class Classifier {
public:
  Classifier(tile::LoadOp load, hopper::SmemType tile, std::string &why)
      : load(load), tile(tile), why(why) {}

  std::optional<LoadWay> classify();

private:
  std::nullopt_t fail(const std::string &reason) {
    why = reason;
    return std::nullopt;
  }
  /// The axis in memory that a digit is alone, from end to end; -1 if none.
  int64_t wholeAxis(unsigned digit) const;
  /// The axis in memory whose coordinate a digit is part of; -1 if several.
  int64_t axisOf(unsigned digit) const;
  int64_t factorOf(unsigned digit, int64_t axis) const;
  bool reachesEnd(unsigned digit, int64_t axis) const;
  std::string checkChannels();
  std::string checkScalars();
  std::optional<LoadWay> findBox();
  std::optional<LoadWay> findRun();

  tile::LoadOp load;
  hopper::SmemType tile;
  std::string &why;
  LoadWay way;
  tile::ViewType base;
  int64_t missing = 0; ///< leading axes that the tile lacks
};

} // namespace

static std::string at(int64_t axis) {
  return " along axis " + std::to_string(axis);
}

int64_t Classifier::axisOf(unsigned digit) const {
  int64_t found = -1;
  for (auto [axis, sum] : llvm::enumerate(way.map.axes))
    for (const ViewMap::Term &term : sum.terms)
      if (term.digit == digit) {
        if (found >= 0)
          return -1;
        found = int64_t(axis);
      }
  return found;
}

int64_t Classifier::factorOf(unsigned digit, int64_t axis) const {
  for (const ViewMap::Term &term : way.map.axes[axis].terms)
    if (term.digit == digit)
      return term.factor;
  return 0;
}

int64_t Classifier::wholeAxis(unsigned digit) const {
  int64_t axis = axisOf(digit);
  if (axis < 0)
    return -1;
  const ViewMap::Sum &sum = way.map.axes[axis];
  const ViewMap::Extent &extent = way.map.digits[digit].extent;
  bool isWhole = sum.terms.size() == 1 && sum.terms.front().factor == 1 &&
                 sum.lows.empty() && extent.view == way.map.base &&
                 extent.axis == axis;
  return isWhole ? axis : -1;
}

/// Is `value` the extent of the base along `axis`?
static bool isExtent(Value value, Value base, int64_t axis) {
  if (auto dim = value.getDefiningOp<tile::DimOp>())
    return dim.getView() == base && int64_t(dim.getAxis()) == axis;
  APInt number;
  int64_t extent = cast<tile::ViewType>(base.getType()).getShape()[axis];
  return !ShapedType::isDynamic(extent) &&
         matchPattern(value, m_ConstantInt(&number)) &&
         number.getSExtValue() == extent;
}

/// Whether a digit behind its extent is behind the end of memory's view: it is
/// an axis from end to end, or counts as many windows as begin before that end.
bool Classifier::reachesEnd(unsigned digit, int64_t axis) const {
  if (wholeAxis(digit) == axis)
    return true;
  const ViewMap::Sum &sum = way.map.axes[axis];
  Value extent = way.map.digits[digit].extent.value;
  if (!extent || sum.lows.size() != 1 || sum.lows.front().second != 1)
    return false;
  Value low = sum.lows.front().first;
  APInt number;
  bool isConstant = matchPattern(low, m_ConstantInt(&number));
  if (isConstant && number.isZero() && isExtent(extent, way.map.base, axis))
    return true;
  auto add = extent.getDefiningOp<arith::AddIOp>();
  if (!add)
    return false;
  auto isSame = [&](Value value) {
    APInt other;
    return value == low ||
           (isConstant && matchPattern(value, m_ConstantInt(&other)) &&
            other == number);
  };
  return (isExtent(add.getLhs(), way.map.base, axis) && isSame(add.getRhs())) ||
         (isExtent(add.getRhs(), way.map.base, axis) && isSame(add.getLhs()));
}

/// The tile's fastest axis must be memory's, from end to end.
std::string Classifier::checkChannels() {
  int64_t fastest = missing + tile.getOrder().front();
  ArrayRef<unsigned> digits = way.map.digitsOf[fastest];
  if (digits.size() != 1 ||
      wholeAxis(digits.front()) != base.getOrder().front())
    return "its elements" + at(fastest) + " are not neighbours in memory";
  int64_t bits = tile.getElementType().getIntOrFloatBitWidth();
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return "TMA has no elements of " + std::to_string(bits) + " bits";
  if (tile.getBoxWidth() > 256 || tile.getBoxWidth() * bits / 8 % 16)
    return "a row of a TMA box has at most 256 elements and a multiple of 16 "
           "bytes, this one has " +
           std::to_string(tile.getBoxWidth()) + " elements";
  if (tile::knownDivisor(load.getOffsets()[fastest]) * bits / 8 % 16)
    return "nothing says that it starts at a multiple of 16 bytes" +
           at(fastest) + ", which TMA needs";
  return "";
}

/// What the tile is one element wide along must be a coordinate of its own.
std::string Classifier::checkScalars() {
  for (int64_t axis = 0; axis < missing; ++axis)
    if (way.map.digitsOf[axis].size() != 1)
      return "the tile is one element wide along merged axes";
  for (const ViewMap::Sum &sum : way.map.axes)
    for (const ViewMap::Term &term : sum.terms)
      if (term.factor < 1)
        return "the view goes backwards";
  return "";
}

std::optional<LoadWay> Classifier::findBox() {
  int64_t rank = int64_t(tile.getShape().size());
  int64_t lacks = base.getRank() - rank; // of the base's axes
  for (int64_t axis = 0; axis < rank; ++axis) {
    ArrayRef<unsigned> digits = way.map.digitsOf[missing + axis];
    int64_t own = axisOf(digits.front());
    if (own != lacks + axis)
      return fail("the tile's axes are not the last ones in memory");
    int64_t step = factorOf(digits.front(), own);
    if (step > kMostStep)
      return fail("TMA takes steps of up to 8 elements, these windows are " +
                  std::to_string(step) + " apart");
    int64_t extent = axis == tile.getOrder().front() ? tile.getBoxWidth()
                                                     : tile.getShape()[axis];
    if ((extent - 1) * step + 1 > 256)
      return fail("a TMA box spans at most 256 elements along an axis, this "
                  "one spans " +
                  std::to_string((extent - 1) * step + 1));
    if (wholeAxis(digits.front()) != own &&
        !isNeverNegative(load.getOffsets()[missing + axis]))
      return fail("nothing says that windows in front of the first one" +
                  at(missing + axis) + " are not asked for");
    if (!reachesEnd(digits.front(), own))
      return fail("nothing says that windows behind the last one" +
                  at(missing + axis) + " lie outside of the array");
    way.steps[own] = step;
  }
  if (base.getTileOrder(rank) != SmallVector<int64_t>(tile.getOrder()))
    return fail("the array's order differs from the tile's");
  return std::move(way);
}

std::optional<LoadWay> Classifier::findRun() {
  int64_t rows = missing + tile.getOrder()[1];
  ArrayRef<unsigned> digits = way.map.digitsOf[rows];
  int64_t rank = base.getRank();
  if (tile.getShape().size() != 2 || rank < 3 || rank > 5 ||
      int64_t(digits.size()) != rank - 1)
    return fail("the merged axes are not all axes of an array of 3 to 5 but "
                "the fastest");
  if (tile.getShape()[tile.getOrder()[1]] > 1024)
    return fail("a run has at most 1024 pixels");
  for (int64_t i = 0; i + 1 < rank; ++i) {
    // Slowest first, as the order of storage backwards.
    int64_t axis = base.getOrder()[rank - 1 - i];
    if (axisOf(digits[i]) != axis)
      return fail("the merged axes do not follow each other as in memory");
    const ViewMap::Sum &sum = way.map.axes[axis];
    if (i == 0 && wholeAxis(digits[i]) != axis)
      return fail("the slowest of the merged axes is not one of the array's, "
                  "from end to end");
    int64_t step = factorOf(digits[i], axis);
    if (step > kMostStep)
      return fail("TMA takes steps of up to 8 elements, these windows are " +
                  std::to_string(step) + " apart");
    way.steps[axis] = step;
    const ViewMap::Extent &extent = way.map.digits[digits[i]].extent;
    if (extent.value && !isOfLaunch(extent.value))
      return fail("a launch does not know how many windows there are");
    for (auto [low, times] : sum.lows)
      if (!isOfLaunch(low))
        return fail("a launch does not know where the first window begins");
    for (const ViewMap::Term &term : sum.terms)
      if (term.digit != digits[i]) {
        const ViewMap::Extent &places = way.map.digits[term.digit].extent;
        if (!places.value || !isOfLaunch(places.value))
          return fail("a launch does not know how many places a window has");
      }
  }
  if (!isNeverNegative(load.getOffsets()[rows]))
    return fail("nothing says that the first of the merged coordinates is not "
                "negative");
  way.isRun = true;
  return std::move(way);
}

std::optional<LoadWay> Classifier::classify() {
  std::optional<ViewMap> map = getViewMap(load.getView(), why);
  if (!map)
    return std::nullopt;
  way.map = std::move(*map);
  base = cast<tile::ViewType>(way.map.base.getType());
  missing =
      load.getView().getType().getRank() - int64_t(tile.getShape().size());
  way.steps.assign(base.getRank(), 1);
  if (!way.map.bounds.empty())
    return fail("windows of windows may end inside of the array");
  if (base.getRank() > 5)
    return fail("TMA has at most 5 axes, the array has " +
                std::to_string(base.getRank()));
  for (const std::string &reason : {checkScalars(), checkChannels()})
    if (!reason.empty())
      return fail(reason);
  for (int64_t axis = missing; axis < int64_t(way.map.digitsOf.size()); ++axis)
    if (way.map.digitsOf[axis].size() != 1)
      return findRun();
  return findBox();
}

std::optional<LoadWay> heddle::areftohopper::findLoadWay(tile::LoadOp load,
                                                         hopper::SmemType tile,
                                                         std::string &why) {
  return Classifier(load, tile, why).classify();
}
