//===- JoinIterations.cpp - One iteration of several, with longer tiles -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program whose tiles are constants, with a loop that streams along an
// axis and adds up products over it. Out: where the machine gains by it, a loop
// of fewer iterations, whose tiles are longer along that axis; the sums are the
// same but for the order of their terms. Stands behind the recovery of views,
// which say where an array ends, and in front of everything that schedules. A
// program with shape parameters says itself what may be chosen, and does not
// come here.
//
//===----------------------------------------------------------------------===//

#include "IterationTime.h"
#include "StreamedTiles.h"

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Transforms/MarkSteady.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

namespace heddle {
#define GEN_PASS_DEF_JOINITERATIONS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

/// The extent along which the products of a loop's body sum; 0 without any that
/// has numbers for extents.
static int64_t depthOf(scf::ForOp loop) {
  int64_t depth = 0;
  for (Operation &op : *loop.getBody()) {
    for (Value result : op.getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType());
          type && !type.hasStaticShape())
        return 0;
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      auto type = cast<RankedTensorType>(dot.getA().getType());
      depth = std::max(depth, type.getDimSize(type.getRank() - 1));
    }
  }
  return depth;
}

static Value lengthen(OpBuilder &builder, Value value, int64_t axis,
                      int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] *= count;
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    return tile::SplatOp::create(builder, splat.getLoc(), type.clone(shape),
                                 splat.getValue());
  value.setType(type.clone(shape));
  return value;
}

/// Clones `op` with what has got longer.
static void cloneLonger(OpBuilder &builder, Operation &op, IRMapping &known,
                        const StreamedTiles &tiles, int64_t count) {
  Operation *copy = builder.clone(op, known);
  for (auto [old, result] : llvm::zip(op.getResults(), copy->getResults())) {
    std::optional<int64_t> axis = tiles.axisOf(old);
    if (!axis)
      continue;
    lengthen(builder, result, *axis, count);
    // Tiles of one scalar beside longer ones; a load and a renaming have none.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy);
    for (auto [from, operand] :
         llvm::zip(op.getOperands(), copy->getOpOperands()))
      if (tiles.isUniform(from) &&
          cast<RankedTensorType>(from.getType()).getShape() ==
              cast<RankedTensorType>(old.getType()).getShape())
        operand.set(lengthen(builder, operand.get(), *axis, count));
  }
}

static void join(scf::ForOp loop, const StreamedTiles &tiles, int64_t count) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value factor = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(loop.getStep().getType(), count));
  Value step = arith::MulIOp::create(builder, loc, loop.getStep(), factor);
  auto joined =
      scf::ForOp::create(builder, loc, loop.getLowerBound(),
                         loop.getUpperBound(), step, loop.getInitArgs());
  joined->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!joined.getBody()->empty())
    joined.getBody()->back().erase();
  builder.setInsertionPointToEnd(joined.getBody());
  IRMapping known;
  known.map(loop.getBody()->getArguments(), joined.getBody()->getArguments());
  for (Operation &op : *loop.getBody())
    cloneLonger(builder, op, known, tiles, count);
  loop->replaceAllUsesWith(joined);
  loop->erase();
}

namespace {

struct JoinIterationsPass
    : heddle::impl::JoinIterationsBase<JoinIterationsPass> {
  using JoinIterationsBase::JoinIterationsBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    getOperation().walk([&](tile::KernelOp kernel) {
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        visit(kernel, loop, costs);
    });
  }

  /// Forms are of the kernel as it is, so each loop gets its own.
  void visit(tile::KernelOp kernel, scf::ForOp loop,
             const machine::Costs &costs) {
    int64_t depth = depthOf(loop);
    markSteady(kernel);
    int64_t count = depth ? chooseJoined(loop, costs, depth) : 1;
    unmarkSteady(kernel);
    if (count == 1)
      return;
    AddressForms forms(kernel);
    StreamedTiles tiles(loop, forms);
    Operation *culprit = loop;
    std::string reason = tiles.find(culprit);
    int64_t most = tiles.mostProducts();
    if (reason.empty() && most && most < count * tiles.extent())
      reason = "the products of one tile are " +
               std::to_string(count * tiles.extent()) +
               ", and max_imprecise_acc is " + std::to_string(most);
    if (reason.empty())
      reason = tiles.checkEnds(count, culprit);
    if (!reason.empty()) {
      Report remark = report(loop, diag::iterations_apart);
      remark << count
             << " iterations of this loop would be faster as one: " << reason;
      if (culprit != loop)
        remark.attachNote(culprit->getLoc()) << "it is this";
      return;
    }
    report(loop, diag::iterations_joined)
        << count << " iterations of this loop are one, whose tiles are "
        << count * tiles.extent() << " long instead of " << tiles.extent();
    join(loop, tiles, count);
  }
};

} // namespace
