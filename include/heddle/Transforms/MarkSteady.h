//===- MarkSteady.h - What steady iterations leave out ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel on the tile rung. Out: marks on what its loops do not do in each
// iteration (kDelayed, kSteady). Operations' costs depend on them. The pass
// sched-mark-steady makes the marks that plans and the lowering read. The pass
// that joins iterations comes before plans: it makes marks and removes them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_MARKSTEADY_H
#define HEDDLE_TRANSFORMS_MARKSTEADY_H

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Pass/Pass.h"

namespace heddle {

/// Marks of an earlier time are made anew.
void markSteady(tile::KernelOp kernel);

void unmarkSteady(tile::KernelOp kernel);

/// The pass, for every kernel of a module.
std::unique_ptr<mlir::Pass> createMarkSteady();

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_MARKSTEADY_H
