//===- WidenNumbers.h - Indices that need all 64 bits -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, and the needs that 32 bits of an index do not meet. Out: the
// same kernel, with the numbers that lead there computed as i64 beside the
// indices, which go on holding the lower bits.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_WIDENNUMBERS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_WIDENNUMBERS_H

#include "NumberWidths.h"

#include "llvm/ADT/SetVector.h"

namespace heddle::tonvvm {

class Widener {
public:
  Widener(mlir::OpBuilder &builder, Numbers &numbers)
      : builder(builder), numbers(numbers) {}

  /// Meets the need by wider numbers, or says why it cannot.
  llvm::LogicalResult meet(const WidthNeed &need);
  /// After the last need: drops what was replaced.
  void finish();

private:
  /// The number of an index in 64 bits; null if there is no way to it.
  mlir::Value widen(mlir::Value index);
  mlir::Value widenResult(mlir::OpResult index);
  mlir::Value widenCarried(mlir::Value index,
                           mlir::ArrayRef<mlir::OpOperand *> sources,
                           mlir::ArrayRef<mlir::Value> same);
  mlir::Value widenCarried(mlir::Value index, mlir::scf::ForOp loop,
                           unsigned number);
  mlir::Value widenPassed(mlir::Value index, mlir::scf::WhileOp loop,
                          unsigned number);
  mlir::Value widenArgument(mlir::BlockArgument index);
  mlir::Operation *widenOp(mlir::Operation *op);
  mlir::Value widenLoop(mlir::scf::ForOp loop);
  mlir::Value countIterations(mlir::scf::ForOp loop);
  bool limitStart(mlir::scf::ForOp loop);

  mlir::OpBuilder &builder;
  Numbers &numbers;
  llvm::DenseMap<mlir::Value, mlir::Value> wide;
  llvm::SetVector<mlir::Operation *> replaced, loops;
};

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_WIDENNUMBERS_H
