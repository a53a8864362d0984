//===- GatherRows.cpp - Gathered rows that a loader can copy --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop whose products read what is gathered by the addresses of its
// elements. Out: loads in their place, wherever each row of the addresses, or
// each column, is an array of its own: it begins where a tile of places says,
// and goes on with neighbours. A load is another process's work, ahead of the
// products, in runs of 16 bytes; a gather is the work of the process that
// multiplies, element by element.
//
// Places that are the same in all iterations are computed in front of the loop.
// Others, such as those of a cache's pages, are computed once more for the
// load, marked as repeated: so the process that loads reads them from memory
// for itself, ahead of the products.
//
// What goes along the rows keeps its own width. That its sum with numbers and
// columns does not wrap is taken for granted, as by the recovery of views: the
// address would lie outside of the argument. Masks become the end of the view
// along the rows, and places that say "no row". Stands behind the recovery of
// views, which takes what a launch can describe.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

namespace heddle {
#define GEN_PASS_DEF_GATHERROWS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// Numbers of columns stay below; their sums with it do not wrap in 32 bits.
constexpr int64_t kMostColumn = int64_t(1) << 30;

/// Which axis of the gathered tile each axis of a value is: 0 goes through the
/// arrays, 1 along them.
using Axes = SmallVector<int64_t, 2>;

/// A value along the rows alone, with the axis of columns or without it.
struct RowTerm {
  RowTerm(Value along) : value(along) {
    // What only adds an axis may stand in the loop.
    if (auto expand = along.getDefiningOp<tile::ExpandDimsOp>())
      value = expand.getValue();
    hasTwoAxes = cast<RankedTensorType>(value.getType()).getRank() == 2;
  }

  Value value;
  bool hasTwoAxes = false;
};

/// Addresses: base + numbers + rows[i] + j, in elements.
struct Places {
  Value base;
  SmallVector<Value> numbers;
  int64_t constant = 0;
  SmallVector<RowTerm> rows;
  bool hasColumns = false;
};

/// Where a mask is true: for all of `rows`, and j + first < bound.
struct Mask {
  struct End {
    Value bound;
    int64_t first = 0;
  };
  SmallVector<RowTerm> rows;
  SmallVector<End> ends;
};

class Reader {
public:
  /// `shape` is how many arrays there are, and their length.
  explicit Reader(ArrayRef<int64_t> shape) : shape(shape) {}

  bool readPointers(Value value, const Axes &axes, Places &places) {
    if (auto splat = value.getDefiningOp<tile::SplatOp>()) {
      places.base = splat.getValue();
      return true;
    }
    if (auto moved = value.getDefiningOp<tile::PtrAddOp>())
      return readPointers(moved.getPtr(), axes, places) &&
             readOffsets(moved.getOffset(), axes, places);
    Axes inner = axes;
    Value source = throughRenaming(value, inner);
    return source && readPointers(source, inner, places);
  }

  bool readMask(Value value, const Axes &axes, Mask &mask) {
    if (isAlong(value, axes, 0)) {
      mask.rows.push_back(value);
      return true;
    }
    if (auto both = value.getDefiningOp<arith::AndIOp>())
      return readMask(both.getLhs(), axes, mask) &&
             readMask(both.getRhs(), axes, mask);
    if (auto compare = value.getDefiningOp<arith::CmpIOp>())
      return readEnd(compare, axes, mask);
    Axes inner = axes;
    Value source = throughRenaming(value, inner);
    return source && readMask(source, inner, mask);
  }

private:
  static ArrayRef<int64_t> shapeOf(Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  }

  /// Whether only `axis` of the gathered tile has more than one element in
  /// `value`, and all of its own.
  bool isAlong(Value value, const Axes &axes, int64_t axis) const {
    for (auto [extent, own] : llvm::zip(shapeOf(value), axes))
      if (extent != (own == axis ? shape[axis] : 1))
        return false;
    return llvm::is_contained(axes, axis);
  }

  /// The operand of what only names elements anew, with its axes.
  static Value throughRenaming(Value value, Axes &axes) {
    if (auto expand = value.getDefiningOp<tile::ExpandDimsOp>()) {
      axes.erase(axes.begin() + expand.getAxis());
      return expand.getValue();
    }
    auto broadcast = value.getDefiningOp<tile::BroadcastOp>();
    return broadcast ? broadcast.getValue() : Value();
  }

  bool readOffsets(Value value, const Axes &axes, Places &places) {
    if (auto splat = value.getDefiningOp<tile::SplatOp>()) {
      places.numbers.push_back(splat.getValue());
      return true;
    }
    if (isAlong(value, axes, 0)) {
      places.rows.push_back(value);
      return true;
    }
    if (std::optional<int64_t> first = firstColumn(value, axes)) {
      bool isFirst = !places.hasColumns;
      places.hasColumns = true;
      places.constant += *first;
      return isFirst;
    }
    if (auto sum = value.getDefiningOp<arith::AddIOp>())
      return readOffsets(sum.getLhs(), axes, places) &&
             readOffsets(sum.getRhs(), axes, places);
    Axes inner = axes;
    Value source = throughRenaming(value, inner);
    return source && readOffsets(source, inner, places);
  }

  /// The number of column 0, if columns count on from there.
  std::optional<int64_t> firstColumn(Value value, const Axes &axes) const {
    if (value.getDefiningOp<tile::IotaOp>())
      return isAlong(value, axes, 1) ? std::optional<int64_t>(0) : std::nullopt;
    if (auto wider = value.getDefiningOp<arith::ExtSIOp>())
      return firstColumn(wider.getIn(), axes);
    if (auto wider = value.getDefiningOp<arith::ExtUIOp>())
      return firstColumn(wider.getIn(), axes);
    if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
      APInt number;
      auto first = firstColumn(sum.getLhs(), axes);
      if (!first || !isNumber(sum.getRhs(), number) || number.isNegative() ||
          number.getSExtValue() > kMostColumn - *first)
        return std::nullopt;
      return *first + number.getSExtValue();
    }
    Axes inner = axes;
    Value source = throughRenaming(value, inner);
    return source ? firstColumn(source, inner) : std::nullopt;
  }

  static bool isNumber(Value tile, APInt &number) {
    if (auto splat = tile.getDefiningOp<tile::SplatOp>())
      return matchPattern(splat.getValue(), m_ConstantInt(&number));
    return matchPattern(tile, m_ConstantInt(&number));
  }

  bool readEnd(arith::CmpIOp compare, const Axes &axes, Mask &mask) {
    Value columns = compare.getLhs(), bound = compare.getRhs();
    if (compare.getPredicate() == arith::CmpIPredicate::sgt)
      std::swap(columns, bound);
    else if (compare.getPredicate() != arith::CmpIPredicate::slt)
      return false;
    std::optional<int64_t> first = firstColumn(columns, axes);
    auto splat = bound.getDefiningOp<tile::SplatOp>();
    if (!first || !splat)
      return false;
    mask.ends.push_back({splat.getValue(), *first});
    return true;
  }

  ArrayRef<int64_t> shape;
};

class Rewriter {
public:
  Rewriter(tile::KernelOp kernel, tile::GatherOp gather,
           const machine::Limits &limits)
      : limits(limits), kernel(kernel), gather(gather),
        loop(dyn_cast<scf::ForOp>(gather->getParentOp())), builder(gather) {}

  void run() {
    if (!isCandidate())
      return;
    for (bool isTurned : {false, true})
      if (rewriteAs(isTurned))
        return;
  }

private:
  /// Of the dots of a loop alone, of what nobody writes.
  bool isCandidate() {
    auto type = dyn_cast<RankedTensorType>(gather.getResult().getType());
    if (!loop || !type || type.getRank() != 2 || !type.hasStaticShape() ||
        !type.getElementType().isIntOrFloat() ||
        type.getElementTypeBitWidth() % 8)
      return false;
    auto uses = tile::usesThroughRenaming(gather.getResult());
    bool feedsDots = llvm::all_of(uses, [&](OpOperand *use) {
      auto dot = dyn_cast<tile::DotOp>(use->getOwner());
      return dot && dot->getParentOp() == loop && use != &dot.getAccMutable();
    });
    return feedsDots && !uses.empty() && isZeroElsewhere() &&
           sched::isOnlyRead(gather);
  }

  /// Arrays along the tile's rows or, where it is turned, along its columns.
  bool rewriteAs(bool isTurned) {
    auto type = cast<RankedTensorType>(gather.getResult().getType());
    SmallVector<int64_t> shape(type.getShape());
    Axes axes = {0, 1};
    if (isTurned) {
      std::swap(shape[0], shape[1]);
      std::swap(axes[0], axes[1]);
    }
    if (!isInChunks(shape, type.getElementTypeBitWidth() / 8) ||
        (type.getElementTypeBitWidth() != 16 &&
         !goAlongSums(gather.getResult(), !isTurned)))
      return false;
    Reader reader(shape);
    Places places;
    Mask mask;
    if (!reader.readPointers(gather.getPtr(), axes, places) ||
        (gather.getMask() && !reader.readMask(gather.getMask(), axes, mask)) ||
        places.rows.empty() || !places.hasColumns)
      return false;
    auto isFixed = [&](const RowTerm &term) {
      return loop.isDefinedOutsideOfLoop(term.value);
    };
    bool isAnyMade = !llvm::all_of(places.rows, isFixed) ||
                     !llvm::all_of(mask.rows, isFixed);
    auto isRepeatable = [&](const RowTerm &term) {
      return canRepeat(term.value);
    };
    if (!llvm::all_of(places.rows, isRepeatable) ||
        !llvm::all_of(mask.rows, isRepeatable))
      return false;
    auto loaded = RankedTensorType::get(shape, type.getElementType());
    rewrite(loaded, places, mask, isAnyMade, isTurned);
    return true;
  }

  /// In what a thread copies at once, of a process that loads.
  bool isInChunks(ArrayRef<int64_t> shape, int64_t elementBytes) const {
    int64_t rowBytes = shape[1] * elementBytes;
    int64_t chunks = rowBytes / limits.accessBytes;
    return rowBytes % limits.accessBytes == 0 && chunks != 0 &&
           limits.threadsPerGroup % chunks == 0 &&
           shape[0] % (limits.threadsPerGroup / chunks) == 0;
  }

  /// Whether neighbours in memory, those along a tile's columns or along its
  /// rows, are neighbours along the sum of each product that reads it. Only of
  /// 16 bits does the unit of products take operands the other way, and a copy
  /// of several elements at once does not turn them.
  static bool goAlongSums(Value tile, bool alongColumns) {
    return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
      if (auto trans = dyn_cast<tile::TransOp>(use.getOwner()))
        return goAlongSums(trans.getResult(), !alongColumns);
      auto dot = dyn_cast<tile::DotOp>(use.getOwner());
      return dot && alongColumns == (use.getOperandNumber() == 0);
    });
  }

  bool isZeroElsewhere() {
    Value other = gather.getOther();
    if (!other || !gather.getMask())
      return true;
    if (auto splat = other.getDefiningOp<tile::SplatOp>())
      other = splat.getValue();
    return matchPattern(other, m_PosZeroFloat()) ||
           matchPattern(other, m_Zero());
  }

  //===--------------------------------------------------------------------===//
  // What the process that loads computes for itself
  //===--------------------------------------------------------------------===//

  /// Whether `value` can be computed again in another process: by operations
  /// that write nothing and read only what nobody writes.
  bool canRepeat(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return !isa<TensorType>(value.getType());
    if (known.contains(value))
      return true;
    bool isNumber = !isa<TensorType>(value.getType());
    if (isNumber && loop.isDefinedOutsideOfLoop(value))
      return true;
    bool isInside = def->getBlock() == loop.getBody();
    bool isRead = isa<tile::GatherOp, tile::LoadOp>(def);
    if ((!isInside && !loop.isDefinedOutsideOfLoop(value)) ||
        def->getNumRegions() || isa<tile::DotOp>(def) ||
        !(isRead ? sched::isOnlyRead(def) : isMemoryEffectFree(def)) ||
        !llvm::all_of(def->getOperands(),
                      [&](Value operand) { return canRepeat(operand); }))
      return false;
    known.insert(value);
    return true;
  }

  /// `value` with operations of its own, each marked as repeated and beside the
  /// one that it repeats.
  Value repeated(Value value, IRMapping &copies) {
    Operation *def = value.getDefiningOp();
    if (!def || (!isa<TensorType>(value.getType()) &&
                 loop.isDefinedOutsideOfLoop(value)))
      return value;
    if (Value copy = copies.lookupOrNull(value))
      return copy;
    for (Value operand : def->getOperands())
      copies.map(operand, repeated(operand, copies));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(def);
    Operation *copy = builder.clone(*def, copies);
    if (sched::isScheduled(copy))
      copy->setAttr(sched::kRepeated, builder.getUnitAttr());
    return copies.lookup(value);
  }

  //===--------------------------------------------------------------------===//
  // Build
  //===--------------------------------------------------------------------===//

  /// As a column.
  Value column(const RowTerm &term) {
    Location loc = gather.getLoc();
    if (!term.hasTwoAxes)
      return tile::ExpandDimsOp::create(builder, loc, columnType(term.value),
                                        term.value,
                                        builder.getI64IntegerAttr(1));
    auto type = cast<RankedTensorType>(term.value.getType());
    return type.getDimSize(1) == 1
               ? term.value
               : tile::TransOp::create(builder, loc, columnType(term.value),
                                       term.value,
                                       builder.getDenseI64ArrayAttr({1, 0}))
                     .getResult();
  }

  static RankedTensorType columnType(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return RankedTensorType::get({type.getNumElements(), 1},
                                 type.getElementType());
  }

  Value widened(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    auto wide = RankedTensorType::get(type.getShape(), builder.getI64Type());
    if (type == wide)
      return value;
    if (type.getElementType().isIndex())
      return arith::IndexCastOp::create(builder, gather.getLoc(), wide, value);
    return arith::ExtSIOp::create(builder, gather.getLoc(), wide, value);
  }

  /// Where each row begins.
  Value makeRows(const Places &places, const Mask &mask) {
    Location loc = gather.getLoc();
    Value sum;
    for (const RowTerm &term : places.rows) {
      Value one = widened(column(term));
      sum =
          sum ? arith::AddIOp::create(builder, loc, sum, one).getResult() : one;
    }
    if (mask.rows.empty())
      return sum;
    Value all;
    for (const RowTerm &term : mask.rows) {
      Value one = column(term);
      all =
          all ? arith::AndIOp::create(builder, loc, all, one).getResult() : one;
    }
    Value least = arith::ConstantOp::create(
        builder, loc,
        builder.getI64IntegerAttr(std::numeric_limits<int64_t>::min()));
    Value none = tile::SplatOp::create(builder, loc, sum.getType(), least);
    return arith::SelectOp::create(builder, loc, all, sum, none);
  }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, gather.getLoc(), value);
  }

  /// How many columns there are.
  Value makeEnd(int64_t columns, const Mask &mask) {
    Location loc = gather.getLoc();
    Value least = index(columns);
    for (const Mask::End &end : mask.ends) {
      Value bound = end.bound;
      if (!bound.getType().isIndex())
        bound = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                           bound);
      if (end.first)
        bound = arith::SubIOp::create(builder, loc, bound, index(end.first));
      least = arith::MinSIOp::create(builder, loc, least, bound);
    }
    return mask.ends.empty()
               ? least
               : arith::MaxSIOp::create(builder, loc, least, index(0));
  }

  Value makeBase(const Places &places) {
    Location loc = gather.getLoc();
    Value base = places.base;
    auto moveBy = [&](Value offset) {
      base = tile::PtrAddOp::create(builder, loc, base.getType(), base, offset);
    };
    for (Value number : places.numbers)
      moveBy(number);
    if (places.constant)
      moveBy(arith::ConstantOp::create(
          builder, loc, builder.getI64IntegerAttr(places.constant)));
    return base;
  }

  void rewrite(RankedTensorType type, const Places &places, const Mask &mask,
               bool isMade, bool isTurned) {
    Location loc = gather.getLoc();
    Value rows;
    if (isMade) {
      IRMapping copies;
      rows = repeated(makeRows(places, mask), copies);
    } else {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(loop);
      rows = makeRows(places, mask);
    }
    int64_t columns = type.getDimSize(1);
    auto viewType = tile::ViewType::get(
        builder.getContext(), {ShapedType::kDynamic, ShapedType::kDynamic},
        type.getElementType(), {1, 0});
    Value view = tile::MakeViewOp::create(
        builder, loc, viewType, makeBase(places),
        ValueRange{index(type.getDimSize(0)), makeEnd(columns, mask)},
        ValueRange{index(0), index(1)});
    Value zero = index(0);
    auto load = tile::LoadOp::create(builder, loc, type, view,
                                     ValueRange{zero, zero}, rows);
    load->setDiscardableAttrs(gather->getDiscardableAttrDictionary());
    Value result = load.getResult();
    if (isTurned)
      result =
          tile::TransOp::create(builder, loc, gather.getResult().getType(),
                                result, builder.getDenseI64ArrayAttr({1, 0}));
    gather.getResult().replaceAllUsesWith(result);
    gather.erase();
  }

  const machine::Limits &limits;
  tile::KernelOp kernel;
  tile::GatherOp gather;
  scf::ForOp loop;
  OpBuilder builder;
  DenseSet<Value> known; // that can be repeated
};

struct GatherRowsPass : heddle::impl::GatherRowsBase<GatherRowsPass> {
  using GatherRowsBase::GatherRowsBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    SmallVector<std::pair<tile::KernelOp, tile::GatherOp>> gathers;
    getOperation().walk([&](tile::KernelOp kernel) {
      kernel.walk(
          [&](tile::GatherOp gather) { gathers.push_back({kernel, gather}); });
    });
    if (gathers.empty())
      return markAllAnalysesPreserved();
    for (auto [kernel, gather] : gathers)
      Rewriter(kernel, gather, costs.limits).run();
  }
};

} // namespace
