//===- RowWork.h - What lies below each outermost coordinate ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the statements of one region, an order for each, and all tensors, those
// that statements make among them. Out: for each coordinate of the outermost
// index about how many iterations lie below it. Where a statement needs rows
// that another one makes, these are carried out below it once more; where both
// walk the same rows, once. So rows can be chosen of which counts tell those of
// all, in time that grows with the elements that are stored and not with the
// iterations.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_ROWWORK_H
#define HEDDLE_SPARSE_ROWWORK_H

#include "heddle/Sparse/Statement.h"
#include "heddle/Sparse/Streams.h"
#include "heddle/Sparse/Tensor.h"

namespace heddle::sparse {

/// By coordinate, at least 1 each. A tensor that is copied counts by the mean
/// of its rows.
std::vector<double>
weighRows(const std::vector<Statement> &statements,
          const std::vector<RankedOrder> &orders,
          const std::map<std::string, const Tensor *> &tensors);

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_ROWWORK_H
