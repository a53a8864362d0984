//===- Elementwise.h - Operations that go by element --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation. Out: whether element i of its results depends on element i
// of each operand alone, as layouts and passes that narrow tiles count on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_ELEMENTWISE_H
#define HEDDLE_DIALECT_TILE_ELEMENTWISE_H

#include "mlir/IR/Operation.h"

namespace heddle::tile {

/// Works on its operands' elements one by one.
bool isElementwise(mlir::Operation *op);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_ELEMENTWISE_H
