//===- Accesses.h - Which pieces launches touch -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the launches of a variant. Out: for each argument the tensor that it is
// a piece of, and the numbers of its blocks as linear forms of loop indices;
// and whether two pieces are apart, in one iteration of a prange or in any two.
// What is not linear, or cut in two ways, is not proved apart.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_TASKS_ACCESSES_H
#define HEDDLE_LIB_FRONTEND_TASKS_ACCESSES_H

#include "heddle/Analysis/LinearForm.h"
#include "heddle/Dialect/Task/Task.h"

#include "llvm/ADT/MapVector.h"

namespace heddle::task {

/// One step from a tensor to a piece of it.
struct Cut {
  BlocksOp blocks;
  /// Along each axis; lost where it is not linear, 0 along whole ones. Behind
  /// them, of a piece that is there only when two indices are equal, their
  /// difference: 0 wherever the piece is, so that it is compared as an axis is.
  std::vector<LinearForm> block;
};

/// An argument of a launch.
struct Access {
  LaunchOp launch;
  unsigned argument;
  bool reads, writes; ///< what is reduced is written, too
  int64_t reduction;  ///< kReducesAdd and the like; 0 for none
  mlir::Value root;
  std::vector<Cut> path;      ///< from the root to the piece
  bool isConditional = false; ///< the piece may not be there
};

/// The outcome of a question about two accesses.
struct Collision {
  bool isApart = false;
  /// Two iterations that meet, where they are known.
  llvm::SmallVector<int64_t> first, second;
};

class Accesses {
public:
  /// Indices of loops and other values get an atom each.
  LinearForm::Atom atomOf(mlir::Value value);
  /// A linear form of what arith says of `value`.
  LinearForm formOf(mlir::Value value);

  Access describe(LaunchOp launch, unsigned argument, int64_t privileges);

  /// Do two arguments of one launch never share an element?
  bool areApartAtOnce(const Access &a, const Access &b);

  /// Do different iterations of `range` never share an element of `a` and `b`?
  Collision compare(PrangeOp range, const Access &a, const Access &b);

private:
  struct Row; // an equation that two iterations that meet fulfil

  unsigned commonSteps(const Access &a, const Access &b, PrangeOp range);
  bool isInvariant(mlir::Value value, PrangeOp range);
  bool areSameBlocks(BlocksOp a, BlocksOp b);
  Collision search(PrangeOp range, llvm::ArrayRef<Row> rows,
                   llvm::ArrayRef<int64_t> bounds);

  LinearForm composeForm(mlir::Value value, int depth);

  llvm::MapVector<mlir::Value, LinearForm::Atom> atoms;
  llvm::DenseMap<mlir::Value, LinearForm> forms;
};

/// The value of a constant index, else nothing.
std::optional<int64_t> constantOf(mlir::Value value);

} // namespace heddle::task

#endif // HEDDLE_LIB_FRONTEND_TASKS_ACCESSES_H
