//===- ClusterSums.h - Decide: how a cluster adds up tiles ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a sum by a cluster, and the registers that hold its tile. Out: the part
// of the tile that each block adds up. All blocks have as many columns, or rows
// where lanes hold columns, so that none is idle while another reads what the
// others have.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_CLUSTERSUMS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_CLUSTERSUMS_H

#include "AssignLayouts.h"
#include "KernelFacts.h"

#include "heddle/Dialect/Tile/Turns.h"

#include "mlir/IR/Builders.h"

namespace heddle::areftohopper {

struct ClusterPart {
  mlir::RankedTensorType whole, part; ///< in registers
  hopper::SmemType tile;              ///< the part, in shared memory

  unsigned axis = 1; ///< along which the tile parts

  int64_t extent() const { return part.getShape()[axis]; }
  int64_t blocks() const { return whole.getShape()[axis] / extent(); }
};

/// Nothing if the tile does not part so.
std::optional<ClusterPart> partOf(tile::ViewReduceOp sum,
                                  tile::InClusterOp cluster,
                                  const LayoutMap &layouts);

/// Bytes of shared memory in which the process leaves its tiles for the other
/// blocks; fails where a tile does not part, or the machine runs no more than
/// `most` blocks together.
mlir::FailureOr<int64_t> planClusterSums(const ProcessFacts &process,
                                         const LayoutMap &layouts,
                                         int64_t most);

/// Exchanges `value`, a tile of `part.whole`, through buffers from `offset` on,
/// whose names begin with `name`. Makes this block's part of the sum of the
/// first `own` blocks' tiles. `sync` is where all threads of the process meet.
mlir::Value emitExchange(mlir::OpBuilder &builder, mlir::Location loc,
                         const ClusterPart &part, tile::RmwKind kind,
                         mlir::Value value, mlir::Value own,
                         llvm::StringRef name, int64_t offset,
                         llvm::function_ref<void()> sync);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_CLUSTERSUMS_H
