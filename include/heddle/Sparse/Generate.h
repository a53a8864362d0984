//===- Generate.h - Random sparse tensors -----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements from a seed, for runs and tests: the patterns on which sparse code
// goes wrong (nothing, everything, one element, few rows that have most), and
// the uniform one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_GENERATE_H
#define HEDDLE_SPARSE_GENERATE_H

#include "heddle/Sparse/Tensor.h"

namespace heddle::sparse {

enum class Pattern { Uniform, Empty, Full, One, Skewed };

/// Each element of a tensor of `extents` is there with probability `density`;
/// in a skewed one the first slices along axis 0 get most. Values are N(0, 1),
/// or integers in [-2, 2] without 0.
std::vector<Entry> generate(const std::vector<int64_t> &extents,
                            Pattern pattern, double density, uint64_t seed,
                            bool integers);

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_GENERATE_H
