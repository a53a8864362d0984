//===- ClusterSums.cpp - Decide: how a cluster adds up tiles --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block leaves its tile in shared memory, in parts, one for each block,
// and adds up its own part of all blocks' tiles:
//
//   all threads:  write the parts, barrier
//   the cluster:  meets
//   all threads:  read this block's part of each block's tile, and add them up
//   the cluster:  meets, since nobody may end before others have read
//   all threads:  add the part to memory
//
//===----------------------------------------------------------------------===//

#include "ClusterSums.h"

#include "ChooseLayout.h"
#include "PlanConversions.h"
#include "SharedTile.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Cluster.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

std::optional<ClusterPart>
heddle::areftohopper::partOf(tile::ViewReduceOp sum, tile::InClusterOp cluster,
                             const LayoutMap &layouts) {
  auto type = cast<RankedTensorType>(sum.getValue().getType());
  int64_t blocks = int64_t(cluster.getBlocks());
  LayoutAttr layout = layouts.stored.lookup(sum);
  if (!layout)
    layout = layouts.lookup(cluster.getResult());
  if (!layout || type.getRank() != 2)
    return std::nullopt;
  machine::Layout whole = hopper::getLayout(layout);
  for (unsigned axis : {1u, 0u}) {
    SmallVector<int64_t> shape(type.getShape());
    if (shape[axis] % blocks)
      continue;
    shape[axis] /= blocks;
    std::optional<machine::Layout> own =
        machine::subtile(whole, {shape[0], shape[1], 0});
    if (!own)
      continue;
    auto part =
        RankedTensorType::get(shape, type.getElementType(),
                              hopper::getLayoutAttr(layout.getContext(), *own));
    ClusterPart found{withLayout(type, layout), part, scratchTile(part), axis};
    // Parts follow each other, so each begins where a tile may begin.
    if (found.tile.getSizeBytes() % alignmentOf(found.tile) == 0 &&
        found.tile.getElementType() == part.getElementType())
      return found;
  }
  return std::nullopt;
}

/// What other processes wait for, behind the sum in its block: they would hold
/// up a cluster, whose blocks wait for each other's threads. Null if nothing.
static Operation *findAwaited(tile::ViewReduceOp sum) {
  Operation *found = nullptr;
  for (Operation *op = sum->getNextNode(); op && !found; op = op->getNextNode())
    op->walk([&](Operation *inner) {
      if (isa<aref::ReleaseOp, aref::PublishOp>(inner))
        found = inner;
    });
  return found;
}

FailureOr<int64_t>
heddle::areftohopper::planClusterSums(const ProcessFacts &process,
                                      const LayoutMap &layouts, int64_t most) {
  int64_t bytes = 0;
  for (tile::ViewReduceOp sum : process.reductions) {
    tile::InClusterOp cluster = tile::findCluster(sum);
    if (!cluster)
      continue;
    int64_t blocks = int64_t(cluster.getBlocks());
    if (blocks > most)
      return report(sum, diag::cluster_sum)
             << "clusters of " << blocks << " blocks are asked for, and "
             << most << " is what this machine runs together at the most";
    std::optional<ClusterPart> part = partOf(sum, cluster, layouts);
    if (!part)
      return report(sum, diag::cluster_sum)
             << "the " << blocks << " blocks of a cluster cannot each add up "
             << "a part of a tile of "
             << cast<RankedTensorType>(sum.getValue().getType());
    if (Operation *awaited = findAwaited(sum)) {
      Report error = report(sum, diag::cluster_sum)
                     << "blocks of a cluster add up at their end, and the loop "
                        "over instances is the pipeline here, because one "
                        "step is all that an instance has; give it two or more";
      error.attachNote(awaited->getLoc()) << "done behind the sum";
      return LogicalResult(error);
    }
    bytes = std::max(bytes, blocks * part->tile.getSizeBytes());
  }
  return bytes;
}

/// What two blocks have of one element.
static Value combine(OpBuilder &builder, Location loc, tile::RmwKind kind,
                     Value a, Value b) {
  switch (kind) {
  case tile::RmwKind::FAdd:
    return arith::AddFOp::create(builder, loc, a, b);
  case tile::RmwKind::Add:
    return arith::AddIOp::create(builder, loc, a, b);
  case tile::RmwKind::Min:
    return arith::MinSIOp::create(builder, loc, a, b);
  case tile::RmwKind::Max:
    return arith::MaxSIOp::create(builder, loc, a, b);
  default:
    llvm_unreachable("bug in heddle: tile.in_cluster takes no such update");
  }
}

/// Blocks behind the last part have a tile, too, which does not count.
Value heddle::areftohopper::emitExchange(OpBuilder &builder, Location loc,
                                         const ClusterPart &part,
                                         tile::RmwKind kind, Value value,
                                         Value own, StringRef name,
                                         int64_t offset,
                                         llvm::function_ref<void()> sync) {
  auto bufferOf = [&](int64_t block) -> Value {
    return hopper::BufferOp::create(builder, loc, part.tile,
                                    (name + Twine(block)).str(),
                                    offset + block * part.tile.getSizeBytes());
  };
  for (int64_t block = 0; block < part.blocks(); ++block) {
    SmallVector<int64_t> offsets(2);
    offsets[part.axis] = block * part.extent();
    Value there =
        hopper::SubtileOp::create(builder, loc, part.part, value, offsets);
    hopper::LocalStoreOp::create(builder, loc, there, bufferOf(block));
  }
  sync();
  hopper::ClusterSyncOp::create(builder, loc);
  Value row = bufferOf(0), total;
  for (int64_t block = 0; block < part.blocks(); ++block) {
    Value other = hopper::LocalLoadOp::create(
        builder, loc, part.part,
        hopper::ClusterTileOp::create(builder, loc, row, block));
    if (!total) {
      total = other;
      continue;
    }
    Value counts = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ugt, own,
        arith::ConstantIndexOp::create(builder, loc, block));
    total = arith::SelectOp::create(
        builder, loc, counts, combine(builder, loc, kind, total, other), total);
  }
  hopper::ClusterSyncOp::create(builder, loc);
  return total;
}
