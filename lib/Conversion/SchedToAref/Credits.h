//===- Credits.h - Who may issue to a unit, and when -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a table that orders the processes at one unit. Out: rings of credits,
// which keep that order. Processes run apart, so the order that the schedule
// found is lost unless each process waits for the turn before its own; a ring
// already says that, so the aref rung needs no other means.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_CREDITS_H
#define HEDDLE_LIB_SCHEDTOAREF_CREDITS_H

#include "Facts.h"

namespace heddle::expander {

/// The credits that keep the order in which the processes of `loop` issue to
/// the unit that `table` orders; none, with a remark, where credits cannot.
llvm::SmallVector<RingFacts> orderingCredits(const Facts &facts,
                                             sched::TableOp table,
                                             mlir::scf::ForOp loop);

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_CREDITS_H
