//===- TilePlaces.cpp - Which accesses meet no common element -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two tiles of one view lie apart where they do along an axis. Of views of one
// pointer, elements are counted in memory, as far as strides are known.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/TilePlaces.h"

#include "Differences.h"

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace heddle;

bool heddle::isSameNumber(Value a, Value b) {
  APInt left, right;
  return a == b || (matchPattern(a, m_ConstantInt(&left)) &&
                    matchPattern(b, m_ConstantInt(&right)) && left == right);
}

Operation *heddle::sharedOrderedLoop(Operation *a, Operation *b) {
  Operation *outermost = nullptr;
  for (Operation *around = a->getParentOp(); around;
       around = around->getParentOp())
    if (around->isProperAncestor(b) && tile::isOrderedLoop(around))
      outermost = around;
  return outermost;
}

//===----------------------------------------------------------------------===//
// Tiles of views
//===----------------------------------------------------------------------===//

namespace {

struct Place {
  Value view;
  SmallVector<Value> offsets;
  SmallVector<int64_t> extents; ///< one an axis of the view
  bool writes = false;
};

/// A view of what lies behind a pointer.
struct Made {
  Value pointer;
  SmallVector<Value> before; ///< elements in front of the view
  SmallVector<Value> extents, strides;
};

} // namespace

static std::optional<Place> placeOf(Operation *op) {
  Place place;
  ArrayRef<int64_t> shape;
  auto take = [&](auto access, Type tile, bool writes) {
    place = {
        access.getView(), llvm::to_vector(access.getOffsets()), {}, writes};
    if (auto tensor = dyn_cast<RankedTensorType>(tile))
      shape = tensor.getShape();
    else if (auto shared = dyn_cast<hopper::SmemType>(tile))
      shape = shared.getShape();
  };
  TypeSwitch<Operation *>(op)
      .Case([&](tile::LoadOp load) {
        if (!load.getRows())
          take(load, load.getResult().getType(), false);
      })
      .Case<tile::StoreOp, tile::ViewReduceOp>(
          [&](auto store) { take(store, store.getValue().getType(), true); })
      .Case([&](hopper::GlobalLoadOp load) {
        if (!load.getRows())
          take(load, load.getValue().getType(), false);
      })
      .Case([&](hopper::GlobalStoreOp store) {
        take(store, store.getValue().getType(), true);
      })
      .Case([&](hopper::TmaStoreOp store) {
        take(store, store.getTile().getType(), true);
      });
  size_t rank = place.offsets.size();
  if (!place.view || shape.size() > rank || ShapedType::isDynamicShape(shape))
    return std::nullopt;
  place.extents.assign(rank - shape.size(), 1);
  llvm::append_range(place.extents, shape);
  return place;
}

static std::optional<Made> makerOf(Value view, Operation *user) {
  if (auto argument = dyn_cast<BlockArgument>(view)) {
    auto kernel = user->getParentOfType<hopper::KernelOp>();
    hopper::MadeViewOp made =
        kernel && argument.getOwner() == &kernel.getEntry()
            ? kernel.getMaker(argument.getArgNumber())
            : hopper::MadeViewOp();
    if (!made)
      return std::nullopt;
    return Made{made.getPtr(),
                {made.getOffset()},
                made.getExtents(),
                made.getStrides()};
  }
  auto make = view.getDefiningOp<tile::MakeViewOp>();
  if (!make)
    return std::nullopt;
  Made made{make.getPtr(), {}, make.getExtents(), make.getStrides()};
  while (auto moved = made.pointer.getDefiningOp<tile::PtrAddOp>()) {
    made.before.push_back(moved.getOffset());
    made.pointer = moved.getPtr();
  }
  return made;
}

static Difference differ(Subtraction subtraction, ArrayRef<Value> from,
                         ArrayRef<Value> to) {
  for (Value value : to)
    subtraction.add(value, 1);
  for (Value value : from)
    subtraction.add(value, uint64_t(-1));
  return subtraction.finish();
}

//===----------------------------------------------------------------------===//
// Places of elements
//===----------------------------------------------------------------------===//

namespace {

/// A product of numbers that the launch knows.
struct Factors {
  int64_t constant = 1;
  SmallVector<Value> others; ///< sorted

  bool isAtLeast(const Factors &other) const {
    return others == other.others && constant >= other.constant;
  }
};

} // namespace

/// Nothing of what is too large.
static std::optional<Factors> factorsOf(ArrayRef<Value> values) {
  Factors factors;
  SmallVector<Value> pending(values);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    auto product = value.getDefiningOp<arith::MulIOp>();
    if (std::optional<int64_t> number = constantOf(value)) {
      if (*number < 0 ||
          llvm::MulOverflow(factors.constant, *number, factors.constant))
        return std::nullopt;
    } else if (product) {
      llvm::append_range(pending, product->getOperands());
    } else {
      factors.others.push_back(value);
    }
  }
  llvm::sort(factors.others, [](Value a, Value b) {
    return a.getAsOpaquePointer() < b.getAsOpaquePointer();
  });
  return factors;
}

/// The first of the last axes of which each takes no more than a step along the
/// one before it: there, no two elements have one place.
static size_t firstOfNested(const Made &made) {
  size_t axis = made.strides.size();
  if (axis == 0 || constantOf(made.strides[--axis]) != 1)
    return made.strides.size();
  for (; axis > 0; --axis) {
    auto taken = factorsOf({made.extents[axis], made.strides[axis]});
    auto step = factorsOf({made.strides[axis - 1]});
    if (!taken || !step || !step->isAtLeast(*taken))
      break;
  }
  return axis;
}

/// Whether no two elements of a view that is written share memory. Launches
/// look at those of arguments.
static bool hasOwnPlaces(Value view, Operation *user) {
  while (Operation *def = view.getDefiningOp()) {
    if (isa<tile::MakeViewOp>(def) || !tile::isMapped(view))
      break;
    view = def->getOperand(0);
  }
  if (std::optional<Made> made = makerOf(view, user))
    return firstOfNested(*made) == 0;
  return isa<BlockArgument>(view);
}

/// One store's elements have their own places, or nobody could say what it
/// stores.
static bool isOneStore(Operation *a, Operation *b) {
  StringRef original = sched::originalName(a);
  return a == b || (!original.empty() && original == sched::originalName(b));
}

/// Two views of one pointer by the same strides.
static bool haveSameSteps(const Place &a, const Made &from, const Place &b,
                          const Made &to, const Subtraction &subtraction) {
  auto isSame = [&](Value left, Value right) {
    return isSameNumber(left, right) && !subtraction.mayDiffer(left);
  };
  return from.pointer == to.pointer && !subtraction.mayDiffer(from.pointer) &&
         cast<tile::ViewType>(a.view.getType()).getElementType() ==
             cast<tile::ViewType>(b.view.getType()).getElementType() &&
         from.strides.size() == to.strides.size() &&
         llvm::equal(from.strides, to.strides, isSame);
}

/// Elements from the first view to the second, where it is one number that the
/// launch knows.
static std::optional<Factors> factorsBetween(const Made &from, const Made &to,
                                             const Subtraction &subtraction) {
  SmallVector<Value> more = to.before;
  for (Value before : from.before) {
    auto *same = llvm::find(more, before);
    if (same == more.end())
      return std::nullopt;
    more.erase(same);
  }
  if (more.size() != 1 || subtraction.mayDiffer(more.front()))
    return std::nullopt;
  return factorsOf(more);
}

/// Whether the second view lies behind all that the first one's tile can reach,
/// another matrix of a batch: some of its last axes, at places that do not
/// differ along the others, take no more than the distance.
static bool liesBehind(const Place &a, const Made &from, const Place &b,
                       const Made &to, const Subtraction &subtraction) {
  std::optional<Factors> distance = factorsBetween(from, to, subtraction);
  size_t nested = firstOfNested(from);
  for (size_t axis = from.strides.size(); distance && axis-- > nested;) {
    auto taken = factorsOf({from.extents[axis], from.strides[axis]});
    bool isSteady = llvm::all_of(llvm::seq<size_t>(axis), [&](size_t outer) {
      Difference apart =
          differ(subtraction, {a.offsets[outer]}, {b.offsets[outer]});
      return apart.isConstant() && apart.constant == 0 &&
             a.extents[outer] == 1 && b.extents[outer] == 1;
    });
    bool isSameExtent = isSameNumber(from.extents[axis], to.extents[axis]);
    if (taken && isSteady && isSameExtent && distance->isAtLeast(*taken))
      return true;
  }
  return false;
}

/// The second view is the first one that many steps further along the slowest
/// axis. Along another one it would reach over that one's end.
static std::optional<int64_t> stepsBetween(const Made &from, const Made &to,
                                           const Subtraction &subtraction) {
  std::optional<Factors> distance = factorsBetween(from, to, subtraction);
  auto step = factorsOf({from.strides.front()});
  if (!distance || !step || step->constant <= 0 ||
      step->others != distance->others ||
      distance->constant % step->constant != 0)
    return std::nullopt;
  return distance->constant / step->constant;
}

/// Of views a constant apart, the halves of rows, say. Tiles meet where the
/// distance of their beginnings and some steps along their axes come to 0: not
/// where what is left of it after the shortest steps is no multiple of all the
/// others, and of steps that nobody counted.
static bool missEachOther(int64_t distance, const Place &a, const Place &b,
                          ArrayRef<Value> viewExtents,
                          ArrayRef<Value> viewStrides,
                          const Subtraction &subtraction) {
  SmallVector<std::pair<int64_t, int64_t>> steps; // length, most of them
  int64_t uncounted = 0;
  for (size_t axis = 0; axis < viewStrides.size(); ++axis) {
    Difference apart =
        differ(subtraction, {a.offsets[axis]}, {b.offsets[axis]});
    auto further = int64_t(apart.constant);
    int64_t most = std::max(a.extents[axis], b.extents[axis]);
    if (auto extent = constantOf(viewExtents[axis]);
        extent && apart.isConstant() && further == 0)
      most = std::min(most, *extent);
    if (apart.isConstant() && further == 0 && most <= 1)
      continue;
    auto stride = constantOf(viewStrides[axis]);
    if (!stride || *stride <= 0 || !llvm::isInt<24>(further) ||
        !llvm::isUInt<24>(apart.grain))
      return false;
    distance += further * *stride;
    uncounted = std::gcd(uncounted, int64_t(apart.grain) * *stride);
    if (most > 1)
      steps.push_back({*stride, most - 1});
  }
  llvm::sort(steps);
  int64_t reach = 0;
  for (size_t shortest = 0; shortest <= steps.size(); ++shortest) {
    int64_t common = uncounted;
    for (auto [stride, most] : ArrayRef(steps).drop_front(shortest))
      common = std::gcd(common, stride);
    int64_t low = distance - reach, high = distance + reach;
    if (common ? llvm::divideFloorSigned(high, common) * common < low
               : low > 0 || high < 0)
      return true;
    if (shortest < steps.size())
      reach += steps[shortest].first * steps[shortest].second;
  }
  return false;
}

/// Whether coordinates mean the same in both views, a constant of elements
/// apart.
static std::optional<int64_t> distanceOf(const Place &a, Operation *one,
                                         const Place &b, Operation *other,
                                         const Subtraction &subtraction) {
  if (a.view == b.view && !subtraction.mayDiffer(a.view))
    return 0;
  std::optional<Made> from = makerOf(a.view, one), to = makerOf(b.view, other);
  if (!from || !to || !haveSameSteps(a, *from, b, *to, subtraction))
    return std::nullopt;
  Difference distance = differ(subtraction, from->before, to->before);
  auto elements = int64_t(distance.constant);
  if (!distance.isConstant() || !llvm::isInt<32>(elements))
    return std::nullopt;
  return elements;
}

/// Where the second tile's view is `further` steps along the slowest axis.
static bool partsAlongAnAxis(const Place &a, const Place &b, int64_t further,
                             const Subtraction &subtraction) {
  for (size_t axis = 0; axis < a.offsets.size(); ++axis) {
    Difference apart =
        differ(subtraction, {a.offsets[axis]}, {b.offsets[axis]});
    if (axis == 0)
      apart.constant += uint64_t(further);
    if (apart.parts(a.extents[axis], b.extents[axis]))
      return true;
  }
  return false;
}

bool heddle::lieApart(Operation *a, Operation *b) {
  std::optional<Place> one = placeOf(a), other = placeOf(b);
  if (!one || !other || !(one->writes || other->writes) ||
      one->offsets.size() != other->offsets.size())
    return false;
  Subtraction subtraction(sharedOrderedLoop(a, b));
  std::optional<int64_t> distance = distanceOf(*one, a, *other, b, subtraction);
  bool hasOwn = isOneStore(a, b) ||
                (hasOwnPlaces(one->view, a) && hasOwnPlaces(other->view, b));
  if (distance == 0 && hasOwn && partsAlongAnAxis(*one, *other, 0, subtraction))
    return true;
  std::optional<Made> from = makerOf(one->view, a),
                      to = makerOf(other->view, b);
  if (!from || !to || !haveSameSteps(*one, *from, *other, *to, subtraction))
    return false;
  auto isFurther = [&](const Place &near, const Made &first, const Place &far,
                       const Made &second) {
    std::optional<int64_t> steps = stepsBetween(first, second, subtraction);
    return (steps && hasOwn &&
            partsAlongAnAxis(near, far, *steps, subtraction)) ||
           liesBehind(near, first, far, second, subtraction);
  };
  if (!distance)
    return isFurther(*one, *from, *other, *to) ||
           isFurther(*other, *to, *one, *from);
  return llvm::equal(from->extents, to->extents, isSameNumber) &&
         missEachOther(*distance, *one, *other, from->extents, from->strides,
                       subtraction);
}

bool heddle::meetsByWholeRows(Operation *op) {
  std::optional<Place> place = placeOf(op);
  Subtraction subtraction(sharedOrderedLoop(op, op));
  if (!place || place->extents.size() < 2 || subtraction.mayDiffer(place->view))
    return false;
  size_t row = place->extents.size() - 2;
  return differ(subtraction, {place->offsets[row]}, {place->offsets[row]})
      .alignsBy(place->extents[row]);
}

bool heddle::meetAsWhole(Operation *a, Operation *b) {
  std::optional<Place> one = placeOf(a), other = placeOf(b);
  if (!one || !other || one->extents != other->extents)
    return false;
  Subtraction subtraction(sharedOrderedLoop(a, b));
  if (distanceOf(*one, a, *other, b, subtraction) != 0)
    return false;
  for (size_t axis = 0; axis < one->offsets.size(); ++axis)
    if (!differ(subtraction, {one->offsets[axis]}, {other->offsets[axis]})
             .alignsBy(one->extents[axis]))
      return false;
  return true;
}
