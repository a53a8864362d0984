//===- ClusterCode.h - Instructions of blocks that run together -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Instructions.h has for one block, for the blocks of a cluster.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_CLUSTERCODE_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_CLUSTERCODE_H

#include "Instructions.h"

namespace heddle::tonvvm {

/// A kernel that is launched in clusters of so many blocks.
void setCluster(mlir::Operation *function, int64_t blocks);
/// Of the block, in its cluster.
Value clusterRank(Code &code);
/// All threads of the cluster that have not ended.
void meetCluster(Code &code);
/// Where block `rank` of the cluster has what this one has at `pointer`, in
/// shared memory.
Value inBlock(Code &code, Value pointer, int64_t rank);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_CLUSTERCODE_H
