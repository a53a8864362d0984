//===- Overlap.h - Whether elements of a view share memory ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view that a kernel writes must have a place for each element, or its result
// depends on timing; LaunchPlan.cpp refuses others. The question is a search in
// numbers, whose steps are bounded because every launch asks it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_MANIFEST_OVERLAP_H
#define HEDDLE_LIB_MANIFEST_OVERLAP_H

#include <cstdint>
#include <vector>

namespace heddle::manifest {

/// Whether two elements of a view lie in one place. Extents are at least 1,
/// strides of longer axes not negative. Exact, but for layouts that take more
/// than some thousand steps to decide, which count as overlapping.
bool overlapsItself(const std::vector<int64_t> &shape,
                    const std::vector<int64_t> &strides);

} // namespace heddle::manifest

#endif // HEDDLE_LIB_MANIFEST_OVERLAP_H
