//===- Boxes.cpp - Decide: which addresses are a box of an array -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses start + 1 * j + stride * i become a view with these strides. Where
// a mask bounds i by B, the view must end there: its end E and the tile's
// offset o are such that E - o = B and E is known at launch, which fixes both
// up to a constant. What the masks do not place goes to the axis whose stride
// divides it, and what is left becomes axes of its own (a batch, a head).
//
// Where memory says where an axis ends, as the length of a sequence, no launch
// knows E. A tile that has c elements of a stride s from place p on is the same
// as one at E - c of an axis that ends at E, p + c along an axis of stride s
// besides, and E along one of stride -s: its address is p * s, and it ends
// behind c. So one view, known at launch, serves all sequences. E is 2^30,
// since a tensor map has no strides below zero, but counts modulo 2^64: 2^30 *
// (2^34 - s) is -2^30 * s.
//
//===----------------------------------------------------------------------===//

#include "Boxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace heddle;

/// A scalar that a launch knows, as a person would write it.
static std::string spellValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto kernel = dyn_cast<tile::KernelOp>(argument.getOwner()->getParentOp());
    return kernel ? kernel.getArgName(argument.getArgNumber()) : "...";
  }
  Operation *op = value.getDefiningOp();
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return std::to_string(number.getSExtValue());
  auto pair = [&](StringRef sign) {
    return "(" + spellValue(op->getOperand(0)) + " " + sign.str() + " " +
           spellValue(op->getOperand(1)) + ")";
  };
  if (isa<arith::AddIOp>(op))
    return pair("+");
  if (isa<arith::SubIOp>(op))
    return pair("-");
  if (isa<arith::MulIOp>(op))
    return pair("*");
  if (isa<arith::DivSIOp>(op))
    return pair("/");
  if (isa<arith::RemSIOp>(op))
    return pair("%");
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return spellValue(op->getOperand(0));
  return "...";
}

std::string BoxFinder::spell(const Polynomial &polynomial) const {
  std::string text;
  for (const auto &[product, coefficient] : polynomial.terms()) {
    std::vector<std::string> factors;
    if (coefficient != 1 || product.empty())
      factors.push_back(std::to_string(coefficient));
    for (unsigned unknown : product)
      factors.push_back(spellValue(forms.valueOf(unknown)));
    text += (text.empty() ? "" : " + ") + llvm::join(factors, " * ");
  }
  return text.empty() ? "0" : text;
}

std::optional<Box> BoxFinder::find(Value pointers, Value mask, bool isWrite,
                                   std::string &why) {
  box = Box();
  axes.clear();
  guards.clear();
  auto type = cast<RankedTensorType>(pointers.getType());
  shape = type.getShape();
  std::optional<Form> found = forms.formOf(pointers);
  bool isBox = true;
  if (!found)
    isBox = fail("they are no sums of multiples of the element's place");
  else if (!isa<BlockArgument>(found->base) ||
           !isa<tile::KernelOp>(found->base.getParentBlock()->getParentOp()))
    isBox = fail("nothing says in which argument's memory they are");
  if (isBox) {
    form = *found;
    box.base = form.base;
    rest = form.start;
    isBox = chooseAxes(isWrite) && readBounds(mask, isWrite) && placeMasked() &&
            placeDeviceEnd();
  }
  if (isBox) {
    placeFree();
    isBox = placeLeading() && limitFree() && endLeading() && finish();
  }
  why = reason;
  return isBox ? std::optional(box) : std::nullopt;
}

std::optional<Box> BoxFinder::findBeginning(const Form &address) {
  box = Box();
  axes.clear();
  box.base = address.base;
  rest = address.start;
  if (!placeLeading() || !box.moved.isZero() || !limitFree())
    return std::nullopt;
  return box;
}

/// Which axes of the tile are axes of the array, and which one has stride 1.
bool BoxFinder::chooseAxes(bool isWrite) {
  std::optional<size_t> contiguous;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    const Polynomial &stride = form.factors[axis];
    if (extent == 1)
      continue;
    if (stride.isZero() && !isWrite)
      continue;
    if (!stride.isExact() || !forms.isHost(stride))
      return fail("the distance of neighbours along axis " +
                  std::to_string(axis) + " is not known at launch");
    if (stride.asConstant() == 1)
      contiguous = axes.size();
    axes.push_back({int64_t(axis), extent, {}, {{}, stride, {}}});
  }
  if (axes.empty())
    return fail("all are the same");
  if (!contiguous) {
    std::string strides;
    for (const TileAxis &axis : axes)
      strides += (strides.empty() ? "" : ", ") + spell(axis.view.stride);
    return fail("no axis is known to have stride 1; strides are " + strides);
  }
  fastest = *contiguous;
  return true;
}

/// A lower bound, as of block pointers, whose places begin at 0 or above.
bool BoxFinder::alwaysHolds(const Form &condition) {
  bool isLower = false;
  for (const Polynomial &factor : condition.factors) {
    std::optional<int64_t> number = factor.asConstant();
    if (!number || *number < 0)
      return false;
    isLower |= *number > 0;
  }
  std::vector<Signs::Demand> demands = box.demands;
  if (!isLower ||
      !signs.isNotNegative(condition.start - Polynomial::constant(1), demands))
    return false;
  box.demands = std::move(demands);
  return true;
}

bool BoxFinder::readBounds(Value mask, bool isWrite) {
  std::vector<Form> conditions;
  if (mask) {
    auto found = forms.conditionsOf(mask);
    if (!found)
      return fail("the mask is more than upper bounds");
    conditions = std::move(*found);
  }
  for (const Form::Wrap &wrap : form.wraps) {
    if (isWrite)
      return fail("they wrap around");
    Form bound;
    bound.start = wrap.end - wrap.start;
    bound.factors.resize(shape.size());
    bound.factors[wrap.axis] = Polynomial::constant(-1);
    box.wraps.push_back(bound);
    conditions.push_back(bound);
    if (signs.isNotNegative(wrap.start, box.demands))
      continue;
    if (!canAsk(wrap.start))
      return fail("nothing says that what wraps around is not negative");
    box.questions.push_back({Polynomial::constant(1), wrap.start});
  }
  for (const Form &condition : conditions) {
    if (alwaysHolds(condition))
      continue;
    std::optional<size_t> bounded;
    for (auto [axis, factor] : llvm::enumerate(condition.factors)) {
      if (factor.isZero())
        continue;
      if (bounded || factor.asConstant() != -1)
        return fail("the mask is more than an upper bound along single axes");
      bounded = axis;
    }
    if (!bounded) {
      guards.push_back(condition.start);
      continue;
    }
    std::optional<int64_t> number = condition.start.asConstant();
    if (number && *number >= shape[*bounded])
      continue;
    auto own = llvm::find_if(axes, [&](const TileAxis &axis) {
      return axis.axis == int64_t(*bounded);
    });
    if (own == axes.end()) {
      if (isWrite)
        return fail("the mask excludes elements along an axis of extent 1");
      box.needsSelect = true;
    } else if (!llvm::is_contained(own->bounds, condition.start)) {
      own->bounds.push_back(condition.start);
    }
  }
  return true;
}

/// Whether `axis` may end where only the device knows. It is not the one of
/// stride 1, since a tensor map's other strides are multiples of 16 bytes; and
/// what the kernel writes is read in the order of the program, as threads do.
bool BoxFinder::endOnDevice(TileAxis &axis) {
  if (isWritten(form.base) || &axis == &axes[fastest] ||
      llvm::any_of(axes,
                   [](const TileAxis &other) { return other.endsOnDevice; }) ||
      !llvm::all_of(axis.bounds,
                    [](const Polynomial &bound) { return bound.isExact(); }))
    return false;
  axis.endsOnDevice = true;
  axis.view.ends = {Polynomial::constant(kFarEnd)};
  axis.view.offset = Polynomial();
  return true;
}

/// Axes with a bound: what of it changes on the device is the offset.
bool BoxFinder::placeMasked() {
  for (TileAxis &axis : axes) {
    if (axis.bounds.empty())
      continue;
    auto isLocal = [&](const Product &product) {
      return !forms.isHost(product);
    };
    Polynomial local = axis.bounds.front().filtered(isLocal);
    axis.view.offset = Polynomial() - local;
    // Where that takes away what a loop counts, the view begins at the last.
    if (auto taken = signs.takenAway(axis.view.offset))
      axis.view.offset = axis.view.offset - taken->least;
    bool moveApart = llvm::any_of(axis.bounds, [&](const Polynomial &bound) {
      return !(bound.filtered(isLocal) == local);
    });
    if (moveApart && endOnDevice(axis))
      continue;
    if (moveApart)
      return fail("the mask has two bounds along axis " +
                  std::to_string(axis.axis) + " that move apart");
    for (const Polynomial &bound : axis.bounds)
      axis.view.ends.push_back(bound + axis.view.offset);
    bool isAsked = llvm::any_of(box.questions, [&](const Box::Question &known) {
      return known.place == axis.view.offset;
    });
    bool isPlace =
        isAsked || signs.isNotNegative(axis.view.offset, box.demands);
    if (!isPlace && endOnDevice(axis))
      continue;
    if (!isPlace)
      return fail("nothing says that the place along axis " +
                  std::to_string(axis.axis) + " is not negative");
    rest = rest - axis.view.offset * axis.view.stride;
  }
  return rest.isExact() || fail("their distances do not fit 64 bits");
}

/// An axis that ends on the device: what its stride divides is the place. What
/// is not proved of that is asked.
bool BoxFinder::placeDeviceEnd() {
  auto axis = llvm::find_if(
      axes, [](const TileAxis &axis) { return axis.endsOnDevice; });
  if (axis == axes.end())
    return true;
  Polynomial place, asked, unplaced = rest;
  for (const auto &[product, coefficient] : unplaced.terms()) {
    Polynomial term;
    term.add(product, coefficient);
    std::optional<Polynomial> quotient = term.dividedBy(axis->view.stride);
    if (forms.isHost(product) || !quotient)
      continue;
    place = place + *quotient;
    rest = rest - term;
  }
  // Terms that are not proved are asked about without those that are. Of one
  // that is taken away the answer could be no though their sum is a place.
  if (!signs.isNotNegative(place, box.demands)) {
    Polynomial unproved = place;
    for (const auto &[product, coefficient] : unproved.terms()) {
      Polynomial term;
      term.add(product, coefficient);
      if (signs.isNotNegative(term, box.demands))
        continue;
      if (coefficient < 0)
        return fail("nothing says that the place along axis " +
                    std::to_string(axis->axis) + " is not negative");
      asked = asked + term;
      place = place - term;
    }
  }
  if (!asked.isZero()) {
    if (!canAsk(asked))
      return fail("nothing says that the place along axis " +
                  std::to_string(axis->axis) + " is not negative");
    Polynomial known = rest;
    std::swap(box.start, known);
    joinConstants(axis->view.stride, asked);
    std::swap(box.start, known);
    rest = known;
    box.questions.push_back({axis->view.stride, asked});
  }
  box.deviceEnd = {size_t(axis - axes.begin()), axis->extent, axis->bounds};
  axis->view.offset = place + asked;
  return rest.isExact() || fail("their distances do not fit 64 bits");
}

/// Axes without a bound take what their stride divides.
void BoxFinder::placeFree() {
  for (size_t i = 0; i < axes.size(); ++i) {
    TileAxis &axis = axes[i];
    if (!axis.bounds.empty() || i == fastest)
      continue;
    Polynomial unplaced = rest;
    for (const auto &[product, coefficient] : unplaced.terms()) {
      Polynomial term;
      term.add(product, coefficient);
      std::optional<Polynomial> quotient = term.dividedBy(axis.view.stride);
      if (forms.isHost(product) || !quotient ||
          !signs.isNotNegative(*quotient, box.demands))
        continue;
      axis.view.offset = axis.view.offset + *quotient;
      rest = rest - term;
    }
  }
}

/// Whether no loop changes these numbers, so that they are asked about once.
bool BoxFinder::canAsk(const Product &local) const {
  return mayAsk && llvm::none_of(local, [&](unsigned unknown) {
           Operation *around =
               forms.valueOf(unknown).getParentBlock()->getParentOp();
           return isa<LoopLikeOpInterface>(around) ||
                  around->getParentOfType<LoopLikeOpInterface>();
         });
}

bool BoxFinder::canAsk(const Polynomial &place) const {
  return llvm::all_of(place.terms(), [&](const auto &term) {
    Product local;
    for (unsigned unknown : term.first)
      if (!forms.isHost(forms.valueOf(unknown)))
        local.push_back(unknown);
    return canAsk(local);
  });
}

/// What a launch knows of a place that is asked about counts there, not in
/// where the view begins: of (x + 1) * stride, x may be -1.
void BoxFinder::joinConstants(const Polynomial &stride, Polynomial &place) {
  Polynomial start = box.start;
  for (const auto &[product, coefficient] : start.terms()) {
    Polynomial term;
    term.add(product, coefficient);
    std::optional<Polynomial> quotient = term.dividedBy(stride);
    if (!quotient)
      continue;
    place = place + *quotient;
    box.start = box.start - term;
  }
}

/// The rest: offsets along the axis of stride 1 if that is free; else axes of
/// one element.
bool BoxFinder::placeLeading() {
  // Without a tile there is no such axis.
  bool isFastestFree = !axes.empty() && axes[fastest].bounds.empty();
  std::map<Polynomial, Polynomial> offsets; // by stride
  std::set<Polynomial> asked;
  for (const auto &[product, coefficient] : rest.terms()) {
    if (forms.isHost(product)) {
      box.start.add(product, coefficient);
      continue;
    }
    Product known, local;
    for (unsigned unknown : product)
      (forms.isHost(forms.valueOf(unknown)) ? known : local).push_back(unknown);
    Polynomial stride, place, term;
    term.add(product, coefficient);
    stride.add(known,
               known.empty() && !isFastestFree ? std::abs(coefficient) : 1);
    place.add(local, known.empty() && !isFastestFree
                         ? (coefficient < 0 ? -1 : 1)
                         : coefficient);
    bool isPlace = signs.isNotNegative(place, box.demands);
    if (!isPlace && !known.empty() && canAsk(local)) {
      asked.insert(stride);
      isPlace = true;
    }
    if (!isPlace)
      box.moved = box.moved + term;
    else if (known.empty() && isFastestFree)
      axes[fastest].view.offset = axes[fastest].view.offset + term;
    else
      offsets[stride] = offsets[stride] + place;
  }
  for (auto &[stride, offset] : offsets) {
    if (asked.count(stride)) {
      Polynomial start = box.start, local = offset;
      joinConstants(stride, offset);
      // Of a place that is never positive the answer would be no.
      std::vector<Signs::Demand> ignored;
      if (signs.isNotNegative(Polynomial() - offset, ignored)) {
        box.start = start;
        box.moved = box.moved + stride * local;
        continue;
      }
      box.questions.push_back({stride, offset});
    }
    box.axes.push_back({{}, stride, offset});
  }
  size_t count = box.axes.size() + axes.size() + (box.deviceEnd ? 2 : 0);
  if (count > size_t(kMostAxes))
    return fail("the array would have " + std::to_string(count) + " axes");
  return true;
}

/// Without a mask nothing may be cut off; a tight end keeps the array small.
bool BoxFinder::limitFree() {
  auto limit = [&](Box::Axis &axis, int64_t extent) {
    Polynomial end = Polynomial::constant(extent);
    for (const auto &[product, coefficient] : axis.offset.terms()) {
      if (coefficient < 0)
        return;
      Polynomial known = Polynomial::constant(coefficient);
      std::optional<Polynomial> most;
      for (unsigned unknown : product) {
        Value value = forms.valueOf(unknown);
        if (forms.isHost(value)) {
          known = known * Polynomial::unknown(unknown);
          continue;
        }
        most = most ? std::nullopt : signs.limitOf(value);
        if (!most)
          return;
      }
      if (most)
        known = known * (*most - Polynomial::constant(1));
      end = end + known;
    }
    if (end.isExact())
      axis.ends.push_back(end);
  };
  for (TileAxis &axis : axes)
    if (axis.bounds.empty())
      limit(axis.view, axis.extent);
  for (Box::Axis &axis : box.axes)
    limit(axis, 1);
  return true;
}

/// A condition that is the same for all elements is the end of an axis of one
/// element: a matrix of a batch that may have fewer.
bool BoxFinder::endLeading() {
  for (const Polynomial &guard : guards) {
    Polynomial place =
        Polynomial() - guard.filtered([&](const Product &product) {
          return !forms.isHost(product);
        });
    auto own = llvm::find_if(
        box.axes, [&](const Box::Axis &axis) { return axis.offset == place; });
    if (own == box.axes.end() || place.isZero())
      return fail("the mask has a condition that is the same for all elements");
    own->ends.push_back(guard + place);
  }
  return true;
}

bool BoxFinder::finish() {
  if (box.deviceEnd) {
    Box::Axis &view = axes[box.deviceEnd->axis].view;
    Box::Axis far{{}, Polynomial() - view.stride, {}};
    Box::Axis behind{{}, view.stride, view.offset};
    view.offset = Polynomial();
    box.axes.insert(box.axes.begin(), {far, behind});
    box.deviceEnd->axis += box.axes.size();
  }
  int64_t leading = box.axes.size();
  box.order.push_back(leading + int64_t(fastest));
  for (int64_t i = axes.size(); i-- > 0;)
    if (i != int64_t(fastest))
      box.order.push_back(leading + i);
  for (int64_t i = leading; i-- > 0;)
    box.order.push_back(i);
  for (TileAxis &axis : axes) {
    box.kept.push_back(axis.axis);
    box.axes.push_back(axis.view);
  }
  return true;
}
