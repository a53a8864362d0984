//===- Cluster.h - Blocks that see each other's memory ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of clusters, and how many blocks a kernel's have. For the few
// steps that know of clusters.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_CLUSTER_H
#define HEDDLE_DIALECT_HOPPER_CLUSTER_H

#include "heddle/Dialect/Hopper/Hopper.h"

#define GET_OP_CLASSES
#include "heddle/Dialect/Hopper/HopperClusterOps.h.inc"

namespace heddle::hopper {

/// 1 if blocks form no clusters.
int64_t clusterBlocks(KernelOp kernel);

} // namespace heddle::hopper

#endif // HEDDLE_DIALECT_HOPPER_CLUSTER_H
