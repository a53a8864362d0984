//===- Clusters.h - Thread blocks that a machine runs together --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A limit of a target that only clusters ask for: apart from Limits.h, which
// most of the compiler reads.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_CLUSTERS_H
#define HEDDLE_MACHINE_CLUSTERS_H

#include <cstdint>
#include <string>

namespace heddle::machine {

/// The blocks of a cluster that every machine of the target launches, by the
/// first of them that is part of the binary; 1 if it knows no clusters.
int64_t clusterBlocksOf(const std::string &target);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_CLUSTERS_H
