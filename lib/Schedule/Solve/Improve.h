//===- Improve.h - The best of the schedules of one II ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a schedule of the least interval. Out: the best one of the same interval,
// goal by goal. The interval alone leaves many schedules that the model counts
// as equal and the machine does not: slack, owner changes and registers decide
// which of them runs well.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_IMPROVE_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_IMPROVE_H

#include "Query.h"

#include <functional>

namespace heddle::schedule {

/// Is there a schedule that reaches these goals? If so, it replaces the one
/// there is.
using Asker = std::function<bool(const Goals &)>;

/// One goal after the other, each kept while the next is improved: most slack
/// at asynchronous units, fewest owner changes of these, fewest registers, the
/// shortest iteration. A goal ends with the first answer that its share of the
/// budget does not pay for.
void reachGoals(const Problem &problem, bool wantsSlack,
                const Solution &solution, Goals &goals, const Asker &reaches);

/// What needs no search: products are read before long work, what threads make
/// for slots is stored at once, loads start as late as their readers allow,
/// rings get no more slots than they need and then what shared memory is left,
/// and waits come as late as they can.
void tidy(const Problem &problem, Solution &solution,
          const std::vector<Relation> &relations);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_IMPROVE_H
