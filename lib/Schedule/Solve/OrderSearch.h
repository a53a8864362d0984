//===- OrderSearch.h - Times by deciding who goes first -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a query, which fixes interval, roles and goals. Out: a schedule, a
// refutation, or no answer within the steps. Times are not enumerated: once it
// is decided which side of a disjunction goes first, the longest paths give all
// times, so the search branches over pairs of operations and never over cycles.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_ORDERSEARCH_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_ORDERSEARCH_H

#include "Query.h"

namespace heddle::schedule {

/// Answers by branch and bound over which of two that exclude each other goes
/// first. The same query gets the same reply. A step is 32 entries of the table
/// of longest paths. The first attempt may take `first` steps, and each of the
/// next ones half as many more.
Reply searchOrders(const Query &query, uint64_t steps, uint64_t first = 20'000);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_ORDERSEARCH_H
