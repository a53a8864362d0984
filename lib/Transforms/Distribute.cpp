//===- Distribute.cpp - Instances to persistent workers -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with one tile.parallel. Out: a loop over the instances of one
// persistent worker, {sched.loop = "tiles"}, whose body computes the instance's
// indices from its number. Neighbouring numbers are those whose instances read
// the same tiles, so that workers running side by side share operands in the
// L2: along the last axis, and, where tiles do not depend on the first axis
// either, in bands of `group` instances along that. Stands before `split`
// because the loop is scheduled like any other.
//
// Each wave of instances, one a worker, is dealt out in order. Where work
// depends on the index, as with rows of a triangle, the first worker would get
// the longest of each wave. So every other wave is dealt out backwards: a
// worker's two instances make up for each other, and where the program begins
// with the longest, the last wave, which may be short, has the shortest. Bands
// are narrow then, because they mix lengths.
//
// Instances that add up in a cluster are neighbours, so that the hardware,
// which makes clusters of neighbouring blocks, has them in one. Where the last
// cluster of a place has blocks to spare, these do the last instance once more.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Turns.h"
#include "heddle/Machine/Units.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_DISTRIBUTE
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

class IndexMath {
public:
  IndexMath(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value mul(Value a, Value b) {
    return arith::MulIOp::create(builder, loc, a, b);
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubIOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivUIOp::create(builder, loc, a, b);
  }
  Value ceilDiv(Value a, Value b) {
    return arith::CeilDivUIOp::create(builder, loc, a, b);
  }
  Value rem(Value a, Value b) {
    return arith::RemUIOp::create(builder, loc, a, b);
  }
  Value min(Value a, Value b) {
    return arith::MinUIOp::create(builder, loc, a, b);
  }
  Value isLess(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

private:
  OpBuilder &builder;
  Location loc;
};

/// Instance number -> index tuple. Two axes are visited in bands of `group`
/// instances of the first: number = band * (group * n) + column * height + row.
SmallVector<Value> indicesOf(IndexMath math, Value number, ValueRange bounds,
                             int64_t group) {
  if (bounds.size() == 2 && group > 1) {
    Value bandSize = math.mul(math.constant(group), bounds[1]);
    Value firstRow = math.mul(math.div(number, bandSize), math.constant(group));
    Value height =
        math.min(math.sub(bounds[0], firstRow), math.constant(group));
    Value inBand = math.rem(number, bandSize);
    return {math.add(firstRow, math.rem(inBand, height)),
            math.div(inBand, height)};
  }
  SmallVector<Value> indices(bounds.size());
  Value rest = number;
  for (size_t axis = bounds.size(); axis-- > 0;) {
    indices[axis] = axis == 0 ? rest : math.rem(rest, bounds[axis]);
    if (axis != 0)
      rest = math.div(rest, bounds[axis]);
  }
  return indices;
}

/// Whether a value in a tile.parallel depends on one of its indices; in doubt
/// it does.
class Dependence {
public:
  explicit Dependence(BlockArgument index) : index(index) {}

  bool reaches(Value value) {
    if (value == index)
      return true;
    if (!seen.insert(value).second)
      return false;
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument) {
      Operation *op = value.getDefiningOp();
      return op->getNumRegions() || reachesAny(op->getOperands());
    }
    Operation *owner = argument.getOwner()->getParentOp();
    if (isa<tile::ParallelOp, tile::KernelOp>(owner))
      return false;
    // How far a loop goes does not move what an iteration reads.
    auto loop = dyn_cast<scf::ForOp>(owner);
    return !loop || argument != loop.getInductionVar() ||
           reaches(loop.getLowerBound()) || reaches(loop.getStep());
  }
  bool reachesAny(ValueRange values) {
    return llvm::any_of(values, [&](Value value) { return reaches(value); });
  }

private:
  BlockArgument index;
  DenseSet<Value> seen;
};

/// Do instances along the first axis read tiles in common, other than those
/// that all instances read?
bool sharesAlongFirstAxis(tile::ParallelOp parallel) {
  auto indices = parallel.getBody().getArguments();
  bool shares = false;
  parallel.walk([&](tile::LoadOp load) {
    auto dependsOn = [&](BlockArgument index) {
      return Dependence(index).reachesAny(load.getOffsets());
    };
    shares |=
        !dependsOn(indices[0]) && llvm::any_of(indices.drop_front(), dependsOn);
  });
  return shares;
}

/// Does the number of trips of some loop depend on the index?
bool doesWorkVary(tile::ParallelOp parallel) {
  bool varies = false;
  parallel.walk([&](scf::ForOp loop) {
    for (BlockArgument index : parallel.getBody().getArguments())
      varies |= Dependence(index).reachesAny(
          {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  });
  return varies;
}

/// The number of a worker's instance when every other wave of `workers` numbers
/// is dealt out backwards. `visit` counts as if none were: worker, worker +
/// workers, ... The last wave may be short.
Value alternateDirections(IndexMath math, Value visit, Value worker,
                          Value workers, Value instances) {
  Value before = math.sub(visit, worker); // instances in the waves before
  Value isOdd = math.isLess(
      math.constant(0), math.rem(math.div(before, workers), math.constant(2)));
  Value size = math.min(workers, math.sub(instances, before));
  Value last = math.sub(math.add(before, size), math.constant(1));
  return math.select(isOdd, math.sub(last, worker), visit);
}

/// Instances along the first axis in a band, unless a line pins it.
int64_t chooseBand(tile::ParallelOp parallel, int64_t group,
                   int64_t unevenGroup, bool inOrder) {
  if (!sharesAlongFirstAxis(parallel) || tile::clusterBlocks(parallel) > 1)
    return 1;
  return !inOrder && doesWorkVary(parallel) ? std::min(group, unevenGroup)
                                            : group;
}

/// The band that a line of the kernel pins, or `band`.
FailureOr<int64_t> pinnedBand(tile::KernelOp kernel, tile::ParallelOp parallel,
                              int64_t band) {
  FailureOr<SmallVector<sched::Pin>> pins = sched::readPins(kernel);
  if (failed(pins))
    return failure();
  for (const sched::Pin &pin : *pins) {
    if (pin.name != sched::kPinBlockOrder)
      continue;
    constexpr int64_t kMost = 1 << 16; // counts of instances stay numbers
    if (pin.number() > kMost)
      return report(pin.place, diag::pin_unmet)
             << "a band has 1 to " << kMost << " instances, not "
             << pin.number();
    if (pin.number() > 1 && parallel.getBounds().size() != 2)
      return report(pin.place, diag::pin_unmet)
             << "bands of " << pin.number()
             << " instances are of a grid with two axes, and this one has "
             << parallel.getBounds().size();
    if (pin.number() > 1 && tile::clusterBlocks(parallel) > 1)
      return report(pin.place, diag::pin_unmet)
             << "instances of a cluster stand side by side, not in bands of "
             << pin.number();
    return pin.number();
  }
  return band;
}

/// Which of the places at which instances add is that of an instance: all
/// indices but the one that counts turns make it out.
void placeTurn(tile::InTurnOp turn, tile::ParallelOp parallel,
               ArrayRef<Value> indices, OpBuilder &builder, scf::ForOp loop) {
  auto whole = cast<RankedTensorType>(turn.getValue().getType());
  turn->setDiscardableAttr(tile::kWholeTile,
                           builder.getDenseI64ArrayAttr(whole.getShape()));
  IndexMath math(builder, turn.getLoc());
  SmallVector<std::pair<Value, Value>> others; // indices and their bounds
  for (auto [argument, index, bound] : llvm::zip(
           parallel.getBody().getArguments(), indices, parallel.getBounds()))
    if (argument != turn.getTurn())
      others.push_back({index, bound});
  Value place = math.constant(0);
  for (auto [index, bound] : others)
    place = math.add(math.mul(place, bound), index);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop);
  Value places = math.constant(1);
  for (auto [index, bound] : others)
    places = math.mul(places, bound);
  turn.getPlaceMutable().assign(place);
  turn.getPlacesMutable().assign(places);
}

/// What adds up in clusters; null if nothing does.
tile::InClusterOp findClusters(tile::ParallelOp parallel) {
  tile::InClusterOp found;
  parallel.walk([&](tile::InClusterOp op) { found = op; });
  return found;
}

/// The bounds of the grid: of the index that tells a cluster's instances apart,
/// a whole number of clusters.
SmallVector<Value> boundsOf(IndexMath math, tile::ParallelOp parallel,
                            tile::InClusterOp sum) {
  SmallVector<Value> bounds(parallel.getBounds());
  if (!sum)
    return bounds;
  Value &parts = bounds[cast<BlockArgument>(sum.getPart()).getArgNumber()];
  Value blocks = math.constant(int64_t(sum.getBlocks()));
  parts = math.mul(math.ceilDiv(parts, blocks), blocks);
  return bounds;
}

/// Index tuple of an instance, as indicesOf, of which that of parts goes
/// fastest. Says how many instances of its cluster have a tile of their own.
SmallVector<Value> clusteredIndices(IndexMath math, Value number,
                                    ValueRange grid, tile::ParallelOp parallel,
                                    tile::InClusterOp sum) {
  unsigned by = cast<BlockArgument>(sum.getPart()).getArgNumber();
  Value parts = parallel.getBounds()[by];
  Value part = math.rem(number, grid[by]);
  SmallVector<Value> others(grid);
  others.erase(others.begin() + by);
  SmallVector<Value> indices =
      indicesOf(math, math.div(number, grid[by]), others, /*group=*/1);
  Value blocks = math.constant(int64_t(sum.getBlocks()));
  Value left = math.sub(parts, math.sub(part, math.rem(part, blocks)));
  sum.getOwnMutable().assign(math.min(left, blocks));
  sum.getPartMutable().assign(math.rem(part, blocks));
  Value last = math.sub(parts, math.constant(1));
  indices.insert(indices.begin() + by, math.min(part, last));
  return indices;
}

void distribute(tile::ParallelOp parallel, int64_t group, bool inOrder) {
  tile::InClusterOp cluster = findClusters(parallel);
  // Instances that take turns wait for lower numbers, those of a cluster are
  // neighbours.
  bool varies =
      !inOrder && doesWorkVary(parallel) && !tile::waitsForOthers(parallel);
  OpBuilder builder(parallel);
  Location loc = parallel.getLoc();
  IndexMath math(builder, loc);
  SmallVector<Value> grid = boundsOf(math, parallel, cluster);
  Value instances = math.constant(1);
  for (Value bound : grid)
    instances = math.mul(instances, bound);
  instances.getDefiningOp()->setAttr("tile.instances", builder.getUnitAttr());
  Value worker = tile::WorkerIdOp::create(builder, loc, builder.getIndexType());
  Value workers =
      tile::WorkerCountOp::create(builder, loc, builder.getIndexType());
  auto loop = scf::ForOp::create(builder, loc, worker, instances, workers);
  loop->setAttr(sched::kLoopName, builder.getStringAttr("tiles"));

  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  if (varies)
    number = alternateDirections(math, number, worker, workers, instances);
  SmallVector<Value> indices =
      cluster ? clusteredIndices(math, number, grid, parallel, cluster)
              : indicesOf(math, number, grid, group);
  parallel.walk([&](tile::InTurnOp turn) {
    placeTurn(turn, parallel, indices, builder, loop);
  });
  Block &body = parallel.getBody().front();
  for (auto [argument, index] : llvm::zip(body.getArguments(), indices))
    argument.replaceAllUsesWith(index);
  loop.getBody()->getOperations().splice(
      Block::iterator(loop.getBody()->getTerminator()), body.getOperations());
  parallel.erase();
}

struct DistributePass : heddle::impl::DistributeBase<DistributePass> {
  using DistributeBase::DistributeBase;

  void runOnOperation() override {
    // A machine of units has one worker: it takes instances as they come, and
    // none has to make up for another's long ones.
    bool inOrder = machine::isMachineOfUnits(machine);
    machine::Costs costs;
    costs.instances = {1, 1};
    if (!inOrder && failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    int64_t most = group ? int64_t(group) : int64_t(costs.instances.group);
    int64_t uneven = int64_t(costs.instances.unevenGroup);
    auto result = getOperation().walk([&](tile::KernelOp kernel) {
      SmallVector<tile::ParallelOp> parallels;
      kernel.walk([&](tile::ParallelOp op) { parallels.push_back(op); });
      if (parallels.size() != 1 || parallels[0]->getParentOp() != kernel) {
        report(kernel, diag::parallel_count)
            << "kernel @" << kernel.getSymName() << " has " << parallels.size()
            << " tile.parallel ops that write anything; it needs exactly one, "
               "at its top level";
        return WalkResult::interrupt();
      }
      FailureOr<int64_t> band =
          pinnedBand(kernel, parallels[0],
                     chooseBand(parallels[0], most, uneven, inOrder));
      if (failed(band))
        return WalkResult::interrupt();
      if (getOperation()->hasAttr(sched::kNotesDecisions) &&
          parallels[0].getBounds().size() == 2)
        kernel->setAttr(sched::kNotedBand,
                        OpBuilder(kernel).getI64IntegerAttr(*band));
      distribute(parallels[0], *band, inOrder);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
