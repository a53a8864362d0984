//===- RoleFinder.h - Decide: which loads may read ahead --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a named kernel. Out: which loads may read ahead of who computes, what
// makes their addresses, how long the chain of loads before each of them is,
// and why others may not.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_ROLEFINDER_H
#define HEDDLE_LIB_TRANSFORMS_ROLEFINDER_H

#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <string>
#include <vector>

namespace heddle {

/// What decides how often what stands in `op` is executed.
llvm::SmallVector<mlir::Value> controlOf(mlir::Operation *op);

/// Which loads may read ahead, what makes their addresses, and how long the
/// chain of loads before each of them is.
class RoleFinder {
public:
  explicit RoleFinder(tile::KernelOp kernel);

  bool isAhead(mlir::Operation *op) const { return ahead.contains(op); }
  /// An operation on tiles that makes an address or a bound, or what holds it
  /// against others.
  bool isOfAddresses(mlir::Operation *op) const {
    return closure.contains(op) || checks.contains(op);
  }
  int64_t levelOf(mlir::Operation *op) const { return levels.lookup(op); }
  /// Why a load does not read ahead; "" for others.
  std::string reasonFor(mlir::Operation *op) const {
    return reasons.lookup(op);
  }
  /// Does the value follow from what a load reads?
  bool comesFromMemory(mlir::Value value) const {
    return valueLevels.lookup(value) > 0;
  }

private:
  const tile::MemoryAccess *writeTo(const tile::MemoryAccess &access) const;
  void decide(const tile::MemoryAccess &access);
  mlir::Operation *strangeParent(mlir::Operation *op) const;
  llvm::SmallVector<mlir::Value> inputsOf(mlir::Operation *op) const;
  mlir::Operation *findObstacle(llvm::SmallVector<mlir::Value> values) const;
  void collect(mlir::Operation *load);
  int64_t highest(mlir::ValueRange values) const;
  void findLevels();

  tile::KernelOp kernel;
  std::vector<tile::MemoryAccess> accesses, writes;
  llvm::SetVector<mlir::Operation *> ahead, checks;
  llvm::DenseSet<mlir::Operation *> closure;
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
  llvm::DenseMap<mlir::Operation *, int64_t> levels;
  llvm::DenseMap<mlir::Value, int64_t> valueLevels;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_ROLEFINDER_H
