//===- LoopPair.h - Decide: what two loops have in common -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two loops of which the second goes on where the first ends. Operations of
// their bodies are partners if they do the same with partners; where partners
// read values that are none, the two values are an alternative: which of them
// it is depends on the iteration.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_LOOPPAIR_H
#define HEDDLE_LIB_TRANSFORMS_LOOPPAIR_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/MapVector.h"

#include <string>

namespace heddle {

class LoopPair {
public:
  /// `second` carries on what `first` ends with, value by value.
  LoopPair(mlir::scf::ForOp first, mlir::scf::ForOp second)
      : first(first), second(second) {}

  /// Empty, or why the two cannot be one loop.
  std::string match();

  using Alternative = std::pair<mlir::Value, mlir::Value>;
  /// The operation of the first body that does what one of the second does.
  mlir::Operation *partnerOf(mlir::Operation *op) const {
    return partners.lookup(op);
  }
  /// Whether an operation of either body has a partner.
  bool isPaired(mlir::Operation *op) const {
    return partners.count(op) || copies.count(op);
  }
  /// Whether two values of the bodies are one.
  bool isOne(mlir::Value a, mlir::Value b) const;

  mlir::scf::ForOp first, second;

private:
  bool isLike(mlir::Operation *a, mlir::Operation *b) const;
  void pair(mlir::Operation *a, mlir::Operation *b);
  void pairEqual();
  void pairAlike(mlir::Value a, mlir::Value b);
  std::string findUnpaired() const;

  llvm::DenseMap<mlir::Operation *, mlir::Operation *> partners, copies;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_LOOPPAIR_H
