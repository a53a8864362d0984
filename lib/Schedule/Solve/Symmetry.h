//===- Symmetry.h - Sub-tiles that may change places -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a query. Out: pairs of operations of which the first may be assumed to be
// issued first. Sub-tiles that may change places give each schedule a mirror
// image, and a search without this refutes both.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_SYMMETRY_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_SYMMETRY_H

#include "Query.h"

#include <utility>

namespace heddle::schedule {

/// Pairs of operations, of a sub-tile and of the next one, where all that the
/// two sub-tiles do may change places: problem, roles and relations stay the
/// same. So of any schedules that are otherwise alike, one has the first of
/// each pair issued first.
std::vector<std::pair<int, int>> findSymmetric(const Query &query);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_SYMMETRY_H
