//===- VerifyCluster.cpp - Blocks that read each other's shared memory ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That blocks of a cluster read what others have written, and nobody writes
// there or ends meanwhile. All blocks run one text, and each process comes to
// its meetings once and in order. So the n-th meeting of one block is that of
// all, and what stands between two meetings runs while others are between the
// same two: the process touches nothing there but registers, and no process of
// its block learns how far it is. Who waits in a meeting holds up nobody but
// the cluster: behind the first, a process does nothing that others wait for,
// and those that meet nobody come to their end.
//
//===----------------------------------------------------------------------===//

#include "VerifyKernel.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Hopper/TargetLimits.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Machine/Clusters.h"
#include "heddle/Support/Diagnostics/Cluster.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

#define GET_OP_CLASSES
#include "heddle/Dialect/Hopper/HopperClusterOps.cpp.inc"

using namespace mlir;

namespace heddle::hopper {

int64_t clusterBlocks(KernelOp kernel) {
  for (auto cluster : kernel.getOps<ClusterOp>())
    return cluster.getBlocks();
  return 1;
}

/// The loop that takes a worker through its instances, right in a process: its
/// body runs once where there is a block for each instance. With another end
/// than the grid's it may run in some blocks of a cluster only.
static bool isInstances(Operation *op, KernelOp kernel) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && isa<ProcessOp>(loop->getParentOp()) &&
         loop.getLowerBound().getDefiningOp<tile::WorkerIdOp>() &&
         loop.getStep().getDefiningOp<tile::WorkerCountOp>() &&
         llvm::any_of(kernel.getOps<GridOp>(), [&](GridOp grid) {
           return grid.getInstances() == loop.getUpperBound();
         });
}

static bool isClusterOp(Operation *op) {
  return isa<ClusterSyncOp, ClusterTileOp, ClusterRankOp>(op);
}

/// The tile of another block that `op` loads; null if it loads none.
static ClusterTileOp peerOf(Operation *op) {
  auto load = dyn_cast<LocalLoadOp>(op);
  return load ? load.getTile().getDefiningOp<ClusterTileOp>() : ClusterTileOp();
}

/// May other processes of the block wait for it?
static bool isWaitedFor(Operation *op, ProcessOp process) {
  if (auto sync = dyn_cast<SyncOp>(op))
    return sync.getThreads() != process.getWarps() * 32;
  return isa<ArriveOp, ExpectOp, TmaLoadOp>(op);
}

static LogicalResult verifyPeer(ClusterTileOp peer, KernelOp kernel,
                                int64_t blocks) {
  if (peer.getPeer().getType() != peer.getTile().getType())
    return reportOp(peer, diag::hopper_cluster)
           << "makes a tile of another type than that of this block";
  if (int64_t from = int64_t(peer.getFrom()); from < 0 || from >= blocks)
    return reportOp(peer, diag::hopper_cluster)
           << "is in block " << from << " of a cluster of " << blocks;
  auto buffer = peer.getTile().getDefiningOp<BufferOp>();
  if (!buffer)
    return reportOp(peer, diag::hopper_cluster)
           << "is no hopper.buffer, whose offset is one in all blocks";
  int64_t end = int64_t(buffer.getOffset()) +
                blocks * peer.getTile().getType().getSizeBytes();
  if (end > int64_t(kernel.getSharedBytes()))
    return reportOp(peer, diag::hopper_cluster)
           << "is of a row of " << blocks << " tiles that ends at " << end
           << " of " << kernel.getSharedBytes() << " B of shared memory";
  for (Operation *user : peer->getUsers())
    if (!isa<LocalLoadOp>(user))
      return reportOp(user, diag::hopper_cluster)
             << "uses another block's tile; that is for hopper.local_load";
  return success();
}

/// What stands between two meetings.
static LogicalResult verifyBetween(Operation *op) {
  if (peerOf(op))
    return success();
  WalkResult result = op->walk([](Operation *inner) -> WalkResult {
    if (!isa<HopperDialect>(inner->getDialect()) || isMemoryEffectFree(inner))
      return success();
    return LogicalResult(
        reportOp(inner, diag::hopper_cluster)
        << "stands between two hopper.cluster_sync, while other blocks read "
           "this one's shared memory");
  });
  return failure(result.wasInterrupted());
}

/// The block of operations in which a process meets others.
static LogicalResult verifyMeetings(Block &block) {
  ClusterSyncOp open;
  for (Operation &op : block) {
    if (auto sync = dyn_cast<ClusterSyncOp>(op)) {
      open = open ? ClusterSyncOp() : sync;
      continue;
    }
    if (open && failed(verifyBetween(&op)))
      return failure();
    if (!open && peerOf(&op))
      return reportOp(&op, diag::hopper_cluster)
             << "reads what other blocks may still write; it stands between "
                "two hopper.cluster_sync";
  }
  if (open)
    return reportOp(open, diag::hopper_cluster)
           << "is the last meeting, and the block may end while others read "
              "its shared memory; a second hopper.cluster_sync is missing";
  return success();
}

static LogicalResult verifyProcess(ProcessOp process, KernelOp kernel,
                                   int64_t blocks) {
  Block *where = nullptr;
  bool hasMet = false;
  WalkResult result = process.getBody().walk([&](Operation *op) -> WalkResult {
    if (isClusterOp(op) && blocks == 1)
      return LogicalResult(reportOp(op, diag::hopper_cluster)
                           << "is for blocks of a cluster, and the kernel "
                              "has no hopper.cluster");
    if (hasMet && isWaitedFor(op, process))
      return LogicalResult(
          reportOp(op, diag::hopper_cluster)
          << "is behind a hopper.cluster_sync; who waits for it would hold up "
             "the cluster, which waits for all threads");
    if (auto peer = dyn_cast<ClusterTileOp>(op))
      return verifyPeer(peer, kernel, blocks);
    if (!isa<ClusterSyncOp>(op) && !peerOf(op))
      return success();
    Operation *around = op->getParentOp();
    if (around != process && !isInstances(around, kernel))
      return LogicalResult(
          reportOp(op, diag::hopper_cluster)
          << "stands in a loop or under a condition; all blocks of a cluster "
             "come to it once");
    if (where && where != op->getBlock())
      return LogicalResult(reportOp(op, diag::hopper_cluster)
                           << "stands in another block than the process's "
                              "other meetings");
    where = op->getBlock();
    hasMet |= isa<ClusterSyncOp>(op);
    return success();
  });
  if (result.wasInterrupted())
    return failure();
  if (hasMet && process.getElected())
    return reportOp(process, diag::hopper_cluster)
           << "meets other blocks with one thread, where whole warps do";
  return where ? verifyMeetings(*where) : success();
}

static LogicalResult verifyBlocks(KernelOp kernel, ClusterOp cluster) {
  int64_t blocks = cluster.getBlocks();
  int64_t most = machine::clusterBlocksOf(kTarget);
  if (blocks < 2 || blocks > most || !llvm::isPowerOf2_64(uint64_t(blocks)))
    return reportOp(cluster, diag::hopper_cluster)
           << "is of " << blocks
           << " blocks; there are powers of two from 2 to " << most;
  if (!llvm::hasSingleElement(kernel.getOps<ClusterOp>()))
    return reportOp(cluster, diag::hopper_cluster)
           << "is not the kernel's only one";
  for (auto grid : kernel.getOps<GridOp>())
    if (!grid.hasBlockEach() || grid.getTeams() != 1)
      return reportOp(grid, diag::hopper_cluster)
             << "has clusters, and no block for each instance";
  WalkResult result = kernel.walk([&](AwaitTurnOp op) -> WalkResult {
    return LogicalResult(reportOp(op, diag::hopper_cluster)
                         << "waits for other blocks, which may wait for this "
                            "one's cluster");
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyCluster(KernelOp kernel) {
  for (auto cluster : kernel.getOps<ClusterOp>())
    if (failed(verifyBlocks(kernel, cluster)))
      return failure();
  int64_t blocks = clusterBlocks(kernel);
  for (auto process : kernel.getOps<ProcessOp>())
    if (failed(verifyProcess(process, kernel, blocks)))
      return failure();
  return success();
}

} // namespace heddle::hopper
