//===- ChosenIterations.h - The iterations that multiply --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose products stand in a conditional, and that does nothing in
// iterations without: blocks of a sparse matrix, of a mask, of a window. Only
// numbers may decide: the loop's own, and what is made of memory that the
// kernel never writes, be it a mask of two axes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_CHOSENITERATIONS_H
#define HEDDLE_LIB_TRANSFORMS_CHOSENITERATIONS_H

#include "RepeatedTiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace heddle {

/// `value`, which is a truth value, the other way round.
mlir::Value inverted(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value);

/// A loop whose work is in one branch of one conditional.
class ChosenIterations {
public:
  explicit ChosenIterations(mlir::scf::ForOp loop) : loop(loop) {}

  /// Whether it is one, and numbers alone choose its iterations. Conditionals
  /// that do nothing but hold the next one are made one.
  bool find();

  /// What is done in the iterations that multiply.
  mlir::scf::IfOp getWork() { return work; }
  mlir::Block &getBranch() { return branchOf(chosen).front(); }

  /// Whether iteration `at` is chosen, computed anew.
  mlir::Value isChosen(mlir::OpBuilder &builder, mlir::Value at);

private:
  mlir::Region &branchOf(bool outcome) {
    return outcome ? work.getThenRegion() : work.getElseRegion();
  }
  bool findBranch();
  bool handsOnTheRest();
  bool absorbInner();
  bool collect(mlir::Value value, mlir::Block &block,
               llvm::SetVector<mlir::Operation *> &ops);

  mlir::scf::ForOp loop;
  mlir::scf::IfOp work;
  bool chosen = true; ///< the condition's value in iterations that multiply
  llvm::SetVector<mlir::Operation *> deciders;
  llvm::SetVector<mlir::Value> outside; ///< tiles from there that decide
  RepeatedTiles repeated;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_CHOSENITERATIONS_H
