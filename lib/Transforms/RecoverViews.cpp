//===- RecoverViews.cpp - Boxes of arrays behind pointers ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel that reads and writes through tiles of addresses. Out: the same
// through views made of its arguments, wherever the addresses are provably a
// box of one; views of what a launch knows are made before the instances, so
// that they can become tensor maps. What this rests on is asserted there.
// Accesses that stay as they are get a remark that says which fact is missing.
// Stands before `distribute`, which asks which instances share what they read.
//
//===----------------------------------------------------------------------===//

#include "Boxes.h"
#include "DividedPlaces.h"
#include "DropCarried.h"
#include "LaunchValues.h"
#include "LocalBoxes.h"
#include "SplitPlaces.h"
#include "WrappedAxes.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace heddle {
#define GEN_PASS_DEF_RECOVERVIEWS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// A view has an end along each axis; behind this one no 32-bit place lies. A
/// multiple of 16, so that rows of it are whole.
constexpr int64_t kNoEnd = (int64_t(1) << 31) - 16;

class Rewriter {
public:
  Rewriter(tile::KernelOp kernel, tile::ParallelOp parallel, bool mayAssume)
      : kernel(kernel), parallel(parallel), mayAssume(mayAssume), forms(kernel),
        signs(forms), values(kernel, parallel, forms),
        splitter(forms, signs, values, parallel) {}

  void run() {
    divideOncePerTile(forms, signs, values, parallel);
    parallel.walk([&](tile::MakeViewOp view) { makeAtLaunch(view); });
    parallel.walk([&](tile::StoreOp store) { statePlace(store); });
    parallel.walk([&](tile::DotOp dot) {
      Operation *loop = dot->getParentOfType<LoopLikeOpInterface>();
      multipliesInLoop |= loop && parallel->isProperAncestor(loop);
    });
    parallel.walk([&](Operation *op) { plan(op); });
    for (auto &[op, box] : boxes)
      rewrite(op, box);
    for (auto &[op, box] : localBoxes)
      rewrite(op, box);
    for (Operation *op : doomed)
      op->erase();
    for (const Signs::Demand &demand : demands)
      assertDemand(demand);
  }

private:
  void makeAtLaunch(tile::MakeViewOp view);
  void addDemands(const std::vector<Signs::Demand> &more);
  bool isKnown(const std::vector<Signs::Demand> &rests) const {
    return mayAssume || rests.empty();
  }
  bool isKnown(const Box &box) const {
    return isKnown(box.demands) && (mayAssume || box.questions.empty());
  }
  void statePlace(tile::StoreOp store);
  void plan(Operation *op);
  bool planBox(Operation *op, std::string &reason);
  bool planSplit(tile::GatherOp gather);
  bool writesTo(Value base);
  Value usedPart(Value mask, tile::GatherOp gather);
  void rewrite(Operation *op, const Box &box);
  void rewrite(Operation *op, const LocalBox &box);
  void accessView(Operation *op, Value view, ValueRange offsets,
                  ArrayRef<int64_t> kept, bool needsSelect);
  Value readBox(tile::GatherOp gather, Value view, ValueRange offsets,
                ArrayRef<int64_t> kept, bool needsSelect);
  Value keepAxes(OpBuilder &builder, Location loc, Value tile,
                 ArrayRef<int64_t> kept);
  Value viewOf(Operation *op, const Box &box);
  SmallVector<Value> offsetsOf(OpBuilder &builder, Location loc,
                               const Box &box);
  void endOnDevice(OpBuilder &builder, Location loc, const Box::DeviceEnd &end,
                   SmallVectorImpl<Value> &offsets);
  Value endOf(OpBuilder &builder, Location loc, const Box::Axis &axis);
  Value build(OpBuilder &builder, Location loc, const Polynomial &polynomial,
              bool isAtLaunch) {
    return values.build(builder, loc, polynomial, isAtLaunch);
  }
  void assertDemand(const Signs::Demand &demand);
  void ask(Operation *access, const Box &box, const Box::Question &question);

  tile::KernelOp kernel;
  tile::ParallelOp parallel;
  bool mayAssume;
  AddressForms forms;
  Signs signs;
  LaunchValues values;
  PlaceSplitter splitter;
  std::vector<std::pair<Operation *, Box>> boxes;
  std::vector<std::pair<Operation *, LocalBox>> localBoxes;
  /// Whether a loop multiplies, whose operands come through rings.
  bool multipliesInLoop = false;
  /// Of a gather: what of its mask matters to what the program writes.
  llvm::DenseMap<Operation *, Value> usedMasks;
  SmallVector<Operation *> doomed;
  std::vector<Signs::Demand> demands;
  std::vector<std::pair<Box, Value>> views;
  std::vector<std::pair<Operation *, Polynomial>> asked;
};

/// The loops around `op` and inside the instance or a conditional, innermost
/// first: what none of them changes can be asked about in front of the last.
SmallVector<scf::ForOp> loopsAround(Operation *op) {
  SmallVector<scf::ForOp> loops;
  while (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    loops.push_back(loop);
    op = loop;
  }
  return loops;
}

/// Whether a loop accesses memory here again and again, and a question to the
/// device would not be in one, where it is known whether they are idle.
bool canAskBefore(Operation *op) {
  SmallVector<scf::ForOp> loops = loopsAround(op);
  return !loops.empty() &&
         !loops.back()->getParentOfType<LoopLikeOpInterface>() &&
         llvm::all_of(loops, [&](scf::ForOp loop) {
           return loops.back().isDefinedOutsideOfLoop(loop.getLowerBound()) &&
                  loops.back().isDefinedOutsideOfLoop(loop.getUpperBound());
         });
}

/// A view that the program makes itself, of an argument's memory: what only the
/// device knows of its beginning becomes axes, so that a launch can make it.
void Rewriter::makeAtLaunch(tile::MakeViewOp view) {
  std::optional<Form> form = forms.formOf(view.getPtr());
  auto isHost = [&](Value value) { return forms.isHost(value); };
  auto isAccess = [](Operation *user) {
    return isa<tile::LoadOp, tile::StoreOp, tile::ViewReduceOp>(user);
  };
  if (!form || !isa<BlockArgument>(form->base) ||
      form->base.getParentBlock() != &kernel.getEntry() ||
      !llvm::all_of(view.getExtents(), isHost) ||
      !llvm::all_of(view.getStrides(), isHost))
    return;
  BoxFinder finder(forms, signs,
                   llvm::any_of(view.getResult().getUsers(), canAskBefore));
  std::optional<Box> box = finder.findBeginning(*form);
  int64_t leading = box ? box->axes.size() : 0;
  tile::ViewType type = view.getResult().getType();
  if (!box || leading + type.getRank() > BoxFinder::kMostAxes ||
      (leading && !llvm::all_of(view.getResult().getUsers(), isAccess)) ||
      !isKnown(*box))
    return;
  addDemands(box->demands);
  for (const Box::Question &question : box->questions)
    ask(view, *box, question);
  for (auto [end, stride] : llvm::zip(view.getExtents(), view.getStrides()))
    box->axes.push_back({{forms.scalar(end)}, forms.scalar(stride), {}});
  for (int64_t axis : type.getOrder())
    box->order.push_back(leading + axis);
  for (int64_t axis = leading; axis-- > 0;)
    box->order.push_back(axis);
  Value made = viewOf(view, *box);
  OpBuilder builder(view);
  SmallVector<Value> first = llvm::to_vector(
      ArrayRef(offsetsOf(builder, view.getLoc(), *box)).take_front(leading));
  for (Operation *user :
       llvm::make_early_inc_range(view.getResult().getUsers())) {
    if (!leading)
      continue;
    if (auto load = dyn_cast<tile::LoadOp>(user)) {
      SmallVector<Value> offsets = first;
      llvm::append_range(offsets, load.getOffsets());
      load.getOffsetsMutable().assign(offsets);
      continue;
    }
    user->insertOperands(user->getNumOperands() - type.getRank(), first);
  }
  view.getResult().replaceAllUsesWith(made);
  doomed.push_back(view);
}

void Rewriter::addDemands(const std::vector<Signs::Demand> &more) {
  for (const Signs::Demand &demand : more)
    if (!llvm::is_contained(demands, demand))
      demands.push_back(demand);
}

/// `offset`, said not to be negative: a store by TMA must not begin before its
/// view, and whoever makes one cannot prove again what a launch checks.
static Value notNegative(OpBuilder &builder, Location loc, Value offset) {
  return arith::MaxSIOp::create(
      builder, loc, offset, arith::ConstantIndexOp::create(builder, loc, 0));
}

/// The same of a store that the program makes through a view.
void Rewriter::statePlace(tile::StoreOp store) {
  OpOperand &last =
      store.getOffsetsMutable()[store.getView().getType().getOrder().front()];
  std::vector<Signs::Demand> needed;
  if (!signs.isNotNegative(forms.scalar(last.get()), needed) ||
      !isKnown(needed))
    return;
  addDemands(needed);
  OpBuilder builder(store);
  last.set(notNegative(builder, store.getLoc(), last.get()));
}

//===----------------------------------------------------------------------===//
// Decide
//===----------------------------------------------------------------------===//

void Rewriter::plan(Operation *op) {
  std::string reason;
  if (!planBox(op, reason) && !reason.empty())
    report(op, diag::not_a_view)
        << "these addresses are not read as a box of an array: " << reason;
}

/// Whether the kernel may write to the memory of the argument `base`.
bool Rewriter::writesTo(Value base) {
  auto baseOf = [&](Value address) {
    if (auto view = address.getDefiningOp<tile::MakeViewOp>())
      address = view.getPtr();
    std::optional<Form> form = forms.formOf(address);
    return form ? form->base : Value();
  };
  return parallel
      .walk([&](Operation *op) {
        if (op->getNumRegions() || !hasEffect<MemoryEffects::Write>(op))
          return WalkResult::advance();
        for (Value operand : op->getOperands()) {
          Type type = getElementTypeOrSelf(operand.getType());
          if (!isa<tile::PtrType, tile::ViewType>(type))
            continue;
          Value written =
              isa<BlockArgument>(operand) ? operand : baseOf(operand);
          if (!written || written == base)
            return WalkResult::interrupt();
        }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Places that are divided, with one axis more; false, and all is as before, if
/// no box comes of it. What a row has of them is cheap to read.
bool Rewriter::planSplit(tile::GatherOp gather) {
  auto type = cast<RankedTensorType>(gather.getPtr().getType());
  if (!multipliesInLoop || type.getRank() == BoxFinder::kMostAxes ||
      llvm::count_if(type.getShape(), [](int64_t n) { return n > 1; }) < 2)
    return false;
  std::optional<PlaceSplitter::Result> split = splitter.split(gather);
  if (!split || !isKnown(split->demands))
    return false;
  // What the elements are used for decides, too.
  gather.getResult().replaceAllUsesWith(split->joined.getResult());
  std::string ignored;
  if (!planBox(split->gather, ignored)) {
    split->joined.getResult().replaceAllUsesWith(gather.getResult());
    return false;
  }
  addDemands(split->demands);
  doomed.push_back(gather);
  return true;
}

/// Else `reason` says which fact is missing; nothing if `op` is no access that
/// a view could make.
bool Rewriter::planBox(Operation *op, std::string &reason) {
  Value pointers, mask;
  bool isWrite = true;
  if (auto gather = dyn_cast<tile::GatherOp>(op)) {
    pointers = gather.getPtr();
    mask = gather.getMask();
    isWrite = false;
  } else if (auto scatter = dyn_cast<tile::ScatterOp>(op)) {
    pointers = scatter.getPtr();
    mask = scatter.getMask();
  } else if (auto update = dyn_cast<tile::AtomicRmwOp>(op)) {
    if (!update.getResult().use_empty() ||
        update.getKind() == tile::RmwKind::Exchange ||
        update.getScope() == tile::Scope::System || tile::synchronises(op))
      return false; // an update of a view promises less
    pointers = update.getPtr();
    mask = update.getMask();
  }
  auto type = pointers ? dyn_cast<RankedTensorType>(pointers.getType())
                       : RankedTensorType();
  if (!type || type.getNumElements() == 1)
    return false;
  auto isWritten = [&](Value base) { return writesTo(base); };
  BoxFinder finder(forms, signs, !isWrite && canAskBefore(op), isWritten);
  std::optional<Box> box = finder.find(pointers, mask, isWrite, reason);
  if (box && !isKnown(*box)) {
    reason = "nothing is assumed of arguments";
    box.reset();
  }
  if (box && box->needsSelect && isWrite)
    box.reset();
  if (box)
    for (const Form &wrap : box->wraps)
      if (!isUnusedBeyond(op->getResult(0), wrap, forms)) {
        reason = "they wrap around, and what is read twice is used";
        box.reset();
      }
  if (!box) {
    std::string ignored;
    auto local = multipliesInLoop
                     ? findLocalBox(forms, pointers, mask, isWrite, ignored)
                     : std::nullopt;
    if (local && local->needsSelect && isWrite)
      local.reset();
    if (!local) {
      auto gather = dyn_cast<tile::GatherOp>(op);
      return gather && !forms.formOf(pointers) && planSplit(gather);
    }
    report(op, diag::view_not_at_launch)
        << "threads copy this tile, because a launch cannot make its view: "
        << reason;
    if (auto gather = dyn_cast<tile::GatherOp>(op); gather && mask)
      usedMasks[op] = usedPart(mask, gather);
    localBoxes.push_back({op, std::move(*local)});
    return true;
  }
  addDemands(box->demands);
  if (auto gather = dyn_cast<tile::GatherOp>(op); gather && mask)
    usedMasks[op] = usedPart(mask, gather);
  boxes.push_back({op, std::move(*box)});
  return true;
}

/// `mask` without what excludes only elements that nothing written depends on,
/// such as rows behind the last; nothing if all of it does.
Value Rewriter::usedPart(Value mask, tile::GatherOp gather) {
  auto isUnused = [&](const Form &condition) {
    auto isOther = [](const Polynomial &factor) { return !factor.isZero(); };
    return llvm::count_if(condition.factors, isOther) == 1 &&
           isUnusedBeyond(gather.getResult(), condition, forms);
  };
  auto conditions = forms.conditionsOf(mask);
  if (conditions && !conditions->empty() && llvm::all_of(*conditions, isUnused))
    return Value();
  auto both = mask.getDefiningOp<arith::AndIOp>();
  if (!both)
    return mask;
  Value left = usedPart(both.getLhs(), gather),
        right = usedPart(both.getRhs(), gather);
  if (!left || !right)
    return left ? left : right;
  if (left == both.getLhs() && right == both.getRhs())
    return mask;
  OpBuilder builder(both);
  return arith::AndIOp::create(builder, both.getLoc(), left, right);
}

//===----------------------------------------------------------------------===//
// Build
//===----------------------------------------------------------------------===//

Value Rewriter::endOf(OpBuilder &builder, Location loc, const Box::Axis &axis) {
  Value end;
  for (const Polynomial &one : axis.ends) {
    Value number = build(builder, loc, one, /*isAtLaunch=*/true);
    end = end ? arith::MinSIOp::create(builder, loc, end, number).getResult()
              : number;
  }
  return end ? end : arith::ConstantIndexOp::create(builder, loc, kNoEnd);
}

static bool isSameView(const Box &a, const Box &b) {
  auto isSame = [](const Box::Axis &a, const Box::Axis &b) {
    return a.ends == b.ends && a.stride == b.stride;
  };
  return a.base == b.base && a.start == b.start && a.moved.isZero() &&
         b.moved.isZero() && a.order == b.order &&
         llvm::equal(a.axes, b.axes, isSame);
}

Value Rewriter::viewOf(Operation *op, const Box &box) {
  for (auto &[other, view] : views)
    if (isSameView(other, box))
      return view;
  Location loc = op->getLoc();
  OpBuilder builder(parallel);
  Value pointer = box.base;
  if (!box.start.isZero())
    pointer = tile::PtrAddOp::create(builder, loc, pointer,
                                     build(builder, loc, box.start, true));
  SmallVector<Value> ends, strides;
  for (const Box::Axis &axis : box.axes) {
    ends.push_back(endOf(builder, loc, axis));
    strides.push_back(build(builder, loc, axis.stride, true));
  }
  if (!box.moved.isZero()) {
    builder.setInsertionPoint(op);
    pointer = tile::PtrAddOp::create(
        builder, loc, pointer, values.buildDistance(builder, loc, box.moved));
  }
  SmallVector<int64_t> shape(box.axes.size(), ShapedType::kDynamic);
  Type element = cast<tile::PtrType>(pointer.getType()).getElementType();
  auto type = tile::ViewType::get(op->getContext(), shape, element, box.order);
  auto view =
      tile::MakeViewOp::create(builder, loc, type, pointer, ends, strides);
  if (box.deviceEnd)
    view.setFarAxis(0);
  views.push_back({box, view});
  return view;
}

SmallVector<Value> Rewriter::offsetsOf(OpBuilder &builder, Location loc,
                                       const Box &box) {
  SmallVector<Value> offsets =
      llvm::map_to_vector(box.axes, [&](const Box::Axis &axis) {
        return build(builder, loc, axis.offset, /*isAtLaunch=*/false);
      });
  if (box.deviceEnd)
    endOnDevice(builder, loc, *box.deviceEnd, offsets);
  return offsets;
}

/// Places of a tile that ends where the device knows (Boxes.cpp).
void Rewriter::endOnDevice(OpBuilder &builder, Location loc,
                           const Box::DeviceEnd &end,
                           SmallVectorImpl<Value> &offsets) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  Value count = number(end.extent);
  for (const Polynomial &bound : end.bounds)
    count = arith::MinSIOp::create(builder, loc, count,
                                   values.buildDistance(builder, loc, bound));
  count = arith::MaxSIOp::create(builder, loc, count, number(0));
  count =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), count);
  Value far = arith::ConstantIndexOp::create(builder, loc, BoxFinder::kFarEnd);
  offsets[0] = far;
  offsets[1] = arith::AddIOp::create(builder, loc, offsets[1], count);
  offsets[end.axis] = arith::SubIOp::create(builder, loc, far, count);
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// The axes that are the array's.
static RankedTensorType keptType(RankedTensorType type,
                                 ArrayRef<int64_t> kept) {
  SmallVector<int64_t> shape;
  for (int64_t axis : kept)
    shape.push_back(type.getDimSize(axis));
  return RankedTensorType::get(shape, type.getElementType());
}

Value Rewriter::readBox(tile::GatherOp gather, Value view, ValueRange offsets,
                        ArrayRef<int64_t> kept, bool needsSelect) {
  OpBuilder builder(gather);
  Location loc = gather.getLoc();
  auto type = cast<RankedTensorType>(gather.getResult().getType());
  Value tile =
      tile::LoadOp::create(builder, loc, keptType(type, kept), view, offsets);
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (llvm::is_contained(kept, axis))
      continue;
    auto now = cast<RankedTensorType>(tile.getType());
    SmallVector<int64_t> shape(now.getShape());
    shape.insert(shape.begin() + axis, 1);
    tile =
        tile::ExpandDimsOp::create(builder, loc, now.clone(shape), tile, axis);
  }
  if (tile.getType() != type)
    tile = tile::BroadcastOp::create(builder, loc, type, tile);
  Value other = gather.getOther();
  auto splat = other ? other.getDefiningOp<tile::SplatOp>() : tile::SplatOp();
  bool isZero =
      !other || (splat && (matchPattern(splat.getValue(), m_Zero()) ||
                           matchPattern(splat.getValue(), m_PosZeroFloat())));
  if (!gather.getMask() || (isZero && !needsSelect))
    return tile;
  if (!other) {
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    other = tile::SplatOp::create(builder, loc, type, zero);
  }
  Value mask = usedMasks.lookup(gather);
  return mask ? arith::SelectOp::create(builder, loc, mask, tile, other) : tile;
}

/// `tile` without the axes of extent 1 that the array does not have.
Value Rewriter::keepAxes(OpBuilder &builder, Location loc, Value tile,
                         ArrayRef<int64_t> kept) {
  auto type = cast<RankedTensorType>(tile.getType());
  RankedTensorType shape = keptType(type, kept);
  return shape == type ? tile
                       : tile::ReshapeOp::create(builder, loc, shape, tile);
}

void Rewriter::rewrite(Operation *op, const Box &box) {
  for (const Box::Question &question : box.questions)
    ask(op, box, question);
  Value view = viewOf(op, box);
  OpBuilder builder(op);
  SmallVector<Value> offsets = offsetsOf(builder, op->getLoc(), box);
  if (isa<tile::ScatterOp>(op)) {
    Value &last = offsets[box.order.front()];
    last = notNegative(builder, op->getLoc(), last);
  }
  accessView(op, view, offsets, box.kept, box.needsSelect);
}

void Rewriter::rewrite(Operation *op, const LocalBox &box) {
  OpBuilder builder(op);
  PlacedView made = makeView(builder, op->getLoc(), values, box);
  accessView(op, made.view, made.offsets, box.kept, box.needsSelect);
}

void Rewriter::accessView(Operation *op, Value view, ValueRange offsets,
                          ArrayRef<int64_t> kept, bool needsSelect) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto gather = dyn_cast<tile::GatherOp>(op))
    gather.getResult().replaceAllUsesWith(
        readBox(gather, view, offsets, kept, needsSelect));
  else if (auto scatter = dyn_cast<tile::ScatterOp>(op))
    tile::StoreOp::create(builder, loc,
                          keepAxes(builder, loc, scatter.getValue(), kept),
                          view, offsets);
  else if (auto update = dyn_cast<tile::AtomicRmwOp>(op))
    tile::ViewReduceOp::create(builder, loc, update.getKind(),
                               keepAxes(builder, loc, update.getValue(), kept),
                               view, offsets);
  doomed.push_back(op);
}

/// A launch that breaks this takes another variant.
void Rewriter::assertDemand(const Signs::Demand &demand) {
  Location loc = kernel.getLoc();
  OpBuilder builder(parallel);
  Value least = build(builder, loc, demand.least, true);
  Value most = build(builder, loc, demand.most, true);
  BoxFinder spelling(forms, signs);
  std::string claim = spelling.spell(demand.most) + " is ";
  Value holds;
  if (demand.divisor) {
    Value divisor =
        arith::ConstantIndexOp::create(builder, loc, demand.divisor);
    Value rest = arith::RemSIOp::create(builder, loc, most, divisor);
    holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                                  least);
    claim += "a multiple of " + std::to_string(demand.divisor);
  } else {
    holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                  least, most);
    claim += spelling.spell(demand.least) + " at least";
  }
  tile::AssertOp::create(builder, loc, holds, claim, /*assumed=*/true);
}

/// The device stops where a place that it reads from memory is not in an array
/// that begins at the argument, as long as it is accessed at all.
void Rewriter::ask(Operation *access, const Box &box,
                   const Box::Question &question) {
  SmallVector<scf::ForOp> loops = loopsAround(access);
  Operation *point = loops.empty() ? access : loops.back();
  std::pair<Operation *, Polynomial> key(point, question.place);
  if (llvm::is_contained(asked, key))
    return;
  asked.push_back(key);
  Location loc = access->getLoc();
  OpBuilder builder(point);
  Value place = values.buildDistance(builder, loc, question.place);
  Value end = arith::ConstantOp::create(builder, loc,
                                        builder.getI64IntegerAttr(kNoEnd));
  // Unsigned, so that it is not negative either.
  Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                      place, end);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    Value isIdle =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                              loop.getLowerBound(), loop.getUpperBound());
    holds = arith::OrIOp::create(builder, loc, isIdle, holds);
  }
  BoxFinder spelling(forms, signs);
  std::string argument =
      kernel.getArgName(cast<BlockArgument>(box.base).getArgNumber());
  tile::AssertOp::create(builder, loc, holds,
                         argument + " is read at a multiple of " +
                             spelling.spell(question.stride) +
                             " from 0 to 2^31 - 17",
                         /*assumed=*/true);
}

struct RecoverViewsPass : heddle::impl::RecoverViewsBase<RecoverViewsPass> {
  using RecoverViewsBase::RecoverViewsBase;

  void runOnOperation() override {
    getOperation().walk([&](tile::KernelOp kernel) {
      auto parallels = kernel.getOps<tile::ParallelOp>();
      if (!llvm::hasSingleElement(parallels))
        return;
      Rewriter(kernel, *parallels.begin(), assume).run();
      dropCarried(kernel);
    });
  }
};

} // namespace
