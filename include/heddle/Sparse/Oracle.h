//===- Oracle.h - What a statement means ------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a statement over elements with their coordinates, in double. It
// joins lists of elements by hashing and knows nothing of loops, positions or
// formats, so that it shares no mistake with what it judges.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_ORACLE_H
#define HEDDLE_SPARSE_ORACLE_H

#include "heddle/Sparse/NumberTable.h"
#include "heddle/Sparse/Tensor.h"

namespace heddle::sparse {

struct OracleSum {
  double value = 0;
  /// The sum of what the products' magnitudes are, carried through functions;
  /// errors are judged by it.
  double scale = 0;
  int64_t count = 0; ///< of products
};

struct OracleResult {
  std::vector<int64_t> extents; ///< of the result, by axis
  NumberTable<OracleSum> sums;  ///< by row-major number

  uint64_t keyOf(const std::vector<int64_t> &coordinates) const;
  std::vector<int64_t> coordinatesOf(uint64_t key) const;
};

/// The elements of each factor, by term and factor.
using FactorEntries = std::vector<std::vector<const std::vector<Entry> *>>;

/// `extents` has one number an index. Empty string, or why it was not
/// evaluated.
std::string evaluate(const Statement &statement, const FactorEntries &operands,
                     const std::vector<int64_t> &extents, OracleResult &result);

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_ORACLE_H
