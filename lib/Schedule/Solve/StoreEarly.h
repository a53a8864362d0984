//===- StoreEarly.h - Slots are filled as soon as may be --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a schedule. Out: the same with operations that put what threads made into
// slots right behind what makes it. In model time nobody waits for a slot that
// is filled at the last moment. On the chip, whose products are now and then
// late, every cycle in between is one that the readers need not wait, and for
// which there is shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_STOREEARLY_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_STOREEARLY_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// Moves them in front of other work of their process, as far as it is legal.
/// What is in the way is issued later; II and processes stay. Rings get the
/// slots that this takes.
void storeEarly(const Problem &problem, Solution &solution);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_STOREEARLY_H
