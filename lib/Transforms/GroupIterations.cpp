//===- GroupIterations.cpp - Several iterations' loads under way together --===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an innermost loop without products that loads from places which another
// load of the iteration names. Each iteration waits for memory twice. Out: a
// loop over groups of iterations, in which all of a group's first loads are
// issued, then all that depend on these, and only then each iteration's
// results, in the old order. Iterations behind the end load nothing, store
// nothing and leave what the loop carries as it is, so the results have the
// same bits. What is alike in all iterations is loaded once, in front of the
// loop.
//
// Runs before the pass that names operations, since a group has several of
// each. Loops with products get rings instead.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace heddle {
#define GEN_PASS_DEF_GROUPITERATIONS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

constexpr int64_t kLanes = 32;

bool isLoad(Operation *op) { return isa<tile::LoadOp, tile::GatherOp>(op); }

/// Whether all that it needs are its operands.
bool isReduction(Operation *op) {
  auto reduce = dyn_cast<tile::ReduceOp>(op);
  SetVector<Value> above;
  if (reduce)
    getUsedValuesDefinedAbove(reduce.getCombiner(), above);
  return reduce && above.empty();
}

class Grouper {
public:
  Grouper(scf::ForOp loop, const machine::Costs::Rows &costs)
      : loop(loop), costs(costs) {}

  void run() {
    if (!collect())
      return;
    hoistInvariants();
    findZeros();
    iterations = chooseIterations();
    if (iterations > 1)
      rewrite();
  }

private:
  bool collect();
  bool mayStore() const;
  void hoistInvariants();
  void findZeros();
  int64_t chooseIterations() const;
  void rewrite();
  bool isUnchangedOutside(unsigned carried) const;
  Value countLeft(OpBuilder &builder, Value place);
  void cloneMasked(OpBuilder &builder, Operation &op, Value inside,
                   IRMapping &values) const;

  scf::ForOp loop;
  const machine::Costs::Rows &costs;
  /// What needs nothing that the loop carries, and the rest.
  SmallVector<Operation *> early, late;
  /// What is 0 in an iteration behind the end, whose loads give zeros.
  DenseSet<Value> zeros;
  int64_t iterations = 1;
};

} // namespace

/// Whether no load of the loop reads what one of its stores writes: arguments
/// of a kernel do not overlap if one is written.
bool Grouper::mayStore() const {
  DenseSet<Value> written;
  scf::ForOp whole = loop;
  for (auto store : whole.getBody()->getOps<tile::StoreOp>())
    written.insert(store.getView());
  auto isArgument = [](Value view) {
    auto argument = dyn_cast<BlockArgument>(view);
    return argument && isa<tile::KernelOp>(argument.getOwner()->getParentOp());
  };
  if (!llvm::all_of(written, isArgument))
    return false;
  return llvm::all_of(*whole.getBody(), [&](Operation &op) {
    auto load = dyn_cast<tile::LoadOp>(op);
    return load
               ? isArgument(load.getView()) && !written.contains(load.getView())
               : written.empty() || !isa<tile::GatherOp>(op);
  });
}

/// Whether a load names another's place, and all else may be done in any
/// iteration.
bool Grouper::collect() {
  DenseSet<Value> loaded, carried;
  carried.insert_range(loop.getRegionIterArgs());
  bool isChained = false, stores = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<tile::StoreOp>(op)) {
      stores = true;
      late.push_back(&op);
      continue;
    }
    if (isa<tile::DotOp, tile::AssertOp>(op) ||
        isa<scf::SCFDialect>(op.getDialect()) ||
        !(isLoad(&op) || isReduction(&op) ||
          (isMemoryEffectFree(&op) && isSpeculatable(&op))))
      return false;
    auto dependsOn = [&](const DenseSet<Value> &values) {
      return llvm::any_of(op.getOperands(), [&](Value operand) {
        return values.contains(operand);
      });
    };
    bool isFromMemory = dependsOn(loaded), isLate = dependsOn(carried);
    if (isLoad(&op) && isLate)
      return false; // it waits for the iteration before anyhow
    isChained |= isLoad(&op) && isFromMemory;
    if (isLoad(&op) || isFromMemory)
      loaded.insert_range(op.getResults());
    if (isLate)
      carried.insert_range(op.getResults());
    (isLate ? late : early).push_back(&op);
  }
  return isChained && (stores ? mayStore() : loop.getNumResults() > 0);
}

/// A row that every iteration reads stays in registers. A loop without
/// iterations reads it in vain, which does no harm.
void Grouper::hoistInvariants() {
  llvm::erase_if(early, [&](Operation *op) {
    bool isAlike = !isa<tile::GatherOp>(op) &&
                   llvm::all_of(op->getOperands(), [&](Value operand) {
                     return loop.isDefinedOutsideOfLoop(operand);
                   });
    if (isAlike)
      op->moveBefore(loop);
    return isAlike;
  });
}

/// What loads give in an iteration behind the end, and what is made of that
/// alone.
void Grouper::findZeros() {
  for (Operation *op : early) {
    bool isZero =
        isa<tile::CastOp, tile::SplatOp, tile::UnsplatOp, tile::BroadcastOp,
            tile::ExpandDimsOp, arith::MulFOp>(op) &&
        llvm::all_of(op->getOperands(),
                     [&](Value operand) { return zeros.contains(operand); });
    if (isZero || isa<tile::LoadOp>(op))
      zeros.insert_range(op->getResults());
  }
}

/// As many as the machine wants, in as many registers as a thread has for
/// tiles.
int64_t Grouper::chooseIterations() const {
  int64_t elements = 0;
  for (Operation *op : early)
    if (isLoad(op))
      if (auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType())) {
        if (!type.hasStaticShape())
          return 1;
        elements += type.getNumElements() > 1 ? type.getNumElements() : 0;
      }
  int64_t room = int64_t(costs.elementsPerThread) * kLanes;
  return std::min<int64_t>(int64_t(costs.inFlight),
                           room / std::max<int64_t>(elements, 1));
}

/// Whether a sum that begins with 0 only gets zeros added behind the end. It is
/// never -0, which 0 would change.
bool Grouper::isUnchangedOutside(unsigned carried) const {
  scf::ForOp whole = loop;
  Value init = whole.getInitArgs()[carried];
  if (auto splat = init.getDefiningOp<tile::SplatOp>())
    init = splat.getValue();
  if (!matchPattern(init, m_PosZeroFloat()))
    return false;
  Value sum = whole.getRegionIterArg(carried);
  Operation *next =
      whole.getBody()->getTerminator()->getOperand(carried).getDefiningOp();
  if (auto add = dyn_cast_or_null<arith::AddFOp>(next))
    return (add.getLhs() == sum && zeros.contains(add.getRhs())) ||
           (add.getRhs() == sum && zeros.contains(add.getLhs()));
  auto fma = dyn_cast_or_null<math::FmaOp>(next);
  return fma && fma.getC() == sum && zeros.contains(fma.getA()) &&
         zeros.contains(fma.getB());
}

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Iterations from `place` on, as far as a group goes: a small number, whatever
/// the bounds are.
Value Grouper::countLeft(OpBuilder &builder, Value place) {
  Location loc = loop.getLoc();
  Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(), place);
  left = arith::MaxSIOp::create(builder, loc, left, constant(builder, loc, 0));
  Value most = arith::MulIOp::create(builder, loc, loop.getStep(),
                                     constant(builder, loc, iterations));
  return arith::MinSIOp::create(builder, loc, left, most);
}

/// Places a box of an access of a view in front of the view's first axis, where
/// nothing is read or written, unless `inside`.
static void leaveView(OpBuilder &builder, Location loc, OpOperand &offset,
                      Type box, size_t axes, Value inside) {
  int64_t before = 1;
  auto type = cast<RankedTensorType>(box);
  if (size_t(type.getRank()) == axes)
    before = type.getDimSize(0);
  Value outside = constant(builder, loc, -before);
  offset.set(
      arith::SelectOp::create(builder, loc, inside, offset.get(), outside));
}

/// A copy of `op`; unless `inside` a load reads and a store writes nothing.
void Grouper::cloneMasked(OpBuilder &builder, Operation &op, Value inside,
                          IRMapping &values) const {
  Operation *copy = builder.clone(op, values);
  if (!inside)
    return;
  Location loc = op.getLoc();
  builder.setInsertionPoint(copy);
  if (auto load = dyn_cast<tile::LoadOp>(copy)) {
    leaveView(builder, loc, load.getOffsetsMutable()[0],
              load.getResult().getType(), load.getOffsets().size(), inside);
  } else if (auto store = dyn_cast<tile::StoreOp>(copy)) {
    leaveView(builder, loc, store.getOffsetsMutable()[0],
              store.getValue().getType(), store.getOffsets().size(), inside);
  } else if (auto gather = dyn_cast<tile::GatherOp>(copy)) {
    Value mask = inside;
    if (auto type = dyn_cast<RankedTensorType>(gather.getPtr().getType()))
      mask = tile::SplatOp::create(
          builder, loc,
          RankedTensorType::get(type.getShape(), builder.getI1Type()), inside);
    if (gather.getMask())
      mask = arith::AndIOp::create(builder, loc, gather.getMask(), mask);
    gather.getMaskMutable().assign(mask);
  }
  builder.setInsertionPointAfter(copy);
}

void Grouper::rewrite() {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value width = arith::MulIOp::create(builder, loc, loop.getStep(),
                                      constant(builder, loc, iterations));
  auto grouped =
      scf::ForOp::create(builder, loc, loop.getLowerBound(),
                         loop.getUpperBound(), width, loop.getInitArgs());
  grouped->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  builder.setInsertionPointToStart(grouped.getBody());
  SmallVector<IRMapping> values(static_cast<size_t>(iterations));
  SmallVector<Value> inside;
  Value left = countLeft(builder, grouped.getInductionVar());
  for (auto [number, mapping] : llvm::enumerate(values)) {
    Value ahead = arith::MulIOp::create(
        builder, loc, loop.getStep(), constant(builder, loc, int64_t(number)));
    // The first is inside, or the loop would have ended.
    inside.push_back(
        number == 0 ? Value()
                    : arith::CmpIOp::create(
                          builder, loc, arith::CmpIPredicate::slt, ahead, left)
                          .getResult());
    mapping.map(
        loop.getInductionVar(),
        arith::AddIOp::create(builder, loc, grouped.getInductionVar(), ahead));
  }
  for (Operation *op : early)
    for (auto [mapping, valid] : llvm::zip(values, inside))
      cloneMasked(builder, *op, valid, mapping);
  SmallVector<Value> carried(grouped.getRegionIterArgs());
  for (auto [mapping, valid] : llvm::zip(values, inside)) {
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation *op : late)
      cloneMasked(builder, *op, isa<tile::StoreOp>(op) ? valid : Value(),
                  mapping);
    for (auto [number, after] :
         llvm::enumerate(loop.getBody()->getTerminator()->getOperands())) {
      Value next = mapping.lookupOrDefault(after);
      Value &before = carried[number];
      bool mayChange = valid && !isUnchangedOutside(unsigned(number));
      before = mayChange ? Value(arith::SelectOp::create(builder, loc, valid,
                                                         next, before))
                         : next;
    }
  }
  if (grouped.getBody()->mightHaveTerminator())
    grouped.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(grouped.getBody());
  scf::YieldOp::create(builder, loc, carried);
  loop.replaceAllUsesWith(grouped.getResults());
  loop.erase();
}

namespace {

struct GroupIterationsPass
    : heddle::impl::GroupIterationsBase<GroupIterationsPass> {
  using GroupIterationsBase::GroupIterationsBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](tile::KernelOp kernel) {
      if (!multiplies(kernel))
        kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    });
    if (loops.empty())
      return markAllAnalysesPreserved();
    for (scf::ForOp loop : loops)
      Grouper(loop, costs.rows).run();
  }
};

} // namespace
