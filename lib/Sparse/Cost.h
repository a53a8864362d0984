//===- Cost.h - Modelled cycles of a nest -----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a legal nest, the counts of its operands and a processor's figures. Out:
// how often each loop's body runs, in symbols and in numbers, and the cycles
// that this takes. docs/rationale/einsum.md has the sum.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SPARSE_COST_H
#define HEDDLE_LIB_SPARSE_COST_H

#include "heddle/Sparse/Plan.h"

namespace heddle::sparse {

/// The positions of a level; -1 is the root, with one.
double countAt(const Statistics &statistics, const Access &access, int level);

/// nnz(A) or nnz(A,level), or the extents of levels that are all dense.
Monomial symbolOf(const Statement &statement, const Access &access, int level);

/// a *= b, or a /= b for sign -1.
void multiply(Monomial &a, const Monomial &b, int sign);

/// Fills in the candidate's iterations, visits and cost.
void estimate(const Statement &statement, const Statistics &statistics,
              Candidate &candidate);

} // namespace heddle::sparse

#endif // HEDDLE_LIB_SPARSE_COST_H
