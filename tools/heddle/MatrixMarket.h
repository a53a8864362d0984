//===- MatrixMarket.h - Sparse matrices from .mtx files ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a file in NIST's Matrix Market exchange format becomes elements
// with coordinates from 0. What it can say and heddle has no use for (complex
// numbers, dense arrays) is refused by name.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_MATRIXMARKET_H
#define HEDDLE_TOOLS_HEDDLE_MATRIXMARKET_H

#include "heddle/Sparse/Tensor.h"

#include "llvm/Support/Error.h"

namespace heddle::tool {

struct MarketMatrix {
  std::vector<int64_t> extents; ///< rows, columns
  std::vector<sparse::Entry> entries;
};

/// Both halves of a symmetric matrix are given. `path` is for messages, which
/// name the line.
llvm::Expected<MarketMatrix> readMatrixMarket(llvm::StringRef text,
                                              llvm::StringRef path);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_MATRIXMARKET_H
