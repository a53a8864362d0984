//===- DivideSums.h - A loop that sums, in parts ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few instances with long sums leave most of a chip without work. Where a
// kernel's loop only sums, parts of its range are instances of their own: one
// program stores the sum of each part to a workspace, and another adds the
// parts in a fixed order and goes on as the kernel does behind its loop. Both
// are sequential programs of the tile rung like any other.
// docs/rationale/tiles.md.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_DIVIDESUMS_H
#define HEDDLE_TRANSFORMS_DIVIDESUMS_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What stands in the way: a sentence without its end, and the loop or kernel.
struct SumObstacle {
  std::string reason;
  std::optional<mlir::Location> place;
};

/// A kernel whose sums are divided. Values are those of the kernel in `parts`,
/// as long as that is not lowered; numbers follow from the parameters' values.
struct DividedSums {
  /// A bound of tile.parallel: `extent`, in tiles of `tile` elements.
  struct Count {
    mlir::Value extent;
    int64_t tile = 1;
  };
  /// A view more, behind the kernel's arguments, of both programs: its first
  /// axis counts parts, the others have these extents.
  struct Workspace {
    std::string name;
    mlir::Type element;
    llvm::SmallVector<mlir::Value> extents;
  };
  /// Along `axis`, `view` may be no longer than the loop is.
  struct Within {
    mlir::Value view;
    int64_t axis = 0;
  };

  mlir::OwningOpRef<mlir::ModuleOp> parts; ///< stores the sum of each part
  mlir::OwningOpRef<mlir::ModuleOp> whole; ///< adds them, and what is behind
  tile::KernelOp kernel;                   ///< in `parts`
  mlir::Value length;                      ///< of the loop
  int64_t step = 1;
  /// Loops around it in an instance, from 0 on: their lengths and steps.
  llvm::SmallVector<Count> around;
  llvm::SmallVector<Count> counts; ///< of instances, without parts
  std::vector<Workspace> workspaces;
  std::vector<Within> within;
};

/// `program` has one kernel, on the tile rung with its parameters set, and
/// stays as it is; `suffix` is part of the workspaces' names, and `costs` are
/// of the machine on which a process adds the parts. Without result, `obstacle`
/// says why: the loop carries other than sums that may be reordered, for
/// example.
std::optional<DividedSums> divideSums(mlir::ModuleOp program,
                                      llvm::StringRef suffix,
                                      const machine::Costs &costs,
                                      SumObstacle &obstacle);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_DIVIDESUMS_H
