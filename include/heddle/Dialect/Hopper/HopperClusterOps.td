//===- HopperClusterOps.td - Blocks that see each other's memory -*- tablegen -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from HopperOps.td because few steps have to know of clusters: a kernel
// without hopper.cluster has none.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_HOPPER_CLUSTER_OPS
#define HEDDLE_HOPPER_CLUSTER_OPS

include "heddle/Dialect/Hopper/HopperOps.td"

def Hopper_ClusterOp : Hopper_Op<"cluster", Hopper_Effects> {
  let summary = "neighbouring blocks run at the same time";
  let description = [{
    `hopper.cluster 4`, right in a kernel: there is a whole number of clusters of
    four blocks, and each block of one can read the shared memory of the others.
  }];
  let arguments = (ins I64Attr:$blocks);
  let assemblyFormat = "$blocks attr-dict";
}

def Hopper_ClusterRankOp : Hopper_Op<"cluster_rank", [Pure]> {
  let summary = "the block's number in its cluster, from 0 on";
  let results = (outs Index:$rank);
  let assemblyFormat = "attr-dict";
}

def Hopper_ClusterSyncOp : Hopper_Op<"cluster_sync", Hopper_Effects> {
  let summary = "all threads of all blocks of the cluster meet";
  let description = [{
    A thread waits for all that have not ended. What threads did before is known
    to all behind it.
  }];
  let assemblyFormat = "attr-dict";
}

def Hopper_ClusterTileOp : Hopper_Op<"cluster_tile", [Pure]> {
  let summary = "a tile in shared memory of another block of the cluster";
  let description = [{
    Each block of a cluster has a row of tiles, one for each block, from the buffer
    `tile` on. `hopper.cluster_tile %tile from 2` is, in the row of block 2, the tile
    whose number is the rank of the block that asks. It is loaded between two
    `hopper.cluster_sync`: the row is written before the first, and the second is
    what its block waits for before it ends.
  }];
  let arguments = (ins Hopper_Smem:$tile, I64Attr:$from);
  let results = (outs Hopper_Smem:$peer);
  let assemblyFormat = [{
    $tile `from` $from attr-dict `:` qualified(type($tile)) `->` qualified(type($peer))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$tile, "int64_t":$from), [{
    build($_builder, $_state, tile.getType(), tile, from);
  }]>];
}

#endif // HEDDLE_HOPPER_CLUSTER_OPS
