//===- StreamedTiles.cpp - Decide: which tiles a loop reads its way along -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamedTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;

static RankedTensorType tileTypeOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static std::string nameOf(Operation &op) {
  return "'" + op.getName().getStringRef().str() + "'";
}

std::optional<int64_t> StreamedTiles::axisOf(Value value) const {
  auto found = axes.find(value);
  return found == axes.end() ? std::nullopt : Axis(found->second);
}

bool StreamedTiles::isUniform(Value value) const {
  auto splat = value.getDefiningOp<tile::SplatOp>();
  return splat && !axisOf(value);
}

void StreamedTiles::stream(Value value, int64_t axis) { axes[value] = axis; }

/// Whether every iteration has the same; nothing in the loop writes memory.
bool StreamedTiles::isInvariant(Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions())
    return false;
  auto [found, isNew] = invariant.try_emplace(value, false);
  if (isNew) {
    bool result = llvm::all_of(op->getOperands(),
                               [&](Value one) { return isInvariant(one); });
    return invariant[value] = result;
  }
  return found->second;
}

//===----------------------------------------------------------------------===//
// Which tiles
//===----------------------------------------------------------------------===//

/// By how much `number` grows in an iteration, if by the same in each.
std::optional<Polynomial> StreamedTiles::slopeOf(Value number) {
  Polynomial index = forms.scalar(loop.getInductionVar());
  const Product &unknown = index.terms().begin()->first;
  Polynomial slope;
  Polynomial form = forms.scalar(number);
  if (!form.isExact())
    return std::nullopt;
  for (const auto &[product, coefficient] : form.terms()) {
    std::optional<Product> rest = divide(product, unknown);
    bool isFixed = llvm::all_of(rest ? *rest : product, [&](unsigned one) {
      return isInvariant(forms.valueOf(one));
    });
    if (!isFixed)
      return std::nullopt;
    if (rest)
      slope.add(*rest, coefficient);
  }
  return slope * forms.scalar(loop.getStep());
}

std::string StreamedTiles::visitLoad(tile::LoadOp load) {
  auto type = tileTypeOf(load.getResult());
  if (!isInvariant(load.getView()))
    return "iterations load from different arrays";
  int64_t leading = load.getOffsets().size() - type.getRank();
  Axis streamed;
  Polynomial distance;
  for (auto [axis, offset] : llvm::enumerate(load.getOffsets())) {
    std::optional<Polynomial> slope = slopeOf(offset);
    if (!slope)
      return "nothing says by how much the place of a load moves";
    if (slope->isZero())
      continue;
    if (streamed)
      return "the place of a load moves along two axes";
    streamed = int64_t(axis) - leading;
    distance = *slope;
  }
  if (!streamed)
    return "nothing says by how much the place of a load moves";
  std::optional<int64_t> width = distance.asConstant();
  if (*streamed < 0 || width != type.getDimSize(*streamed))
    return "the place of a load moves by " +
           (width ? std::to_string(*width) : "no constant") +
           " an iteration, and its tile is " +
           std::to_string(*streamed < 0 ? 1 : type.getDimSize(*streamed)) +
           " long";
  int64_t extent = type.getDimSize(*streamed);
  if (length && length != extent)
    return "its tiles are " + std::to_string(length) + " and " +
           std::to_string(extent) + " long";
  length = extent;
  stream(load.getResult(), *streamed);
  return "";
}

std::string StreamedTiles::visitDot(tile::DotOp dot) {
  Axis a = axisOf(dot.getA()), b = axisOf(dot.getB()),
       acc = axisOf(dot.getAcc());
  if (a == 1 && b == 0 && !acc) {
    sums.push_back(dot);
    if (int64_t most = dot.mostSummedProducts())
      limit = limit ? std::min(limit, most) : most;
    return "";
  }
  if (carriers.contains(dot))
    return "a product that it adds up is not of longer tiles";
  bool isRows = a == 0 && !b && isInvariant(dot.getB());
  bool isColumns = b == 1 && !a && isInvariant(dot.getA());
  int64_t axis = isColumns ? 1 : 0;
  if ((!isRows && !isColumns) ||
      (acc ? acc != axis
           : !isUniform(dot.getAcc()) || !isInvariant(dot.getAcc())))
    return "a product is neither a sum over longer tiles nor a longer tile";
  stream(dot.getResult(), axis);
  return "";
}

std::string StreamedTiles::visitElementwise(Operation &op) {
  Axis streamed;
  for (Value operand : op.getOperands())
    if (Axis axis = axisOf(operand)) {
      if (streamed && streamed != axis)
        return nameOf(op) + " combines tiles that get longer along two axes";
      streamed = axis;
    }
  for (Value operand : op.getOperands())
    if (!axisOf(operand) && (!isUniform(operand) || !isInvariant(operand)))
      return nameOf(op) + " combines longer tiles with one that is not";
  stream(op.getResult(0), *streamed);
  return "";
}

/// Element i of the result depends on element i of each operand alone.
static bool isElementwise(Operation &op) {
  return isa<tile::CastOp>(op) ||
         (isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
          isPure(&op));
}

std::string StreamedTiles::visit(Operation &op) {
  bool isStreamed = llvm::any_of(op.getOperands(), [&](Value operand) {
    return axisOf(operand).has_value();
  });
  if (!isMemoryEffectFree(&op) && !isa<tile::LoadOp, tile::GatherOp>(op))
    return nameOf(op) + " acts in each iteration";
  bool isScalar = llvm::none_of(op.getResults(), tileTypeOf);
  if (!isStreamed && (isScalar || isInvariant(op.getResult(0))))
    return "";
  if (!isStreamed && !isa<tile::LoadOp, tile::DotOp>(op))
    return nameOf(op) + " makes another tile in each iteration";
  return llvm::TypeSwitch<Operation *, std::string>(&op)
      .Case([&](tile::LoadOp load) { return visitLoad(load); })
      .Case([&](tile::DotOp dot) { return visitDot(dot); })
      .Case([&](tile::TransOp trans) -> std::string {
        ArrayRef<int64_t> order = trans.getOrder();
        const int64_t *place = llvm::find(order, *axisOf(trans.getValue()));
        stream(trans.getResult(), place - order.begin());
        return "";
      })
      .Default([&](Operation *) {
        return isElementwise(op) ? visitElementwise(op)
                                 : nameOf(op) + " treats one iteration's tile "
                                                "as a whole";
      });
}

/// Each carried value is a sum to which every iteration only adds products; any
/// other algebra, as of a running maximum and what it scales, is not known.
std::string StreamedTiles::checkCarried(Operation *&culprit) {
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    Value value = argument;
    while (true) {
      Operation *end = loop.getBody()->getTerminator();
      Operation *user = value.use_empty() ? end : *value.user_begin();
      if (value.hasOneUse() && user == end && end->getOperand(index) == value)
        break;
      auto dot = dyn_cast<tile::DotOp>(user);
      if (!value.hasOneUse() || !dot || dot.getAcc() != value) {
        culprit = user;
        return "it carries more than sums of products, and only their terms "
               "may "
               "be grouped in another way";
      }
      carriers.insert(dot);
      value = dot.getResult();
    }
  }
  return "";
}

std::string StreamedTiles::find(Operation *&culprit) {
  std::string reason = checkCarried(culprit);
  if (!reason.empty())
    return reason;
  for (Operation &op : loop.getBody()->without_terminator()) {
    reason = visit(op);
    if (!reason.empty()) {
      culprit = &op;
      return reason;
    }
  }
  for (tile::DotOp dot : sums)
    if (!carriers.contains(dot)) {
      culprit = dot;
      return "a sum of products is used before the loop ends";
    }
  return "";
}

//===----------------------------------------------------------------------===//
// Where the loop ends
//===----------------------------------------------------------------------===//

bool StreamedTiles::isNotNegative(const Polynomial &number) {
  Signs signs(forms);
  std::vector<Signs::Demand> demands;
  if (signs.isNotNegative(number, demands) && demands.empty())
    return true;
  // c * (x / d) is c / d * (x - (d - 1)) at least, for any sign of x.
  for (const auto &[product, coefficient] : number.terms()) {
    if (product.size() != 1 || coefficient <= 0)
      continue;
    Operation *op = forms.valueOf(product.front()).getDefiningOp();
    if (!isa_and_nonnull<arith::DivSIOp, arith::CeilDivSIOp>(op))
      continue;
    std::optional<int64_t> divisor =
        forms.scalar(op->getOperand(1)).asConstant();
    if (!divisor || *divisor <= 0 || coefficient % *divisor)
      continue;
    Polynomial least = forms.scalar(op->getOperand(0));
    if (isa<arith::DivSIOp>(op))
      least = least - Polynomial::constant(*divisor - 1);
    Polynomial rest = number;
    rest.add(product, -coefficient);
    return isNotNegative(rest +
                         Polynomial::constant(coefficient / *divisor) * least);
  }
  return false;
}

/// Whether `place` is `end` or behind it.
bool StreamedTiles::isAtLeast(const Polynomial &place, Value end) {
  if (auto least = end.getDefiningOp<arith::MinSIOp>())
    return isAtLeast(place, least.getLhs()) || isAtLeast(place, least.getRhs());
  Polynomial distance = place - forms.scalar(end);
  return distance.isExact() && isNotNegative(distance);
}

/// Whether an iteration behind the loop's last would load zeros.
bool StreamedTiles::endsWithLoop(tile::LoadOp load) {
  auto view = load.getView().getDefiningOp<tile::MakeViewOp>();
  int64_t leading =
      load.getOffsets().size() - tileTypeOf(load.getResult()).getRank();
  int64_t axis = leading + *axisOf(load.getResult());
  Polynomial index = forms.scalar(loop.getInductionVar());
  Polynomial distance = forms.scalar(loop.getUpperBound()) - index;
  Polynomial place = forms.scalar(load.getOffsets()[axis]);
  Polynomial behind = place;
  for (const auto &[product, coefficient] : place.terms())
    if (std::optional<Product> rest =
            divide(product, index.terms().begin()->first)) {
      Polynomial slope;
      slope.add(*rest, coefficient);
      behind = behind + slope * distance;
    }
  if (view)
    return isAtLeast(behind, view.getExtents()[axis]);
  // An argument, or what the host made; its extent has a name if it is asked.
  for (Operation *user : load.getView().getUsers())
    if (auto extent = dyn_cast<tile::DimOp>(user);
        extent && int64_t(extent.getAxis()) == axis &&
        isAtLeast(behind, extent.getResult()))
      return true;
  return false;
}

/// The load whose zeros are zeros of `value`.
tile::LoadOp StreamedTiles::zeroSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tile::TransOp, tile::CastOp, arith::ExtFOp,
                      arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
                      arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp,
                      arith::NegFOp>(op))
    return zeroSource(op->getOperand(0));
  return dyn_cast_or_null<tile::LoadOp>(op);
}

std::string StreamedTiles::checkEnds(int64_t count, Operation *&culprit) {
  Polynomial range =
      forms.scalar(loop.getUpperBound()) - forms.scalar(loop.getLowerBound());
  Polynomial step = Polynomial::constant(count) * forms.scalar(loop.getStep());
  if (range.dividedBy(step))
    return "";
  std::string rest = "their number may not be a multiple of " +
                     std::to_string(count) + ", and ";
  for (tile::DotOp dot : sums)
    // Both: what is 0 times something may be NaN.
    for (Value operand : {dot.getA(), dot.getB()}) {
      tile::LoadOp load = zeroSource(operand);
      culprit = load ? load.getOperation() : dot.getOperation();
      if (!load)
        return rest + "behind the last one an operand of a product is not "
                      "known to be zero";
      if (!endsWithLoop(load))
        return rest + "nothing says that the array which is loaded from ends "
                      "where the loop does";
    }
  return "";
}
