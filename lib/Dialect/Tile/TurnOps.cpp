//===- TurnOps.cpp - Rules of sums in turns and in clusters ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instance that waits for a turn which nobody passes waits for ever. So
// each place of the view has to have an instance for each turn, which is asked
// while there is a tile.parallel: below it the places are those, in parts. A
// cluster asks the same, so that its instances add at one place.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Turns.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Cluster.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#define GET_OP_CLASSES
#include "heddle/Dialect/Tile/TileTurnOps.cpp.inc"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

InTurnOp heddle::tile::findTurn(ViewReduceOp sum) {
  return sum.getValue().getDefiningOp<InTurnOp>();
}

InClusterOp heddle::tile::findCluster(ViewReduceOp sum) {
  return sum.getValue().getDefiningOp<InClusterOp>();
}

bool heddle::tile::takesTurns(Operation *kernel) {
  return kernel->walk([](InTurnOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

int64_t heddle::tile::clusterBlocks(Operation *kernel) {
  int64_t blocks = 1;
  kernel->walk([&](InClusterOp op) { blocks = int64_t(op.getBlocks()); });
  return blocks;
}

bool heddle::tile::waitsForOthers(Operation *kernel) {
  return takesTurns(kernel) || clusterBlocks(kernel) > 1;
}

static bool isNumber(Value value, const Extent &extent) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return !extent.name && number == uint64_t(extent.size);
  auto parameter = value.getDefiningOp<ParamValueOp>();
  return parameter && extent.name &&
         parameter.getParamAttr().getAttr() == extent.name;
}

/// The index that, times the tile's extent, is where the tile stands.
static BlockArgument blockOf(Value offset, const Extent &extent,
                             ParallelOp parallel) {
  auto indexOf = [&](Value value) -> BlockArgument {
    auto index = dyn_cast<BlockArgument>(value);
    return index && index.getOwner() == &parallel.getBody().front()
               ? index
               : BlockArgument();
  };
  if (extent.isOne())
    if (BlockArgument index = indexOf(offset))
      return index;
  auto product = offset.getDefiningOp<arith::MulIOp>();
  if (!product)
    return {};
  if (isNumber(product.getRhs(), extent))
    return indexOf(product.getLhs());
  return isNumber(product.getLhs(), extent) ? indexOf(product.getRhs())
                                            : BlockArgument();
}

static bool isMultiple(Value offset, const Extent &extent) {
  APInt number;
  return matchPattern(offset, m_ConstantInt(&number)) && !number.isNegative() &&
         (number == 0 ||
          (!extent.name && number.getSExtValue() % extent.size == 0));
}

/// What else of the kernel touches what `sum` adds to; null if nothing does.
static Operation *findOther(ViewReduceOp sum, ParallelOp parallel) {
  Origins added = findOrigins(sum.getView());
  Operation *found = nullptr;
  parallel->walk([&](Operation *op) {
    std::optional<MemoryAccess> access = memoryAccess(op);
    if (op == sum || !access || !access->origins.mayOverlap(added))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Why it is not known that each place has one instance for each turn; empty if
/// it is.
static std::string whyNotPlaced(Value by, ViewReduceOp sum, StringRef ways,
                                ParallelOp parallel) {
  SmallVector<BlockArgument> left(parallel.getBody().getArguments());
  llvm::erase(left, by);
  SmallVector<Extent> extents =
      getExtents(cast<RankedTensorType>(sum.getValue().getType()));
  size_t missing = sum.getOffsets().size() - extents.size();
  for (auto [axis, offset] : llvm::enumerate(sum.getOffsets())) {
    Extent extent = axis < missing ? Extent{1, {}} : extents[axis - missing];
    BlockArgument index = blockOf(offset, extent, parallel);
    if (!index && isMultiple(offset, extent))
      continue;
    auto *found = llvm::find(left, index);
    if (found == left.end())
      return ("its place along axis " + Twine(axis) +
              " is not an index of its own times the tile's extent there")
          .str();
    left.erase(found);
  }
  if (!left.empty())
    return ("instances that differ in index " +
            Twine(left.front().getArgNumber()) + " add at one place, too; " +
            ways + " go by one index")
        .str();
  return {};
}

/// What else writes memory; null if nothing does.
static Operation *findOtherWrite(ViewReduceOp sum, ParallelOp parallel) {
  Operation *found = nullptr;
  parallel->walk([&](Operation *op) {
    std::optional<MemoryAccess> access = memoryAccess(op);
    if (op == sum || !access || !access->writes)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

std::string heddle::tile::whyNotByIndex(Operation *way, ViewReduceOp sum,
                                        Operation *&other) {
  auto parallel = way->getParentOfType<ParallelOp>();
  auto cluster = dyn_cast<InClusterOp>(way);
  if (sum->getParentOp() != parallel || way->getParentOp() != parallel)
    return cluster ? "stands in a loop or under a condition; blocks of a "
                     "cluster add up once"
                   : "stands in a loop or under a condition; an instance has "
                     "one turn";
  if (!isa<BlockArgument>(sum.getView()))
    return "adds to a view that is no argument of the kernel";
  if ((other = findOther(sum, parallel)))
    return "the kernel accesses the view elsewhere, too";
  if (cluster && (other = findOtherWrite(sum, parallel)))
    return "the kernel writes elsewhere, too, which blocks behind the last "
           "part would do once more";
  if (cluster)
    return whyNotPlaced(cluster.getPart(), sum, "clusters", parallel);
  return whyNotPlaced(cast<InTurnOp>(way).getTurn(), sum, "turns", parallel);
}

/// Of the operation that says how a tile is added, by `index`: its users.
static LogicalResult verifyUsers(Operation *way, const diag::Kind &kind,
                                 StringRef adds, StringRef waits) {
  bool isParallel = bool(way->getParentOfType<ParallelOp>());
  for (Operation *user : way->getUsers()) {
    auto sum = dyn_cast<ViewReduceOp>(user);
    if (!sum)
      return reportOp(way, kind) << "makes a tile for '" << user->getName()
                                 << "'; only tile.view_reduce " << waits;
    Operation *other = nullptr;
    std::string reason = isParallel ? whyNotByIndex(way, sum, other) : "";
    if (reason.empty())
      continue;
    Report error = reportOp(sum, kind) << adds << ", and " << reason;
    if (other)
      error.attachNote(other->getLoc()) << "here";
    return error;
  }
  return success();
}

LogicalResult InTurnOp::verify() {
  auto parallel = (*this)->getParentOfType<ParallelOp>();
  if (!parallel == !getPlace())
    return reportOp(*this, diag::turn_rule)
           << (parallel ? "has its place from the indices of the tile.parallel "
                          "around it; leave out 'at'"
                        : "is in no tile.parallel, whose instances take turns");
  if (parallel &&
      !llvm::is_contained(parallel.getBody().getArguments(), getTurn()))
    return reportOp(*this, diag::turn_rule)
           << "takes turns by a number that is no index of the tile.parallel "
              "around it";
  return verifyUsers(*this, diag::turn_rule, "is in turns", "waits for a turn");
}

LogicalResult InClusterOp::verify() {
  auto parallel = (*this)->getParentOfType<ParallelOp>();
  if (!getPart() || !parallel == !getOwn())
    return reportOp(*this, diag::cluster_rule)
           << (parallel ? "says by which index of the tile.parallel around it "
                          "instances form clusters, and no 'first'"
                        : "is in no tile.parallel, whose instances form "
                          "clusters");
  if (int64_t blocks = int64_t(getBlocks());
      blocks < 2 || !llvm::isPowerOf2_64(uint64_t(blocks)))
    return reportOp(*this, diag::cluster_rule)
           << "makes clusters of " << blocks
           << " blocks; there are 2, 4, 8 or another power of two";
  if (parallel &&
      !llvm::is_contained(parallel.getBody().getArguments(), getPart()))
    return reportOp(*this, diag::cluster_rule)
           << "forms clusters by a number that is no index of the "
              "tile.parallel around it";
  for (Operation *user : getResult().getUsers())
    if (auto sum = dyn_cast<ViewReduceOp>(user);
        sum && !llvm::is_contained(
                   {RmwKind::FAdd, RmwKind::Add, RmwKind::Min, RmwKind::Max},
                   sum.getKind()))
      return reportOp(sum, diag::cluster_rule)
             << "is " << stringifyRmwKind(sum.getKind())
             << ", and a cluster knows fadd, add, min and max";
  return verifyUsers(*this, diag::cluster_rule, "is added by a cluster",
                     "is added by one");
}
