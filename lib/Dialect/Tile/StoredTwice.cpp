//===- StoredTwice.cpp - Two stores to one place --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/StoredTwice.h"

#include "heddle/Dialect/Tile/MemoryAccess.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;

bool heddle::tile::isSameNumber(Value a, Value b) {
  APInt left, right;
  return a == b || (matchPattern(a, m_ConstantInt(&left)) &&
                    matchPattern(b, m_ConstantInt(&right)) && left == right);
}

bool heddle::tile::isStoredTwice(StoreOp first, StoreOp second) {
  return first != second && first.getView() == second.getView() &&
         llvm::equal(first.getOffsets(), second.getOffsets(), isSameNumber) &&
         mayFollow(second, first);
}
