//===- WholeTiles.cpp - Loops whose tiles end in their views ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a tile begins, how much of its view is left and whether its rows are
// aligned takes a hundred instructions an iteration, in each thread alike, and
// its chunks take ten. All of it follows from the first iteration where numbers
// grow by steps that stay.
//
// It comes behind the proof that 32 bits of every index are enough, which reads
// the loops as they were. Waits, copies and arrivals come in their order, as
// often as before.
//
//===----------------------------------------------------------------------===//

#include "WholeTiles.h"

#include "MovingCopies.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using heddle::hopper::kAccessBytes;

namespace heddle::tonvvm {

namespace {

/// Makes two loops of one.
class Splitter {
public:
  Splitter(scf::ForOp loop, MutableArrayRef<MovingCopy> copies,
           MovingCopies &moving)
      : loop(loop), copies(copies), moving(moving), builder(loop),
        entry(builder, loop), loc(loop.getLoc()) {}

  void split();

private:
  Value findFirst(MovingCopy &copy);
  void demandAligned(MovingCopy &copy, Value place, Value step);
  void makeWholeLoop(Value count);
  void copyWhole(MovingCopy &copy, Value place, IRMapping &mapping);
  Value isAligned(Value number);
  void encloseLoop();
  Value pointBehind(Value count);
  Value afterSteps(Value first, Value count, Value step);

  scf::ForOp loop, whole;
  scf::WhileOp around; ///< where tiles may be whole again
  MutableArrayRef<MovingCopy> copies;
  MovingCopies &moving;
  OpBuilder builder;
  LoopEntry entry;
  Location loc;
  SmallVector<unsigned> claims;     ///< of all copies
  SmallVector<Value> places, steps; ///< of each
};

} // namespace

/// Where the tile begins in the first iteration.
Value Splitter::findFirst(MovingCopy &copy) {
  Value place = entry.first(copy.view.getPtr());
  for (auto [axis, offset] : llvm::enumerate(copy.copy.getOffsets()))
    if (constantOf(offset) != 0) {
      Value stride = entry.wide(strideOf(copy.view, int64_t(axis)));
      place = tile::PtrAddOp::create(
          builder, loc, place,
          arith::MulIOp::create(builder, loc, entry.wide(offset), stride));
    }
  return place;
}

/// Whether a number of bytes is a multiple of a chunk's.
Value Splitter::isAligned(Value bytes) {
  Value rest = arith::AndIOp::create(builder, loc, bytes,
                                     entry.number(kAccessBytes - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                               entry.number(0));
}

/// Demands that all chunks of all tiles begin at multiples of their size.
void Splitter::demandAligned(MovingCopy &copy, Value place, Value step) {
  int64_t bytes = copy.elementBytes();
  Value first =
      tile::PtrToIntOp::create(builder, loc, builder.getI64Type(), place);
  entry.demand(isAligned(first));
  auto demandOf = [&](Value elements) {
    entry.demand(isAligned(
        arith::MulIOp::create(builder, loc, elements, entry.number(bytes))));
  };
  auto isAlways = [&](const Motion::Term &term) {
    return term.factor % (kAccessBytes / bytes) == 0;
  };
  if (!llvm::all_of(copy.motion.step, isAlways))
    demandOf(step);
  tile::ViewType type = copy.view.getType();
  int64_t slow = type.getTileOrder(2)[1] + type.getRank() - 2;
  demandOf(entry.wide(strideOf(copy.view, slow)));
}

/// The same copy of a view that begins at `place` and is as large as the tile.
void Splitter::copyWhole(MovingCopy &copy, Value place, IRMapping &mapping) {
  hopper::SmemType tile = copy.copy.getTile().getType();
  tile::ViewType type = copy.view.getType();
  int64_t missing = type.getRank() - 2;
  SmallVector<Value> extents, strides, offsets;
  for (int64_t axis = 0; axis < 2; ++axis) {
    extents.push_back(
        arith::ConstantIndexOp::create(builder, loc, tile.getShape()[axis]));
    strides.push_back(entry.first(copy.view.getStrides()[missing + axis]));
    offsets.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  }
  auto viewType = tile::ViewType::get(
      builder.getContext(), {ShapedType::kDynamic, ShapedType::kDynamic},
      type.getElementType(), type.getTileOrder(2));
  Value view =
      tile::MakeViewOp::create(builder, loc, viewType, place, extents, strides);
  auto made = cast<hopper::CopyOp>(builder.clone(*copy.copy, mapping));
  made.getViewMutable().assign(view);
  made.getOffsetsMutable().assign(offsets);
  made->setAttr(kWholeAttr, builder.getUnitAttr());
}

static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// `count` iterations from the first one on; carries the places of the tiles
/// behind what the loop carries.
void Splitter::makeWholeLoop(Value count) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  SmallVector<Value> carried(loop.getInitArgs());
  llvm::append_range(carried, places);
  // What is read in the loop stands in front of it.
  for (MovingCopy &copy : copies)
    for (Value stride : copy.view.getStrides())
      entry.first(stride);
  // Nothing is divided in it whose quotients are known.
  llvm::DenseMap<Operation *, int64_t> quotients;
  for (Operation &op : *loop.getBody())
    if (isDivision(&op))
      if (auto step = moving.findStep(op.getResult(0), claims)) {
        quotients[&op] = *step;
        entry.first(op.getResult(0));
      }
  whole = scf::ForOp::create(builder, loc, constant(0), count, constant(1),
                             carried);
  whole->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(whole.getBody());
  IRMapping mapping;
  mapping.map(loop.getRegionIterArgs(),
              whole.getRegionIterArgs().take_front(loop.getNumResults()));
  mapping.map(loop.getInductionVar(), pointBehind(whole.getInductionVar()));
  ArrayRef<BlockArgument> here = whole.getRegionIterArgs();
  here = here.drop_front(loop.getNumResults());
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto *planned = llvm::find_if(
        copies, [&](MovingCopy &copy) { return copy.copy == &op; });
    if (auto known = quotients.find(&op); known != quotients.end()) {
      Value first = entry.first(op.getResult(0));
      Value step = arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(first.getType(), known->second));
      mapping.map(op.getResult(0),
                  afterSteps(first, whole.getInductionVar(), step));
    } else if (planned == copies.end())
      builder.clone(op, mapping);
    else
      copyWhole(*planned, here[planned - copies.begin()], mapping);
  }
  SmallVector<Value> next;
  for (Value yielded : loop.getYieldedValues())
    next.push_back(mapping.lookupOrDefault(yielded));
  for (auto [place, step] : llvm::zip(here, steps))
    next.push_back(tile::PtrAddOp::create(builder, loc, place, step));
  scf::YieldOp::create(builder, loc, next);
  eraseUnused(*whole.getBody());
}

/// A number that grows by `step`, `count` iterations behind `first`.
Value Splitter::afterSteps(Value first, Value count, Value step) {
  Type type = first.getType();
  if (type.isIndex())
    count = arith::IndexCastOp::create(builder, loc, type, count);
  else if (type != count.getType())
    count = arith::ExtSIOp::create(builder, loc, type, count);
  Value distance = arith::MulIOp::create(builder, loc, count, step);
  return arith::AddIOp::create(builder, loc, first, distance);
}

/// The loop's number `count` iterations behind the first one, i32.
Value Splitter::pointBehind(Value count) {
  return afterSteps(loop.getLowerBound(), count, loop.getStep());
}

/// Puts the loop into another one, which goes on where it ended.
void Splitter::encloseLoop() {
  SmallVector<Value> carried{loop.getLowerBound()};
  llvm::append_range(carried, loop.getInitArgs());
  SmallVector<Type> types(ValueRange(carried).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  around = scf::WhileOp::create(builder, loc, types, carried);
  Block *before = builder.createBlock(&around.getBefore(), {}, types, locs);
  Value goesOn =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            before->getArgument(0), loop.getUpperBound());
  scf::ConditionOp::create(builder, loc, goesOn, before->getArguments());
  Block *after = builder.createBlock(&around.getAfter(), {}, types, locs);
  loop->replaceAllUsesWith(around.getResults().drop_front());
  loop->moveBefore(after, after->end());
  loop.setLowerBound(after->getArgument(0));
  loop.getInitArgsMutable().assign(after->getArguments().drop_front());
  builder.setInsertionPoint(loop);
}

void Splitter::split() {
  for (MovingCopy &copy : copies)
    for (unsigned claim : copy.motion.claims)
      if (!llvm::is_contained(claims, claim))
        claims.push_back(claim);
  bool recurs = llvm::any_of(claims, [&](unsigned claim) {
    return bool(moving.claim(claim).divisor);
  });
  if (recurs)
    encloseLoop();
  for (MovingCopy &copy : copies) {
    places.push_back(findFirst(copy));
    steps.push_back(entry.step(copy.motion));
    demandAligned(copy, places.back(), steps.back());
  }
  for (unsigned claim : claims)
    entry.demand(moving.claim(claim));
  Value count = entry.count();
  makeWholeLoop(count);
  Value behind = pointBehind(count);
  ValueRange carried = whole.getResults().take_front(loop.getNumResults());
  if (recurs) {
    // Whole tiles, or others up to where they may be whole again.
    Value others = pointBehind(entry.countOthers(count));
    Value next = arith::MaxSIOp::create(builder, loc, behind, others);
    loop.setUpperBound(
        arith::MinSIOp::create(builder, loc, next, loop.getUpperBound()));
    builder.setInsertionPointAfter(loop);
    SmallVector<Value> results{next};
    llvm::append_range(results, loop.getResults());
    scf::YieldOp::create(builder, loc, results);
  }
  loop.setLowerBound(behind);
  loop.getInitArgsMutable().assign(carried);
}

/// Innermost, and of threads that only copy: what multiplies beside it hides
/// what is asked.
static bool isOfCopies(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  std::optional<int64_t> step = constantOf(loop.getStep());
  if (loop.getUnsignedCmp() ||
      !(type.isIndex() || type.isInteger(32) || type.isInteger(64)) || !step ||
      *step < 1)
    return false;
  return !loop.getBody()
              ->walk([](Operation *op) {
                bool isOther = isa<LoopLikeOpInterface>(op) ||
                               isa<hopper::WgmmaOp, tile::DotOp>(op);
                return isOther ? WalkResult::interrupt()
                               : WalkResult::advance();
              })
              .wasInterrupted();
}

void splitWholeTiles(hopper::ProcessOp process) {
  if (process.getElected())
    return;
  SmallVector<scf::ForOp> loops;
  process.walk([&](scf::ForOp loop) {
    if (isOfCopies(loop))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    MovingCopies moving(loop, int64_t(process.getWarps()) * 32);
    SmallVector<MovingCopy> copies;
    for (auto copy : loop.getBody()->getOps<hopper::CopyOp>())
      if (auto found = moving.find(copy))
        copies.push_back(*found);
    if (!copies.empty())
      Splitter(loop, copies, moving).split();
  }
}

} // namespace heddle::tonvvm
